import { ContentRedactor } from '../../lib/redaction/content-redactor.js';
import { DefaultRedactionPolicy } from '../../lib/redaction/default-redaction-policy.js';
import { RedactionBudget } from '../../lib/redaction/redaction-budget.js';
import { OVERLAP_UNITS, POLICY_UNITS } from '../../lib/redaction/text-slices.js';

const policy = new DefaultRedactionPolicy();
const redact = (text: string): string => policy.redact(text).redactedContent;

// Put together here, so that no file holds what a scanner would take for live.
const PASSWORD = ['plum7', 'river'].join('');
const ODD = ['Plum', '#7', 'river'].join('');
const MIXED = ['a1B2', 'c3D4', 'e5F6'].join('');
const LONG = MIXED.repeat(3);
const HEX = ['a1b2c3d4', 'e5f6a7b8'].join('');
const AWS_ID = ['AK', 'IA', 'Q3EGZ7XWLMN4RT2B'].join('');
const AWS_SECRET = ['w9Kx2Lm4Np6Qr8St0Uv1', 'Wx3Yz5Ab7Cd9Ef1Gh3Ij'].join('');
const marker = '[REDACTED:SECRET]';

/** What stands for the secret in a template, and the secret. */
const filled = (template: string, secret: string): string => template.replaceAll('§', () => secret);

function expectMasked(template: string, secret: string): void {
  const masked = redact(filled(template, secret));
  expect(masked).not.toContain(secret);
  expect(masked).toContain('[REDACTED:');
  expect(redact(masked)).toBe(masked);
}

describe('keys of AWS', () => {
  it.each([
    `User,Access key ID,Secret access key\notter,${AWS_ID},§`,
    `new BasicAWSCredentials("${AWS_ID}", "§")`,
    `the user is ${AWS_ID} / §, please`,
    'fs.s3a.secret.key=§',
    '<name>fs.s3a.secret.key</name><value>§</value>',
    'aws configure set aws_secret_access_key § --profile tides',
  ])('%s', (template) => expectMasked(template, AWS_SECRET));

  it('leave the name of the setting', () => {
    expect(redact(`aws_secret_access_key=${AWS_SECRET}`)).toBe('aws_secret_access_key=[REDACTED:AWS_KEY]');
  });
});

describe('the header Authorization, under any scheme', () => {
  it.each(['GenieKey §', 'KakaoAK §', 'SSWS §', 'Api-Key §', '§'])('%s', (value) =>
    expectMasked(`Authorization: ${value}`, LONG),
  );
});

describe('a pair for Basic authentication', () => {
  const pair = Buffer.from(['otter', PASSWORD].join(':')).toString('base64');
  it.each(['Authorization: Basic §', 'new AuthenticationHeaderValue("Basic", "§")', 'header(\\"Basic\\", \\"§\\")'])(
    '%s',
    (template) => expect(redact(filled(template, pair))).toBe(filled(template, marker)),
  );
});

describe('an address of e-mail in the query of an address', () => {
  it.each(['kim%40example.com', 'kim%2Bqa%40example.com', 'kim+qa%40example.com'])('%s', (address) =>
    expect(redact(`GET /invite?addr=${address}&src=mail`)).toBe('GET /invite?addr=[REDACTED:EMAIL]&src=mail'),
  );
});

describe('values in files', () => {
  it.each([
    "secret = '''§'''",
    'password: !!str §',
    "password: !unsafe '§'",
    'password: &pw §',
    '<apiKey><![CDATA[§]]></apiKey>',
    '&lt;password&gt;§&lt;/password&gt;',
    '<secret>\n  §\n</secret>',
    '<key>ApiToken</key>\n<string>§</string>',
    '[{"key":"TIDES_SECRET","value":"§","masked":true}]',
    '{"value":"§","name":"ADMIN_PASSWORD"}',
    '{"name":"db_password","type":"secure","value":"§"}',
    '{"passwords":["§","§"]}',
    '{"password":"p\\"§"}',
    'variable "db_password" {\n  type    = string\n  default = "§"\n}',
    'export TOKEN=\\\n  §',
    '| user | password |\n|---|---|\n| otter | § |',
    'user,password\notter,§',
    'Driver={Tides};Uid=otter;Pwd={§};',
    'otter:§@tcp(db.example:3306)/tides',
    'clickhouse://otter:§@db.example:9000/logs',
    'next=https%3A%2F%2Fotter%3A§%40example.org%2Fx'.replace('§', PASSWORD),
  ])('%s', (template) => expectMasked(template, template.includes(PASSWORD) ? PASSWORD : ODD));
});

