import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';
import { secretKeyKind } from '../secret-key.js';
import { isSecretValue } from '../secret-value.js';

const { STRUCTURE } = SPECIFICITY;

const isPassword = (secret: string): boolean =>
  /[\d!@#$%^&*+=~]/.test(secret) && isSecretValue(secret, 'password', 'assigned');
const VALUE = `\\\\{0,4}["'\`](?<secret>[^"'\`\\n\\\\]{4,256})\\\\{0,4}["'\`]`;

/** Secrets that are told by what they are given to: a call, a default, a neighbour. */
export const credentialCalls: readonly RedactionRule[] = [
  patternRule({
    name: 'user-and-password-call',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: [
      'auth=(',
      ...anyCase(
        'basicauth(',
        'credential(',
        'credentials(',
        'authentication(',
        'authenticationtoken(',
        'authenticator(',
        'login(',
        'logon(',
        'connect(',
        'connection(',
        'mysqli(',
        'pdo(',
      ),
    ],
    startsWithHint: true,
    pattern: new RegExp(
      `(?:auth=\\(|basicauth\\(|credentials?\\(|authentication(?:token)?\\(|authenticator\\(|log[io]n\\(|(?:connect(?:ion)?|mysqli|pdo)\\(\\s{0,32}\\\\{0,4}["'\`][^"'\`\\n\\\\]{1,256}\\\\{0,4}["'\`],)\\s{0,32}\\\\{0,4}["'\`][^"'\`\\n\\\\]{1,128}\\\\{0,4}["'\`],\\s{0,32}${VALUE}`,
      'gi',
    ),
    accept: isPassword,
    matches: 'requests.get(url, auth=("otter", "plum7river"))',
    ignores: 'auth=("otter", password), login("otter", "river")',
  }),
  // What a message or a web token is signed with.
  patternRule({
    name: 'signing-key-argument',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['jwt.', 'Jwt.', 'JWT.', 'createHmac(', 'hmac.new(', 'SecretKeySpec('],
    startsWithHint: true,
    pattern: new RegExp(
      `(?:jwt\\.(?:sign|encode|decode|verify)\\([^\\n()]{1,128}(?:\\([^\\n()]{0,64}\\))?[^\\n()"'\`]{0,64},[ \\t]{0,4}|createHmac\\([ \\t]{0,4}["'\`][\\w-]{2,16}["'\`],[ \\t]{0,4}|hmac\\.new\\([ \\t]{0,4}b?|SecretKeySpec\\([ \\t]{0,4})${VALUE}`,
      'gi',
    ),
    accept: (secret) => /\d/.test(secret) && isPassword(secret),
    matches: "jwt.sign(payload, 'plum7-otter-river')",
    ignores: "jwt.sign(payload, key), createHmac('sha256', secret), jwt.verify(token, 'public')",
  }),
  patternRule({
    name: 'secure-string',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['SecureString', 'secret set', 'secret create', 'secrets create', 'secrets set'],
    startsWithHint: true,
    pattern:
      /(?:SecureString|secrets? (?:set|create))[^\n]{0,240}?(?:--(?:value|body|secret)[ \t=]{1,4}|\\{0,16}["']Value\\{0,16}["'][ \t]{0,4}:[ \t]{0,4})\\{0,16}["']?(?<secret>[^\s"'\\]{4,1024})/g,
    accept: isPassword,
    matches: 'az keyvault secret set --vault-name tides --name db --value plum7river',
    ignores: 'gh secret set TIDES --body "$VALUE"',
  }),
  patternRule({
    name: 'sql-password-function',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['PASSWORD(', ...anyCase('pgp_sym_', 'aes_encrypt(', 'aes_decrypt(', 'crypt(', 'hmac(')],
    startsWithHint: true,
    pattern: new RegExp(
      `(?:PASSWORD\\(|(?:pgp_sym_(?:en|de)crypt|aes_(?:en|de)crypt|hmac)\\([^()\\n]{1,128}(?:\\([^()\\n]{0,64}\\)[^()\\n]{0,64})?,[ \\t]{0,4}|crypt\\()${VALUE}`,
      'gi',
    ),
    accept: isPassword,
    matches: "SET PASSWORD FOR otter = PASSWORD('plum7river')",
    ignores: "PASSWORD(?), pgp_sym_encrypt(name, :key), crypt(password, gen_salt('bf'))",
  }),
  patternRule({
    name: 'default-of-variable',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['variable "', 'variable \\"'],
    startsWithHint: true,
    pattern: new RegExp(
      `variable \\\\{0,4}"(?<name>[\\w-]{1,128})\\\\{0,4}"[ \\t]{0,4}\\{[^{}]{0,600}?default[ \\t]{0,16}=[ \\t]{0,16}${VALUE}`,
      'g',
    ),
    accept: (secret, match) => {
      const kind = secretKeyKind(match.groups?.['name'] ?? '');
      return kind !== undefined && isSecretValue(secret, kind, 'quoted');
    },
    matches: 'variable "db_password" {\n  type    = string\n  default = "plum7river"\n}',
    ignores: 'variable "db_password" {\n  type = string\n}\nvariable "name" {\n  default = "plum7river"\n}',
  }),
  patternRule({
    name: 'value-before-its-name',
    category: 'SECRET',
    specificity: STRUCTURE,
    hints: ['"value', "'value"],
    startsWithHint: true,
    pattern:
      /["']value\\{0,16}["'][ \t]{0,4}:[ \t]{0,4}\\{0,16}["'](?<secret>[^"'\n\\]{3,1024})\\{0,16}["'],\s{0,64}(?:\\{0,16}["'][\w-]{1,24}\\{0,16}["'][ \t]{0,4}:[ \t]{0,4}[\w"'.\\-]{1,48},\s{0,64}){0,2}\\{0,16}["'](?:name|key)\\{0,16}["'][ \t]{0,4}:[ \t]{0,4}\\{0,16}["'](?<name>[\w.-]{1,128})/g,
    accept: (secret, match) => {
      const kind = secretKeyKind(match.groups?.['name'] ?? '');
      return kind !== undefined && isSecretValue(secret, kind, 'quoted');
    },
    matches: '{"value":"plum7-otter","name":"DB_PASSWORD"}',
    ignores: '{"value":"plum7-otter","name":"DB_HOST"}',
  }),
];
