import type { RedactionExample } from '../../../lib/testkit/index.js';

// Secrets are put together from parts, so that no file holds one that a scanner would take for live.
const join = (...parts: readonly string[]): string => parts.join('');

const example = (category: string, before: string, secret: string, after = ''): RedactionExample => ({
  category,
  text: `${before}${secret}${after}`,
  secret,
});

/** Secrets of every category of the default policy. */
export const POLICY_EXAMPLES: readonly RedactionExample[] = [
  example('SECRET', 'password=', join('Wint', 'er!Harbour-4471')),
  example('SECRET', '비밀번호는 ', join('Wint', 'er!Harbour-4471'), '입니다.'),
  example('SECRET', 'Authorization: Bearer ', join('s', 'k', '_test_', '4eC39HqLyjWDarjtT1zdp7dc')),
  example('EMAIL', 'Ask ', join('kim', '@', 'example.com'), ' about it.'),
  example('AWS_KEY', 'It is ', join('AK', 'IA', 'Q3EGRZ7XK2LMNP5T'), ' in the old account.'),
  example('CREDIT_CARD', 'Card: ', join('4539', ' 1488', ' 0343', ' 6467'), ', expires in May.'),
  example('IBAN', 'Pay to ', join('DE89', ' 3704 0044', ' 0532 0130 00'), '.'),
  example(
    'JWT',
    'Cookie ',
    join('eyJhbGciOiJIUzI1NiJ9', '.eyJzdWIiOiIxMjM0NTY3ODkwIn0', '.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U'),
  ),
  example('KR_RRN', '주민등록번호: ', join('900101', '-', '1234568')),
  example('US_SSN', 'SSN ', join('219', '-09-', '9999')),
  example(
    'PRIVATE_KEY',
    '',
    join('-----BEGIN ', 'PRIVATE KEY-----\n', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n', '-----END ', 'PRIVATE KEY-----'),
  ),
];
