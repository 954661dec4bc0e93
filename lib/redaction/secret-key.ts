/**
 * What a name says about the value under it: a `password` may be any word, a `token` is made by a machine, a `code` is a
 * number for one person or one use, a `named-key` is one of several keys that only its value tells from an identifier,
 * and a `key` may as well be no secret at all.
 */
export type SecretKeyKind = 'password' | 'token' | 'code' | 'named-key' | 'key';

const PASSWORD_TAIL = /(?:password|passwords|passwd|passwort|passphrase|passcode|pwd|requirepass|authpass)$/;
const PASSWORD_WORDS = new Set('pw pass psw pword pws psk userpass dbpass rootpass requirepass masterauth'.split(' '));
const PASSWORD_WORD_TAIL = /(?:^|[^o])(?:user|db|root|admin|my|smtp|mail|ssh|login|require)(?:pass|pw)$/;

const TOKEN_TAIL = new RegExp(
  '(?:secret|secrets|token|credential|credentials|connectionstring|sessionid|sessid|secretkeybase|' +
    '(?:api|access|secret|private|encryption|encrypt|signing|account|auth|service|master|shared|storage|subscription|' +
    'license|licence|client|ssh|tls|ssl|hmac|aes|crypto|session|jwt|deploy|preshared|wg|webhook|sas|app|application|' +
    'admin|host|function|integration|ingest|write|read|decryption|decrypt|unseal|recovery|backup|channel|consumer|routing|hook|bot|' +
    'enrollment|identity|instrumentation|product|activation|vault|kms|data|root|device|network|pairing|hmac)keys?|(?:cookie|auth|session|app|password)salt|accesskeyid|erlangcookie|keymaterial|' +
    '(?:otp|totp|mfa|2fa|hotp)(?:seed|secret|key))$',
);
const TOKEN_WORDS = new Set(['jwt', 'pat', 'skey', 'cred', 'creds', 'bearer', 'apikeys', 'seed']);

const CODE_TAIL =
  /(?:otp|mfa|2fa|sms|verification|security|confirmation|auth|authentication|login|signin|onetime)code$/;
const CODE_WORDS = new Set(['pin', 'otp', 'cvv', 'cvc', 'cvv2', 'passcode', 'totp']);

// Positions in a list, names of files, counts: they end like a secret's name and are none.
const PAGE_TOKEN =
  /(?:next|page|continuation|sync|cursor|pagination|position|resume|bos|eos|pad|unk|mask|sep|cls)token$/;
const PUBLIC =
  /(?:public|cache|idempotency|primary|foreign|partition|sort|object|row|index|unique|dedup|group|tab|arrow|hot|short|enter|lookup|search|trace|span|request|correlation|message|event|content|file|blob|asset|build|commit|tree|layer|state|hash|dedupe?|deduplication|thread|lock|bucket|map|json|translation|locale|registry|node|column|websocket|pub|verification|etag|query|shard|image|artifact|storageobject|verify)(?:key|secret|token)$/;

// What may stand after the telling word without changing what it tells.
const QUALIFIERS = new Set(
  (
    'base value val prod production dev development staging stage test live old new current prev previous backup hash ' +
    'hashed encrypted enc plain text plaintext raw b64 base64 str string primary secondary data default main temp tmp ' +
    'initial root admin user app'
  ).split(' '),
);

const CJK_PASSWORD =
  /(?:비밀\s?번호|비번|패스\s?(?:워드|프레이즈|코드)|암호|パスワード|パスコード|パスフレーズ|暗証番号|合言葉|密码|密碼|口令|通行码|通行碼)$/;
const CJK_TOKEN =
  /(?:토큰|시크릿(?:\s?키)?|(?:API|api|액세스|접근|접속|인증|비밀|개인|보안|암호화|복호화|서명|라이선스|라이센스|복구)\s?키|暗号鍵|トークン|シークレット(?:キー)?|秘密鍵|(?:API|api|アクセス|認証)キー|令牌|权杖|權杖|密钥|密鑰|金鑰|金钥|秘钥|私钥|私鑰)$/;

// Most keys hold none of these, and need no closer look.
const TELLING =
  /pass|pwd|pw|psw|secret|token|cred|key|connection|sess|jwt|psk|pat|bearer|seed|auth|pin|otp|code|cv[cv]|salt|cookie|[\u0250-\u{10ffff}]/iu;

const MAX_KNOWN = 2048;
const known = new Map<string, SecretKeyKind | undefined>();

/** What `key` says about its value; `undefined`: nothing. Any way of writing several words as one is understood. */
export function secretKeyKind(key: string): SecretKeyKind | undefined {
  // A masked text used as a key is a text, not a name.
  if (!TELLING.test(key) || key.length > 128 || key.includes('[REDACTED:')) return undefined;
  // The same few names come again and again; parting one into its words is what takes time.
  let kind = known.get(key);
  if (kind === undefined && !known.has(key)) {
    kind = read(key);
    if (known.size >= MAX_KNOWN) known.clear();
    known.set(key, kind);
  }
  return kind;
}

function read(key: string): SecretKeyKind | undefined {
  if (/[\u0250-\u{10ffff}]/u.test(key)) {
    const trimmed = key.trim();
    if (CJK_PASSWORD.test(trimmed)) return 'password';
    if (CJK_TOKEN.test(trimmed)) return 'token';
  }
  const words = key
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]{1,64})([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]{1,64}/)
    .filter((word) => word !== '');
  let kind = kindOf(words);
  while (kind === undefined && words.length > 1) {
    const last = words.at(-1) as string;
    if (!QUALIFIERS.has(last) && !/^v?\d{1,4}$/.test(last)) return undefined;
    words.pop();
    kind = kindOf(words);
  }
  return kind;
}

function kindOf(words: readonly string[]): SecretKeyKind | undefined {
  const last = words.at(-1)?.replace(/\d{1,4}$/, '') ?? '';
  const joined = words.join('').replace(/\d{1,4}$/, '');
  if (PASSWORD_TAIL.test(joined) || PASSWORD_WORDS.has(last) || PASSWORD_WORD_TAIL.test(last)) return 'password';
  if (PAGE_TOKEN.test(joined) || PUBLIC.test(joined)) return undefined;
  if (TOKEN_TAIL.test(joined) || TOKEN_WORDS.has(last)) return 'token';
  if (joined === 'auth') return 'token';
  if (CODE_WORDS.has(last) || CODE_TAIL.test(joined)) return 'code';
  if (last === 'key' && words.length > 1) return 'named-key';
  return last === 'key' || last === 'auth' ? 'key' : undefined;
}
