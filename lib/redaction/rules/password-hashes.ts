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
      /(?<![A-Za-z0-9$])\$(?:[156y7]|2[abxy]|sha1|md5|apr1|scrypt|gy|argon2(?:id|i|d)|pbkdf2(?:-sha\d{1,3})?|bcrypt-sha256)\$[A-Za-z0-9./=,$+_-]{16,512}/g,
    matches: ['root:', '$6$saltsalt$', 'a1B2c3D4e5F6'.repeat(4)].join(''),
    ignores: 'costs $1 to $5, regex ^a$1$',
  }),
  patternRule({
    name: 'framework-hash',
    category: 'SECRET',
    specificity: SPECIFICITY.STRUCTURE,
    hints: ['pbkdf2_sha', 'bcrypt_sha', 'argon2_sha', '{S', '{C', '{M', 'scrypt:', 'pbkdf2:', 'SCRAM-SHA'],
    startsWithHint: true,
    pattern:
      /(?:(?:pbkdf2|bcrypt|argon2)_sha\d{1,3}\$|\{(?:SSHA(?:256|512)?|SHA|CRYPT|SMD5|MD5)\}|(?:scrypt|pbkdf2):[\w:]{1,32}\$|SCRAM-SHA-(?:1|256)\$)(?<secret>[A-Za-z0-9./=+:$]{16,512})/g,
    matches: `{SSHA}${'a1B2c3D4e5F6'.repeat(3)}`,
    ignores: '{SSHA} is a scheme',
  }),
];