describe('Secrets of Kubernetes', () => {
  const value = Buffer.from(ODD).toString('base64');

  it.each([
    'kind: Secret\nstringData:\n  dsn: §\n',
    'data:\n  dsn: §\nkind: Secret\n',
    '{"kind":"Secret","data":{"dsn":"§"}}',
    'kubectl create secret generic tides --from-literal=dsn=§',
  ])('%s', (template) => expectMasked(template, value));

  it('leave whose they are, and what is published', () => {
    const text = `kind: Secret\ndata:\n  username: ${Buffer.from('otter').toString('base64')}\n  tls.crt: ${value}\n`;
    expect(redact(text)).toBe(text);
  });

  it('are none in another kind', () => {
    const text = `kind: ConfigMap\ndata:\n  mode: ${value}\n`;
    expect(redact(text)).toBe(text);
  });
});

describe('command lines', () => {
  it.each([
    "echo '§' | docker login -u otter --password-stdin",
    'echo "otter:§" | sudo chpasswd',
    'zip -P § a.zip b',
    '7z x a.7z -p§',
    'sqlcmd -S host -U sa -P § -Q "select 1"',
    'keytool -genkey -storepass § -keypass §',
    'snmpget -v3 -u otter -A § -x AES -X § host sysName.0',
    'radtest otter § host 0 §',
    'htpasswd -bc .htpasswd otter §',
    'net use X: \\\\nas\\share /user:otter §',
    "ConvertTo-SecureString '§' -AsPlainText -Force",
    'curl -sku otter:§ https://example.org',
    'requests.get(url, auth=("otter", "§"))',
    'expect "assword:" { send "§\\r" }',
    "SET PASSWORD FOR 'otter' = PASSWORD('§');",
    '["curl","-u","otter:§"]',
  ])('%s', (template) => expectMasked(template, PASSWORD));

  it.each([
    'mysql -u root -p tides2',
    'id -u 1000:1000; docker run -u 1000:1000 image2',
    'tar -P -xf a1b2.tar; grep -P a1 f; mkdir -p build2/out3',
    'echo done2 | tee log; cat <<< plum7river',
  ])('leaves %s', (text) => expect(redact(text)).toBe(text));
});

describe('devices', () => {
  it.each([
    'snmp-server user otter group v3 auth sha § priv aes 128 §',
    'set snmp community "§" authorization read-only',
    'com2sec ro default §',
    'radius server tides\n key §',
    'ip ospf message-digest-key 1 md5 §',
    'local-user otter password cipher §',
    'set psksecret ENC §',
    'auth_pass §',
    '%any otter : EAP "§"',
    '[smtp.example.org]:587 otter:§',
    'sentinel auth-pass tides §',
    'createUser otter SHA "§" AES "§"',
    'aaa-server RAD (inside) host 203.0.113.40\n key §',
    'user otter on >§ ~app:* +@all',
    'vrrp 1 authentication md5 key-string §',
  ])('%s', (template) => expectMasked(template, PASSWORD));

  it('have a sentence of their own left alone', () => {
    const text = 'enable password change at next logon';
    expect(redact(text)).toBe(text);
  });
});

describe('tokens that no vendor rule knows are told by how they are made', () => {
  it.each(['acme_live_§', 'acme_test_sk_§', 'acme-pat-§'])('%s', (template) => expectMasked(template, LONG));

  it.each(['pk_live_§', 'acme_pub_key_§'])('what is published stays: %s', (template) => {
    const text = filled(template, MIXED.repeat(2));
    expect(redact(text)).toBe(text);
  });

  it.each([
    'ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx',
    'sk_live_xxxxxxxxxxxxxxxxxxxxxxxx',
    'prod-token-exchange-service-v2',
  ])('a form or a name stays: %s', (text) => expect(redact(text)).toBe(text));
});

