import fc from 'fast-check';
import { PeerView, Principal, Workspace } from '@aimon/nestjs-memory';

/** Characters that separate, escape, quote, end lines of other systems, look alike, join or disappear. */
const HOSTILE = [
  ...':/%\\\'"`|,;*?_-.~!@#$^&()[]{}<>+= ',
  ...[
    '%3A',
    '%25',
    '..',
    '__proto__',
    'constructor',
    'toString',
    'USER',
    'GLOBAL',
    'null',
    'undefined',
    '\u00a0',
    '\u200b',
    '\u202e',
    '\ufeff',
  ],
  ...[
    'é',
    'e\u0301',
    'ａ',
    'а',
    'ß',
    'ẞ',
    'İ',
    'ı',
    '가',
    '\u1100\u1161',
    '서버',
    '漢',
    '🙂',
    '👩‍👩‍👧',
    '\ud800',
    '\udc00',
    'K',
    'K',
  ],
];

/** Ids as hostile as they may be: 1 to 256 UTF-16 units of anything but control characters, not only white space. */
export const identity: fc.Arbitrary<string> = fc
  .oneof(
    fc.array(fc.constantFrom(...HOSTILE, 'a', 'b', 'A'), { minLength: 1, maxLength: 8 }).map((parts) => parts.join('')),
    fc.string({ minLength: 1, maxLength: 12, unit: 'binary' }),
    fc.constantFrom('x'.repeat(256), '%'.repeat(256), '__proto__', 'constructor', 'hasOwnProperty'),
  )
  // eslint-disable-next-line no-control-regex -- what an id may not hold
  .filter((text) => text.length <= 256 && text.trim() !== '' && !/[\u0000-\u001f\u007f-\u009f]/.test(text));

export const principal: fc.Arbitrary<Principal> = fc
  .tuple(fc.constantFrom('USER', 'SYSTEM', 'SERVICE', 'GROUP'), identity)
  .map(([type, id]) => Principal.of({ type: type, id }));

export const peer: fc.Arbitrary<PeerView> = fc
  .tuple(identity, principal)
  .map(([workspaceId, who]) => PeerView.of(Workspace.of({ id: workspaceId }), who));

/** 256 hostile identifiers, each another one. */
export const HOSTILE_IDENTITIES: readonly string[] = fc
  .sample(fc.uniqueArray(identity, { minLength: 256, maxLength: 256, size: 'max' }), { numRuns: 1, seed: 20 })
  .flat();
