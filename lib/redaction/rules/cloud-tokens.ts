import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';
import { vendorToken } from './vendor-token.js';

/** Keys of clouds other than AWS, and of what is rented there. */
export const cloudTokens: readonly RedactionRule[] = [
  vendorToken({
    name: 'google-api-key',
    prefixes: ['AIza'],
    body: '[A-Za-z0-9_-]{35}',
    sample: 'a1B2c3D4e5F6'.repeat(3).slice(1),
    ignores: 'AIza is how they start',
  }),
  vendorToken({
    name: 'google-oauth',
    prefixes: ['GOCSPX-', 'ya29.', '1//0'],
    body: '[A-Za-z0-9_-]{24,512}',
    sample: 'a1B2c3D4e5F6'.repeat(3),
    ignores: 'ya29.something, 1//0',
  }),
  patternRule({
    name: 'google-private-key-id',
    category: 'SECRET',
    specificity: SPECIFICITY.STRUCTURE,
    hints: ['private_key_id'],
    pattern: /private_key_id\\{0,16}["']?[ \t]{0,8}[:=][ \t]{0,8}\\{0,16}["']?(?<secret>[a-f0-9]{40})(?![a-f0-9])/g,
    matches: `"private_key_id": "${'a1b2c3d4e5'.repeat(4)}"`,
    ignores: '"private_key_id": null',
  }),
  patternRule({
    name: 'azure-client-secret',
    category: 'SECRET',
    specificity: SPECIFICITY.VENDOR,
    hints: ['Q~'],
    pattern: /(?<![A-Za-z0-9_.~-])[A-Za-z0-9_.~-]{3}\dQ~[A-Za-z0-9_.~-]{31,34}(?![A-Za-z0-9_.~-])/g,
    matches: `secret ${['a1B', '8Q~', 'a1B2c3D4e5F6'.repeat(3).slice(2)].join('')}`,
    ignores: 'Q~ alone',
  }),
  patternRule({
    name: 'azure-shared-access-signature',
    category: 'SECRET',
    specificity: SPECIFICITY.STRUCTURE,
    hints: ['sig=', 'AccountKey=', 'SharedAccess'],
    pattern:
      /(?<![A-Za-z])(?:sig|AccountKey|SharedAccessKey|SharedAccessSignature)=(?<secret>[A-Za-z0-9%+/_-]{20,512}={0,2}(?:%3D){0,2})/g,
    accept: (secret) => /\d/.test(secret),
    matches: `AccountName=tides;AccountKey=${'a1B2c3D4e5F6'.repeat(4)}==;`,
    ignores: 'AccountKey=${KEY};sig=ok',
  }),
  vendorToken({
    name: 'cloud-vendor-token',
    prefixes: [
      'dop_v1_',
      'doo_v1_',
      'dor_v1_',
      'hvs.',
      'hvb.',
      'hvr.',
      'HRKU-',
      'FlyV1 fm2_',
      'LTAI',
      'pscale_tkn_',
      'pscale_pw_',
      'scw_',
      'cfut_',
    ],
    body: '[A-Za-z0-9_.=-]{16,512}',
    sample: 'a1B2c3D4e5F6'.repeat(4),
    ignores: 'hvs.example, LTAI',
  }),
  vendorToken({
    name: 'vault-legacy-token',
    prefixes: ['s.', 'b.'],
    body: '(?=[A-Za-z]{0,24}[0-9])(?=[a-z0-9]{0,24}[A-Z])[A-Za-z0-9]{24}',
    notAfter: 'A-Za-z0-9_.$/)\\]-',
    sample: 'a1B2c3D4e5F6'.repeat(2),
    ignores: 'this.s.toString, s.length',
  }),
];
