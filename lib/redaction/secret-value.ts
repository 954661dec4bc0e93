import type { SecretKeyKind } from './secret-key.js';
import { foldText } from './folded-text.js';
import { MARKER_FILLER } from './redaction-rule.js';

/**
 * How a value stands by its key: a leaf of JSON or the like, in quotes, straight after an equals sign, bare after a
 * colon, in a sentence, or merely next to it. The less the form says, the more the value has to.
 */
export type ValueForm = 'leaf' | 'quoted' | 'assigned' | 'bare' | 'sentence' | 'adjacent';

const NOTHING = new Set(
  (
    'null nil none undefined true false yes no on off required optional missing invalid expired empty unset set string str text ' +
    'number int integer boolean bool varchar char password passwd pwd passphrase secret secrets token tokens key keys apikey hidden ' +
    'masked default enabled disabled unknown incorrect wrong correct valid ok okay failed failure success error denied na auto ' +
    'prompt file env basic bearer digest plain plaintext encrypted hashed rotated rotating leaked changed reset updated deleted ' +
    'created stored saved sent accepted rejected revoked not is in and or for from the a an to of with was were has have must ' +
    'should can cannot will may it this that there been being be as at by on if else await async new return function const let var ' +
    'type any object array void never credentials username user login email name changeme todo tbd fixme redacted removed deny ' +
    'allow authentication authorization policy rotation manager field input value unused ignored unchanged see ask contact'
  ).split(' '),
);