describe('what people write', () => {
  it.each([
    '§ is the new root password',
    'enter § when asked for the password',
    '**Password:** §',
    "what's the db password? a: §",
    'the pw of db1 went from § to something else',
    '§가 새 비밀번호예요',
    '비밀번호를 알려드립니다: §',
    '초기비밀번호(§)로 로그인',
    '비번은요 §',
    '비밀번호→§',
    '토큰값: §',
    'WiFi密码§',
    '密码已改为§',
    '§がパスワードです',
    'Das Kennwort lautet §',
    '§ <- new wiki admin password',
    "'§' - that's the root password",
    '§ (배포 계정 패스워드)',
    '`§` 이게 운영 DB 비밀번호니까',
    'ログインに「§」というパスワードを使う',
    '§ 这是生产库的密码',
    'Password for the elastic user (just reset):\n  §',
    'your initial password for the portal is:\n\n    §\n\nRegards',
    '仮パスワードは以下のとおりです。\n\n§\n',
    "Q: what's the sudo password on the build agent?\nA: §",
    '공용 노트북 비번 아는 분?\n이도윤: §',
    'VPN密码谁知道？\n小陈：§',
    'password는 §이고 포트는 3307이에요',
    'api key는 §를 쓰고 있어요',
    '这个token是§，你先用着',
    'VPN 공유키(PSK)는 § 입니다',
    '管理员密码改成了§',
    '预发环境密码统一为§，负责人小赵',
    'API 金鑰：§',
    '临时密码【§】，24小时内有效',
    'Password is still "§"',
    'Root password set to: §',
    'password: old§1 -> §',
    '| 이름 | 토큰 |\n|---|---|\n| 알림봇 | § |',
    'NAME    PASSWORD\nalice   §\n',
    'пароль: §',
  ])('%s', (template) => expectMasked(template, ['plum72', 'river'].join('')));

  it.each([
    'we use argon2id for passwords, and SHA256 is the token type',
    'secret "db-credentials-v2" not found',
    'v2 was the last secret version',
    '비밀번호는 OAuth2 서버에서 관리',
    '암호화 방식은 AES256입니다',
    '-----BEGIN PRIVATE KEY-----\n<your key here>\n-----END PRIVATE KEY-----',
    '[REDACTED:SECRET] is the password',
    '고객님의 비밀번호가 2026년 6월 4일 변경되었습니다',
    'the token of build 2.4.1+git5 is in commit c0d436986ad5285f',
    'reset the password of otter@db1, see issue#4821 and lodash@4.17.21',
    'https://shop.example/reset-password?step=2&lang=en',
    'password123 is the most common password',
    '"jsonwebtoken": "~9.0.2", "tokenx": "workspace:*"',
    'token -> Oauth2TokenFilter -> SessionKeyResolver3 -> Controller',
    'token service moved from auth-02.example.org to auth-05.example.org',
    '--- PASS: TestTokenBucket/refills_100_per_second (0.02s)',
    'SEC-POL-007 is the password policy; STD-114 is the token standard.',
    'password_hash -> pw_hash2, token_id -> session_id',
    '비밀번호는 PasswordEncoderV2 클래스에서 처리합니다',
    '토큰은 GITLAB_CI_TOKEN2에서 읽습니다',
    'user\npassword\naddress1\nphone2nd',
    'secrets:\n  - my-secret-2024\n  - otter-tls-v2',
    'tokens:\n  strategy2024:\n    on: true',
    'How many tokens? 4096. How many password resets? 1234',
    "$password = $request->input('password');",
    'db.password=@db.password@',
    'Sec-WebSocket-Key: a1B2c3D4e5F6a1B2c3D4e5F6',
  ])('stays when it is prose: %s', (text) => expect(redact(text)).toBe(text));
});

describe('codes', () => {
  it.each(['backup codes: §, §', '보안코드 § 확인', '{"otp":"§"}', '{"pin":§}'])('%s', (template) =>
    expectMasked(template, ['5263', '8661'].join('')),
  );

  it.each([
    'the 2FA code I just got is §, be quick',
    "just got the 2FA code, it's §, hurry",
    'Security code\n\n§\n\nEnter this code',
    '{"otp_code":"§","ttl":180}',
    '인증번호 § 를 입력하세요',
    'OTP 번호: §, 빨리 넣어주세요',
    '§ 은(는) 귀하의 로그인 인증번호입니다',
    '您的驗證碼為 §，請於三分鐘內輸入',
    '認証番号、§って書いてある',
    'alarm PIN changed from 7823 to §',
    'SIM卡PIN码：§',
  ])('%s', (template) => expectMasked(template, ['52', '6386'].join('')));

  it('are no pins of a board', () => {
    const text = 'GPIO pin: 1024, pin = 13, pinMode(13, OUTPUT)';
    expect(redact(text)).toBe(text);
  });
});

describe('persons and places', () => {
  it('are masked in the forms that people write them in', () => {
    expect(redact(`ssn=${['457', '55', '5462'].join('')}`)).toBe('ssn=[REDACTED:US_SSN]');
    expect(redact(`iban=${['gb82', 'west', '1234', '5698', '7654', '32'].join('')}`)).toBe('iban=[REDACTED:IBAN]');
    expect(redact('range 192.168.1.10-192.168.1.99')).toBe('range [REDACTED:PRIVATE_IP]-[REDACTED:PRIVATE_IP]');
    expect(redact('10-244-7-85.default.pod.cluster.local')).toBe('[REDACTED:PRIVATE_IP].default.pod.cluster.local');
  });

  it('are masked in quotes, and behind another number', () => {
    expect(redact(`to: 'otter${'@'}example.org'`)).toBe("to: '[REDACTED:EMAIL]'");
    const card = ['4111', '1111', '1111', '1111'].join(' ');
    expect(redact(`order 12 ${card}`)).toBe('order 12 [REDACTED:CREDIT_CARD]');
  });

  it.each([
    'upgraded from 10.2.1.4 to 10.2.1.5',
    'section 10.1.2.3 of the handbook',
    'firmware: 10.2.3.4',
    '<Version>10.0.6.9</Version>',
    'Installing otter-sdk 10.8.89.0 (was 10.0.0.5)',
    'libotter4_10.7.3.7-1_amd64.deb',
    'requires plugin >= 10.3.1.2 and < 11',
    'tag release/10.7.2.9 pushed',
    'nvidia-driver 10.1.243.0 -> 10.2.89.5',
    '드라이버를 10.4.2.17 버전으로 올렸습니다',
    '客户端版本 10.5.1.3 已发布',
    'tracking 1234 5678 9012 3456',
  ])('and versions are not: %s', (text) => expect(redact(text)).toBe(text));

  it.each(['client 10.2.0.4 disconnected', 'installed on 10.2.0.4', '접속 10.2.0.4에서', 'otter@10.2.0.4'])(
    'but hosts are: %s',
    (text) => expect(redact(text)).not.toContain('10.2.0.4'),
  );
});

