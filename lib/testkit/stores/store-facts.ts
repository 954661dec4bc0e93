import { ObservationId } from '../../domain/observation-id.js';
import { Observation, type ObservationInit } from '../../domain/observation.js';
import { PeerView } from '../../domain/peer-view.js';
import { Principal } from '../../domain/principal.js';
import { Workspace } from '../../domain/workspace.js';
import type { Page } from '../../ports/observation-store.js';

export const OPS = Workspace.of({ id: 'ops' });
export const MINA = peerOf('mina');
export const LEE = peerOf('lee');

export function peerOf(id: string, workspaceId = 'ops'): PeerView {
  return PeerView.of(Workspace.of({ id: workspaceId }), Principal.user(id));
}

export const idOf = (number: number | string, workspaceId = 'ops'): ObservationId =>
  ObservationId.of({ workspaceId, localId: `o${number}` });

/** An observation whose number makes its id and, a minute apart, its time; about Mina where nothing else is said. */
export function observed(number: number, change: Partial<ObservationInit> = {}): Observation {
  const { subject = MINA } = change;
  return Observation.of({
    id: idOf(number, subject.workspace.id),
    ...{ subject, observer: subject },
    content: `Fact number f${number}.`,
    type: 'EXPLICIT',
    createdAt: minute(number),
    confidence: 0.9,
    ...change,
  });
}

export const minute = (number: number): Date => new Date(Date.UTC(2026, 0, 1, 0, number));

/** The numbers that {@link observed} made ids of. */
export const numbersOf = (observations: readonly Observation[]): number[] =>
  observations.map(({ id }) => Number(id.localId.slice(1)));

/** All pages, one after the other, each of at most `limit`. */
export async function allPages<T>(
  limit: number,
  pageAt: (page: { readonly limit: number; readonly cursor?: string }) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 1000; pages++) {
    const page = await pageAt(cursor === undefined ? { limit } : { limit, cursor });
    if (page.items.length > limit) throw new Error(`A page of at most ${limit} holds ${page.items.length}.`);
    all.push(...page.items);
    cursor = page.cursor;
    if (cursor === undefined) return all;
  }
  throw new Error(`Pages of ${limit} do not come to an end.`);
}
