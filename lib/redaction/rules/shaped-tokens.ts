import { anyCase, type Hint } from '../hint-index.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../redaction-rule.js';

/** A rule for a token that is told by its shape as a whole, not by how it begins. */
function shapedToken(init: {
  readonly name: string;
  readonly hints: readonly (string | Hint)[];
  /** The source of an expression. */
  readonly shape: string;
  /** Default: letters, digits and what tokens are joined with. */
  readonly notBeside?: string;
  readonly category?: string;
  readonly sample: string;
  readonly ignores: string;
}): RedactionRule {
  const { name, hints, shape, notBeside = 'A-Za-z0-9_-', category = 'SECRET', sample, ignores } = init;
  return patternRule({
    name,
    category,
    specificity: SPECIFICITY.VENDOR,
    hints,
    withinLines: true,
    pattern: new RegExp(`(?<![${notBeside}])${shape}(?![${notBeside}])`, 'g'),
    matches: `found ${sample} in a log`,
    ignores,
  });
}

const HEX = 'a1b2c3d4e5f6a7b8';
const MIXED = 'a1B2c3D4e5F6';

/** Tokens whose parts have a form of their own and stand in a certain order. */
export const shapedTokens: readonly RedactionRule[] = [
  shapedToken({
    name: 'paypal-access-token',
    hints: ['access_token$'],
    shape: 'access_token\\$(?:production|sandbox)\\$[a-z0-9]{16}\\$[a-f0-9]{32}',
    sample: ['access_token', 'production', HEX, HEX + HEX].join('$'),
    ignores: 'access_token$production$',
  }),
  shapedToken({
    name: 'flutterwave-key',
    hints: ['FLWSECK'],
    shape: 'FLWSECK(?:_TEST)?-[a-zA-Z0-9]{12,64}-X',
    sample: ['FLWSECK', HEX + HEX, 'X'].join('-'),
    ignores: 'FLWSECK-X',
  }),
  shapedToken({
    name: 'adyen-key',
    hints: ['AQE'],
    shape: 'AQE[A-Za-z0-9+/]{80,512}={0,2}-[A-Za-z0-9+/]{20,64}={0,2}-[A-Za-z0-9+/!-~]{8,24}',
    sample: `AQE${MIXED.repeat(8)}-${MIXED.repeat(4)}=-${MIXED}`,
    ignores: 'AQEB-1-2',
  }),
  shapedToken({
    name: 'paddle-key',
    hints: ['pdl_'],
    shape: 'pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}',
    sample: ['pdl', 'live', 'apikey', HEX + 'a1b2c3d4e5', (MIXED + MIXED).slice(0, 22), 'a1B'].join('_'),
    ignores: 'pdl_live_apikey_',
  }),
  shapedToken({
    name: 'mail-service-key',
    hints: [{ text: '-us', confirm: /-us\d{1,2}(?![A-Za-z0-9_-])/y }],
    shape: '[a-f0-9]{32}-us\\d{1,2}',
    sample: `${HEX}${HEX}-us12`,
    ignores: 'trace a1b2-us12, us-east-1',
  }),
  shapedToken({
    name: 'mail-domain-key',
    hints: anyCase('mailgun'),
    shape: '[a-f0-9]{32}-[a-f0-9]{8}-[a-f0-9]{8}',
    sample: `mailgun ${[HEX + HEX, HEX.slice(0, 8), HEX.slice(8)].join('-')}`,
    ignores: 'a1b2c3d4-a1b2c3d4-a1b2c3d4',
  }),
  shapedToken({
    name: 'new-relic-license-key',
    hints: ['NRAL'],
    shape: '(?:eu01xx)?[a-f0-9]{28,36}(?:FFFF)?NRAL',
    sample: [`${HEX}${HEX}a1b2`, 'FFFF', 'NRAL'].join(''),
    ignores: 'NRAL is the suffix',
  }),
  shapedToken({
    name: 'airtable-token',
    hints: ['pat'].map((text) => ({ text, confirm: /pat[A-Za-z0-9]{14}\./y })),
    shape: 'pat[A-Za-z0-9]{14}\\.[a-f0-9]{64}',
    sample: `pat${MIXED}a1.${HEX.repeat(4)}`,
    ignores: 'patternMatchingXY.test',
  }),
  shapedToken({
    name: 'asana-token',
    hints: [...'123456789'].flatMap((digit) =>
      ['1/', '2/'].map((start) => ({ text: start + digit, confirm: /[12]\/\d{13}/y })),
    ),
    shape: '[12]/\\d{13,18}(?:/\\d{13,18})?:[a-f0-9]{32}',
    notBeside: 'A-Za-z0-9_/-',
    sample: `1/${'1234567890123456'}:${HEX}${HEX}`,
    ignores: '1/2 of 3, 2/1234567890123456',
  }),
  shapedToken({
    name: 'one-password-secret-key',
    hints: ['A3-'],
    shape: 'A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}',
    sample: ['A3', 'ABC123', 'ABCDE123456', 'ABC12', 'DEF34', 'GHI56'].join('-'),
    ignores: 'sheet A3-LANDSCAPE',
  }),
  shapedToken({
    name: 'harness-token',
    hints: ['pat.', 'sat.'],
    shape: '[ps]at\\.[A-Za-z0-9_-]{22}\\.[a-f0-9]{24}\\.[A-Za-z0-9]{20}',
    sample: ['pat', (MIXED + MIXED).slice(0, 22), HEX + 'a1b2c3d4', (MIXED + MIXED).slice(0, 20)].join('.'),
    ignores: 'pat.test(value), sat.4.5',
  }),
  shapedToken({
    name: 'graph-api-token',
    hints: ['EAA'],
    shape: 'EAA[A-Za-z0-9]{60,400}',
    sample: `EAA${MIXED.repeat(8)}`,
    ignores: 'EAA region',
  }),
  shapedToken({
    name: 'padded-bearer-token',
    hints: ['AAAAAAAAAAAAAAAAAAAA'],
    shape: 'A{18,24}[A-Za-z0-9%]{60,160}',
    notBeside: 'A-Za-z0-9+/_-',
    sample: `${'A'.repeat(21)}${MIXED.repeat(6)}`,
    ignores: 'AAAAAAAAAAAAAAAAAAAAAAAA',
  }),
  shapedToken({
    name: 'encoded-tok-token',
    hints: ['dG9rO'],
    shape: 'dG9rO[A-Za-z0-9+/]{40,80}={0,2}',
    notBeside: 'A-Za-z0-9+/_-',
    sample: `dG9rO${MIXED.repeat(4)}=`,
    ignores: 'dG9rO is how it starts',
  }),
  shapedToken({
    name: 'paseto',
    category: 'JWT',
    hints: ['.local.', '.public.'],
    shape: 'v[1-4]\\.(?:local|public)\\.[A-Za-z0-9_-]{40,4096}(?:\\.[A-Za-z0-9_-]{1,512})?',
    sample: `v4.local.${MIXED.repeat(6)}`,
    ignores: 'v2.local.example, printer.local.',
  }),
];
