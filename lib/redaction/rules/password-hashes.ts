import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

/** Hashes of passwords, as they stand in shadow files, htpasswd files and tables of users. */
export const passwordHashes: readonly RedactionRule[] = [
  patternRule({
    name: 'crypt-hash',
    category: 'SECRET',
    specificity: SPECIFICITY.STRUCTURE,
    hints: ['$'],
    startsWithHint: true,
    pattern:
      /(?<![A-Za-z0-9$])\$(?:[1-9]|y|NT|[PH](?=\$)|1c|2[abxy]|sha1|md5|apr1|scrypt|gy|argon2(?:id|i|d)|pbkdf2(?:-sha\d{1,3})?|bcrypt-sha256)\$[A-Za-z0-9./=,$+_-]{16,512}/g,
    matches: ['root:', '$6$saltsalt$', 'a1B2c3D4e5F6'.repeat(4)].join(''),
    ignores: 'costs $1 to $5, regex ^a$1$',
  }),
  patternRule({
    name: 'framework-hash',
    category: 'SECRET',
    specificity: SPECIFICITY.STRUCTURE,
    hints: [
      'userPassword::',
      'pbkdf2_sha',
      'bcrypt_sha',
      'argon2_sha',
      '{S',
      '{C',
      '{M',
      'scrypt:',
      'pbkdf2:',
      'SCRAM-SHA',
    ],
    startsWithHint: true,
    pattern:
      /(?:(?:(?:pbkdf2|bcrypt|argon2)_sha\d{1,3}\$|\{(?:SSHA(?:256|512)?|SHA|CRYPT|SMD5|MD5)\}|(?:scrypt|pbkdf2):[\w:]{1,32}\$|SCRAM-SHA-(?:1|256)\$)[A-Za-z0-9./=+:$]{16,512}|userPassword:: {1,4}(?<secret>[A-Za-z0-9./=+:$]{16,512}))/g,
    matches: `{SSHA}${'a1B2c3D4e5F6'.repeat(3)}`,
    ignores: '{SSHA} is a scheme',
  }),
  patternRule({
    name: 'portable-hash',
    category: 'SECRET',
    specificity: SPECIFICITY.STRUCTURE,
    hints: ['$P$', '$H$', '$krb5', '$DCC2$', '$sshng$'],
    startsWithHint: true,
    pattern:
      /(?<![A-Za-z0-9$])\$(?:[PH]\$[./A-Za-z0-9]{31}(?![./A-Za-z0-9])|(?:krb5(?:tgs|asrep|pa)|DCC2|sshng)\$[^\s"']{0,256}?\$?[a-f0-9]{16,4096}(?:\$[a-f0-9]{16,4096})?)/g,
    matches: `hash ${['$P', 'B'].join('$')}${'a1B2c3D4e5F6'.repeat(3).slice(0, 30)}`,
    ignores: '$P$ is phpass',
  }),
  patternRule({
    name: 'database-hash',
    category: 'SECRET',
    specificity: SPECIFICITY.STRUCTURE,
    hints: [
      { text: '*', confirm: /\*[0-9A-F]{40}/y },
      { text: 'md5', confirm: /md5[0-9a-f]{32}/y },
    ],
    startsWithHint: true,
    pattern:
      /(?:(?<=(?:mysql|password|authentication_string)[^\n*]{0,96})\*(?<secret>[0-9A-F]{40,128})|(?<![A-Za-z0-9_/-])md5[0-9a-f]{32}(?![0-9a-zA-Z.]))/gi,
    matches: `mysql.user otter *${'A1B2C3D4E5'.repeat(4)}`,
    ignores: 'mysql * 0A1B, md5 checksum',
  }),
  patternRule({
    name: 'account-database-hash',
    category: 'SECRET',
    specificity: SPECIFICITY.STRUCTURE,
    hints: [':::'],
    withinLines: true,
    pattern: /(?<=:\d{1,10}:)[0-9a-fA-F]{32}:[0-9a-fA-F]{32}(?=:::)/g,
    matches: `otter:1001:${'a1b2c3d4e5f6a7b8'.repeat(2)}:${'a1b2c3d4e5f6a7b8'.repeat(2)}:::`,
    ignores: 'a:1:b:::',
  }),
];
