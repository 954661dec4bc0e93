import { Observation, ObservationId, type ObservationInit, PeerView, Principal, Workspace } from '@aimon/nestjs-memory';

export const ops = Workspace.of({ id: 'ops' });
export const alice = PeerView.of(ops, Principal.user('alice'));
export const bob = PeerView.of(ops, Principal.user('bob'));

/** An observation about Alice; the number makes its id and, a minute apart, its time. */
export function observation(number: number, change: Partial<ObservationInit> = {}): Observation {
  return Observation.of({
    id: ObservationId.of({ workspaceId: (change.subject ?? alice).workspace.id, localId: `o${number}` }),
    subject: alice,
    observer: change.subject ?? alice,
    content: `Fact ${number}.`,
    type: 'EXPLICIT',
    createdAt: new Date(Date.UTC(2026, 0, 1, 0, number)),
    confidence: 0.9,
    ...change,
  });
}