const MASKED = /^[*•●·.#_x-]{1,512}$/i;
const PARTLY_MASKED = /\*{3,}|•{3,}|\.{3}|…|x{6,}/i;
const REFERENCE = new RegExp(
  [
    '^<[^<>]{0,200}>$',
    '^\\$?\\{{1,2}[^{}]{0,200}\\}{0,2}$',
    '^\\$\\{[^}]{0,200}\\}?',
    '^\\$\\(',
    '^\\$\\{?(?:[A-Z_][A-Z0-9_]*|[a-z_]+|env:\\w+)\\}?$',
    '^#\\{',
    '^%[A-Za-z_]\\w{0,63}%$',
    '^%\\([a-z_]{1,64}\\)s$',
    '^@[\\w.-]{1,64}@$',
    '^\\$[a-z_]\\w{0,63}(?:-$|->|\\[)',
    '^__[A-Z_]{1,64}__$',
    '^\\[[^\\]\\d]{0,200}\\]?$',
    '^\\{\\{',
    '^(?:process\\.env|import\\.meta|os\\.environ|os\\.getenv|System\\.getenv|ENV\\[|env\\.|secrets\\.|vars\\.|var\\.|local\\.|data\\.|module\\.|config\\.|this\\.|self\\.|args\\.|req\\.|ctx\\.|props\\.|settings\\.)',
    '^(?:!?ref[+ ]|!vault|vault:|arn:|projects/|ssm:|op://|gcp-?secret|aws-?secret|keyring:|file:|env:|workspace:|npm:|link:)',
    '^@[A-Za-z]+(?:\\.[A-Za-z]+){1,8}$',
    '^-----BEGIN [A-Z0-9 ]{1,60}-----',
  ].join('|'),
);
const WORDED_PLACEHOLDER =
  /example|placeholder|dummy|change[-_ ]?me|redacted|masked|hidden|goes[-_ ]?here|your[-_ ]|^(?:insert|enter|replace|put|add)[-_ ]/i;
const CALL_OR_PATH = /^\([A-Za-z-]{2,40}$|^(?:[A-Za-z_$][\w$]{0,63}\.){0,8}[A-Za-z_$][\w$]{0,63}\s?[([]/;
const DOTTED_NAME = /^[A-Za-z_$][A-Za-z_$]{0,63}(?:[.:]{1,2}[A-Za-z_$][A-Za-z_$]{0,63}){1,8}$/;
const FILE_PATH =
  /^(?:~|\.{1,2})?(?:\/[a-z.][a-z0-9_.-]{0,63}){2,16}\/?$|^[\w-]{1,64}(?:\/[\w-]{1,64}){1,8}\.[a-z]{1,5}$|^[A-Za-z]:\\/;
// `db-credentials-v2`: words and a number, as resources are called.
const RESOURCE_NAME = /^(?:[a-z]{1,32}|v?\d{1,4})(?:[-_.](?:[a-z]{1,32}|v?\d{1,4})){1,8}$/;
const URL_START = /^[a-z][a-z0-9+.-]{1,24}:\/\//i;
const MEASURE =
  /^(?:[~^<>=]{0,2}v?\d{1,6}(?:\.\d{1,6}){1,4}|\d{4}-\d\d-\d\d\S{0,32}|\d{1,2}:\d\d(?::\d\d)?|\d{1,9}(?:ms|s|m|h|d|w|kb|mb|gb|k|%))$/i;

/** Whether `value`, which stands by a key of that kind in that form, is a secret: the value decides, not the key alone. */
export function isSecretValue(raw: string, kind: SecretKeyKind, form: ValueForm): boolean {
  const whole = raw.length > 512 ? raw.slice(0, 512) : raw;
  const { text } = foldText(whole.includes(MARKER_FILLER) ? whole.replaceAll(MARKER_FILLER, '') : whole);
  const value = text.trim();
  if (value.length < 3 || isPlaceholder(value)) return false;
  const letters = count(value, /[A-Za-z]/g);
  const digits = count(value, /[0-9]/g);
  const foreign = count(value, /[\u0250-\u{10ffff}]/gu);
  const symbols = value.length - letters - digits - foreign - count(value, /\s/g);
  if (URL_START.test(value) || FILE_PATH.test(value) || MEASURE.test(value)) return false;
  if (foreign > 0 && digits === 0) return false;
  const quoted = form === 'leaf' || form === 'quoted';
  if (!quoted && form !== 'assigned' && isIdentifier(value)) return false;
  if (form === 'adjacent' && !isTellingByItself(value, kind, letters, digits)) return false;
  if (kind === 'token' && form !== 'assigned' && value.length <= 32 && RESOURCE_NAME.test(value)) return false;
  if (kind === 'code') return form !== 'sentence' && form !== 'bare' && isCode(value);
  if (kind === 'named-key' && /^[0-9a-f]{32,128}$/i.test(value)) return letters > 0;
  if (kind === 'key' || kind === 'named-key') return isRandom(value, letters, digits, 20);
  if (digits === value.length || /^\d{4,8}[#*]$/.test(value)) return isSecretNumber(value, kind, form);
  if (/\s/.test(value)) return quoted && isPassphrase(value, kind, digits, symbols);
  if (!quoted && (CALL_OR_PATH.test(value) || DOTTED_NAME.test(value))) return false;
  if (quoted && DOTTED_NAME.test(value) && kind === 'token') return false;
  if (digits > 0 && letters > 0) return value.length >= (kind === 'password' ? 5 : 8);
  if (symbols > 0 && digits > 0) return value.length >= 6;
  if (symbols > 0 && letters > 0) return isOddlyPunctuated(value, quoted || form === 'assigned');
  return letters > 0 && isUncommonWord(value, kind, form);
}

// `STD-114`, `GITLAB_CI_TOKEN2`, `auth-02.example.org`, `tests/auth/test_policy.py`: what sentences call things by.
const TICKET = /^(?:[A-Z]{2,8}-){1,3}\d{1,6}$/;
const CONSTANT = /^[A-Z]{2,16}(?:_[A-Z]{1,16}){1,6}_?\d{0,2}$/;
const HOST = /^[a-z][a-z0-9-]{0,62}(?:\.[a-z0-9-]{1,63}){1,6}\.[a-z]{2,10}$/;
const PATH_PIECE = /^(?:[A-Za-z]{0,24}\d{0,4}|\d{1,4})$/;
// A name in code is made of words, and one of them is of the trade: `SessionKeyResolver3`, `pw_hash2`.
const CODE_WORDS = /[A-Z]?[a-z]{1,64}|[A-Z]{1,64}(?![a-z])|\d{1,64}/g;
const TRADE =
  /token|session|key|passw|pw_|auth|filter|encod|resolv|store|service|controller|handle|manager|provider|client|config|factory|util|helper|valid|policy|repositor|module|guard|strateg|intercept|middleware|request|response|test|hash|type|pars|builder|context|bucket|cache|generat|rotat|bcrypt|refresh|secret|credential/i;

function isIdentifier(value: string): boolean {
  if (TICKET.test(value) || CONSTANT.test(value) || HOST.test(value)) return true;
  if (value.length <= 64 && TRADE.test(value) && isNameInCode(value)) return true;
  if (!/\/|::/.test(value)) return false;
  const pieces = value.split(/[/_.:[\]-]{1,3}/).filter((piece) => piece !== '');
  return pieces.length >= 3 && pieces.every((piece) => PATH_PIECE.test(piece));
}

function isNameInCode(value: string): boolean {
  const words = value.match(CODE_WORDS) ?? [];
  return (
    words.length >= 2 &&
    words.length <= 12 &&
    words.join('') === value.replaceAll('_', '') &&
    words.every((word) => (/\d/.test(word) ? word.length <= 2 : word.length >= 2 || word === 'V')) &&
    words.filter((word) => /\d/.test(word)).length <= 1
  );
}

function isPlaceholder(value: string): boolean {
  const plain = value.toLowerCase().replace(/^[^a-z0-9]+|[^a-z0-9]+$/g, '');
  if (NOTHING.has(plain) && plain.length >= value.length - 2) return true;
  if (MASKED.test(value) || /^(.)\1+$/.test(value) || PARTLY_MASKED.test(value) || REFERENCE.test(value)) return true;
  return !/\d{2}/.test(value) && WORDED_PLACEHOLDER.test(value);
}

// Where only a space or a quote stands between a name and a value, or less.
function isTellingByItself(value: string, kind: SecretKeyKind, letters: number, digits: number): boolean {
  if (kind === 'key' || kind === 'named-key' || RESOURCE_NAME.test(value)) return false;
  const symbols = value.match(/[!@#$%^&*+=?~]/g)?.length ?? 0;
  if (letters < 3 || value.length < 8 || digits === 0) return false;
  return digits >= 2 || symbols >= 2 || (symbols === 1 && /[a-z]/.test(value) && /[A-Z]/.test(value));
}

// A number for one use, or the seed that such numbers are made of.
const isCode = (value: string): boolean =>
  /^\d{3}[ -]?\d{1,5}$/.test(value) || /^\d{3,8}$/.test(value) || /^[A-Z2-7]{16,64}={0,6}$/.test(value);

function isSecretNumber(value: string, kind: SecretKeyKind, form: ValueForm): boolean {
  if (form === 'leaf') return value.length >= (kind === 'password' ? 3 : 5);
  return kind === 'password' ? value.length >= 4 : value.length >= 6 && form !== 'sentence';
}

// Words with a digit or a sign among them, or few of them, are a phrase that somebody made up; a sentence is prose.
function isPassphrase(value: string, kind: SecretKeyKind, digits: number, symbols: number): boolean {
  const words = value.split(/\s+/);
  if (kind === 'token') return digits >= 4 && words.some((word) => word.length >= 12 && /\d/.test(word));
  // Four by four letters are how a password for one application is shown.
  if (/^[a-z]{4}(?: [a-z]{4}){3}$/.test(value)) return true;
  if (isPhraseOfWords(words)) return true;
  return words.length <= 8 && (digits > 0 || (symbols > 0 && /[!@#$%^&*~+=]/.test(value)));
}

// What a sentence or a label has, and words that were drawn to be remembered have not.
const PROSE = new Set(
  (
    'the and for not are was been must should can will may your our their his her its this that these those you they ' +
    'into per via enter type please invalid wrong incorrect missing required optional field value reset change changed ' +
    'new old current previous confirm confirmation forgot remember show hide update updated create created delete deleted ' +
    'here there before after when where how what which who password passwords passphrase passcode token tokens secret ' +
    'secrets key keys login sign user users username account name email mail admin service file path see ask use used ' +
    'using set get has have had does did least minimum maximum characters character letters digits numbers symbols length ' +
    'long short strong weak policy policies manager vault rotation rotated rotate expired expires expire days hours minutes ' +
    'never always only all any none each every same different with without from error failed failure cannot code codes ' +
    'database server client system settings page link one two step string text number boolean object array default null ' +
    'authentication authorization verification access denied granted match matches mismatch again more less than then else'
  ).split(' '),
);

/** Whether words were drawn to be remembered: four and more in small letters, and none that sentences are made of. */
export function isPhraseOfWords(words: readonly string[]): boolean {
  return (
    words.length >= 4 && words.length <= 10 && words.every((word) => /^[a-z]{3,12}$/.test(word) && !PROSE.has(word))
  );
}

function isOddlyPunctuated(value: string, strongForm: boolean): boolean {
  if (/[!@#$%^&*~+=?]/.test(value) && !/^[A-Za-z]+[!?=]$/.test(value)) return value.length >= 6;
  return strongForm && value.length >= 8 && !/^[a-z]+(?:[-_./:][a-z]+)*$/.test(value)
    ? true
    : strongForm && /[a-z]-[a-z]/.test(value) && value.length >= 16;
}

function isUncommonWord(value: string, kind: SecretKeyKind, form: ValueForm): boolean {
  if (NOTHING.has(value.toLowerCase())) return false;
  const mixed = /[a-z]/.test(value) && /[A-Z]/.test(value.slice(1));
  const camel = /^[a-z]+(?:[A-Z][a-z]+)+$/.test(value) || /^(?:[A-Z][a-z]+)+$/.test(value);
  if (form === 'leaf' || form === 'quoted')
    return kind === 'password' ? value.length >= 4 : value.length >= 10 && mixed && !camel;
  if (form === 'assigned')
    return kind === 'password' ? value.length >= 6 && !camel : value.length >= 12 && mixed && !camel;
  return value.length >= 12 && mixed && !camel;
}

/** Whether a value looks drawn at random: long enough, of letters of both cases and digits, or hexadecimal. */
export function isRandom(value: string, letters: number, digits: number, length: number): boolean {
  if (value.length < length || digits < 1 || letters < 4 || /\s/.test(value)) return false;
  if (digits < 2 && !isDrawnAtRandom(value)) return false;
  if (/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(value) || /^[0-9a-f]+$/.test(value)) return false;
  if (!/^[\w+/=.~-]+$/.test(value)) return false;
  return /[a-z]/.test(value) && /[A-Z]/.test(value);
}

/** Whether letters of both cases and digits change places as often as they do when each is drawn by itself. */
export function isDrawnAtRandom(value: string): boolean {
  let changes = 0;
  let last = '';
  for (const character of value) {
    const sort = character >= '0' && character <= '9' ? '0' : character >= 'a' && character <= 'z' ? 'a' : 'A';
    if (last !== '' && sort !== last) changes++;
    last = sort;
  }
  return /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value) && changes * 3 >= value.length;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
