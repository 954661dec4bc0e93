import { ObservationId } from '../../../lib/domain/observation-id.js';
import { Observation, type ObservationInit } from '../../../lib/domain/observation.js';
import { PeerView } from '../../../lib/domain/peer-view.js';
import { Principal } from '../../../lib/domain/principal.js';
import { Workspace } from '../../../lib/domain/workspace.js';
import type { MemorySnapshot } from '../../../lib/spi/snapshot.js';

export const ops = Workspace.of({ id: 'ops' });
export const alice = PeerView.of(ops, Principal.user('alice', 'Alice'));
export const bob = PeerView.of(ops, Principal.user('bob'));
export const generatedAt = new Date('2026-03-01T09:30:00Z');

export function observationOf(content: string, change: Partial<ObservationInit> = {}): Observation {
  return Observation.of({
    id: ObservationId.generate('ops'),
    subject: alice,
    observer: alice,
    content,
    type: 'EXPLICIT',
    createdAt: generatedAt,
    confidence: 0.9,
    ...change,
  });
}

export function snapshotOf(renderedText: string, change: Partial<MemorySnapshot> = {}): MemorySnapshot {
  return {
    renderedText,
    resolvedScope: 'LOCAL',
    generatedAt,
    tokenCount: 10,
    tokenCountEstimated: true,
    truncated: false,
    observationsAvailable: true,
    confidenceAvailable: true,
    observations: [],
    ...change,
  };
}
