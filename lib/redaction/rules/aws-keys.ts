import { anyCase } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

const { CREDENTIAL } = SPECIFICITY;

/** Access keys of AWS: the id (four letters that say which kind, then base 32) and the secret that belongs to it. */
export const awsKeys: readonly RedactionRule[] = [
  patternRule({
    name: 'aws-access-key-id',
    category: 'AWS_KEY',
    specificity: CREDENTIAL,
    hints: ['AKIA', 'ASIA', 'ABIA', 'ACCA'],
    startsWithHint: true,
    pattern: /(?<![A-Za-z0-9])(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])/g,
    matches: `key ${['AK', 'IA', 'Q3EGZ7XWLMN4RT2B'].join('')} is old`,
    ignores: 'AKIA is the prefix, arn:aws:iam::123456789012:role/ops',
  }),
  patternRule({
    name: 'aws-secret-access-key',
    category: 'AWS_KEY',
    specificity: CREDENTIAL,
    hints: anyCase('secret'),
    startsWithHint: true,
    pattern:
      /secret[_.-]?(?:access)?[_.-]?key(?:\\{0,16}["'])?[ \t]{0,16}(?:[:=]>?|[ \t])[ \t]{0,16}(?:\\{0,16}["'])?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/gi,
    matches: `aws_secret_access_key = ${['w9Kx2Lm4Np6Qr8St0Uv1', 'Wx3Yz5Ab7Cd9Ef1Gh3Ij'].join('')}`,
    ignores: 'secret_access_key = ${AWS_SECRET_ACCESS_KEY}',
  }),
  // In a table, a call or a sentence the secret follows its id, and no name says what it is.
  patternRule({
    name: 'aws-secret-beside-its-id',
    category: 'AWS_KEY',
    specificity: CREDENTIAL,
    hints: ['AKIA', 'ASIA'],
    startsWithHint: true,
    pattern:
      /(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])[^]{1,96}?(?<![A-Za-z0-9/+=])(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/g,
    accept: (secret) =>
      /\d/.test(secret) && /[a-z]/.test(secret) && /[A-Z]/.test(secret) && !/\/[a-z]{4,32}\//.test(secret),
    matches: `${['AK', 'IA', 'Q3EGZ7XWLMN4RT2B'].join('')},${['w9Kx2Lm4Np6Qr8St0Uv1', 'Wx3Yz5Ab7Cd9Ef1Gh3Ij'].join('')}`,
    ignores: 'AKIA is followed by sixteen, and a commit by c0d436986ad5285fbcad26d60f0f7149175e9091',
  }),
];
