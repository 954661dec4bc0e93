import fc from 'fast-check';
import { ObservationId, PeerView, Principal, Workspace } from '@aimon/nestjs-memory';
import { HOSTILE_IDENTITIES, identity, peer } from '../support/arbitraries.js';

const samePeer = (a: PeerView, b: PeerView): boolean =>
  a.workspace.id === b.workspace.id && a.principal.type === b.principal.type && a.principal.id === b.principal.id;

describe('a peer key', () => {
  it('is shared by no two different peers, whatever their ids hold', () => {
    fc.assert(
      fc.property(peer, peer, (a, b) => (a.key() === b.key()) === samePeer(a, b)),
      { numRuns: 2000 },
    );
  });

  it('is another one for each of 256 hostile ids, as workspace and as principal', () => {
    expect(new Set(HOSTILE_IDENTITIES).size).toBe(256);
    const keys = new Set<string>();
    for (const workspaceId of HOSTILE_IDENTITIES) {
      for (const id of HOSTILE_IDENTITIES)
        keys.add(PeerView.of(Workspace.of({ id: workspaceId }), Principal.user(id)).key());
    }
    expect(keys.size).toBe(256 * 256);
  });

  it('keeps apart a workspace and an id that would read the same when joined', () => {
    const one = PeerView.of(Workspace.of({ id: 'a' }), Principal.user('b:USER:c'));
    const other = PeerView.of(Workspace.of({ id: 'a:USER:b' }), Principal.user('c'));
    expect(one.key()).not.toBe(other.key());
  });

  it('does not depend on the display name', () => {
    const ops = Workspace.of({ id: 'ops' });
    expect(PeerView.of(ops, Principal.user('kim', 'Kim')).key()).toBe(PeerView.of(ops, Principal.user('kim')).key());
  });
});

describe('an observation id', () => {
  const localId = fc.string({ minLength: 1, maxLength: 64, unit: fc.constantFrom(...'ABCxyz019_-') });

  it('is read back from its text, whatever its workspace is called', () => {
    fc.assert(
      fc.property(identity, localId, (workspaceId, local) => {
        const id = ObservationId.of({ workspaceId, localId: local });
        return ObservationId.parse(id.toString()).equals(id);
      }),
    );
  });

  it('has a text of its own', () => {
    fc.assert(
      fc.property(identity, localId, identity, localId, (w1, l1, w2, l2) => {
        const [a, b] = [
          ObservationId.of({ workspaceId: w1, localId: l1 }),
          ObservationId.of({ workspaceId: w2, localId: l2 }),
        ];
        return (a.toString() === b.toString()) === (w1 === w2 && l1 === l2);
      }),
    );
  });

  it('refuses a text that it never writes', () => {
    for (const text of ['', 'a', 'a:b:c', 'a%:b', 'a%2:b', 'a:b/c', 'a:']) {
      expect(() => ObservationId.parse(text)).toThrow('ObservationId.');
    }
  });
});

describe('an id of a workspace or a principal', () => {
  const refused: readonly (readonly [string, unknown, string])[] = [
    [
      'nothing',
      '',
      'Principal.id is empty; it takes 1 to 256 characters, no control characters and not only white space.',
    ],
    ['white space', ' \u3000', 'Principal.id is " \u3000", which is only white space;'],
    ['257 characters', 'x'.repeat(257), 'Principal.id is 257 characters long;'],
    ['a line break', 'a\nb', 'Principal.id is "a\\nb", which holds a control character;'],
    ['NUL', 'a\u0000', 'which holds a control character;'],
    ['a number', 7, 'Principal.id is 7;'],
  ];

  it.each(refused)('is refused when it is %s', (_, id, message) => {
    expect(() => Principal.user(id as string)).toThrow(message);
  });

  it('is taken as it is, not trimmed and not normalised', () => {
    expect(Principal.user(' é ').id).toBe(' é ');
    const ops = Workspace.of({ id: 'ops' });
    expect(PeerView.of(ops, Principal.user('é')).equals(PeerView.of(ops, Principal.user('e\u0301')))).toBe(false);
  });
});