describe('private keys', () => {
  it.each([
    ['JSON web keys', `{"kty":"EC","x":"${HEX}","d":"§"}`],
    ['static keys of VPNs', '-----BEGIN OpenVPN Static key V1-----\n§\n-----END OpenVPN Static key V1-----'],
    ['SSH2', `---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\n§\n---- END SSH2 ENCRYPTED PRIVATE KEY ----`],
  ])('%s', (_name, template) => expectMasked(template, HEX.repeat(2)));

  it('keep their frame under a name, too', () => {
    const [begin, end] = ['BEGIN', 'END'].map((word) => `-----${word} PRIVATE${' KEY'}-----`);
    expect(redact(`"private_key":"${begin}\\n${LONG}\\n${end}\\n"`)).toBe(
      `"private_key":"${begin}\\n[REDACTED:PRIVATE_KEY]\\n${end}\\n"`,
    );
  });
});

describe('cookies and hashes', () => {
  it.each([
    '.example.org\tTRUE\t/\tTRUE\t1793000000\tsession\t§',
    '{"name":"Cookie","value":"_otter_session=§; theme=dark"}',
    '[{"domain":".example.org","name":"auth_session","value":"§","httpOnly":true}]',
    'pbkdf2_sha256$600000$salt§$§',
  ])('%s', (template) => expectMasked(template, LONG));
});

describe('phrases of words that were drawn', () => {
  const phrase = ['comet', 'biscuit', 'falcon', 'saffron'].join(' ');

  it.each([
    '{"passphrase":"§"}',
    "gpg --batch --passphrase '§' -d a.gpg",
    "CREATE USER otter IDENTIFIED BY '§'",
    'the passphrase on that key file is "§"',
  ])('%s', (template) => expectMasked(template, phrase));

  it.each(['{"password":"must have twelve characters"}', '{"password":"Invalid password reset link"}'])(
    'sentences stay: %s',
    (text) => expect(redact(text)).toBe(text),
  );
});

it('a table goes on behind a row that was masked before', () => {
  const text = `user,password\n[REDACTED:EMAIL],${ODD}\notter,${PASSWORD}\n[REDACTED:SECRET]\nseal,${ODD}\n`;
  expect(redact(text)).toBe(
    `user,password\n[REDACTED:EMAIL],${marker}\notter,${marker}\n[REDACTED:SECRET]\nseal,${marker}\n`,
  );
});

it('a table that is longer than a slice is masked to its end', async () => {
  const row = (name: number): string => `otter${name},${PASSWORD}${name},active`;
  const text = `name,password,state\n${Array.from({ length: 8_000 }, (_, name) => row(name)).join('\n')}\n`;
  expect(text.length).toBeGreaterThan(3 * POLICY_UNITS);
  const { content } = await new ContentRedactor(policy).redact(text, new RedactionBudget(60_000));
  expect(content).toBe(redact(text));
  expect(content).not.toContain(PASSWORD);
});

it('a table whose header lost a delimiter to a marker is no other table the second time', () => {
  const text = `密码:${ODD}| user | password |\n|---|---|\n| otter | ${PASSWORD} |`;
  const once = redact(text);
  expect(redact(once)).toBe(once);
});

it('a key at the end of one slice and its value in the next are seen together', async () => {
  for (const distance of [OVERLAP_UNITS, OVERLAP_UNITS / 2, 0]) {
    const before = 'line of nothing\n'.repeat(Math.ceil((POLICY_UNITS - distance) / 16));
    const text = `${before}비밀번호\uff1a\n  ${PASSWORD}\n${'line of nothing\n'.repeat(2_000)}`;
    const { content } = await new ContentRedactor(policy).redact(text, new RedactionBudget(60_000));
    expect(content).toBe(text.replace(PASSWORD, marker));
  }
});
