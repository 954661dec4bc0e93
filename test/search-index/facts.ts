import { Observation, type ObservationInit } from '../../lib/domain/observation.js';
import { ObservationId } from '../../lib/domain/observation-id.js';
import { PeerView } from '../../lib/domain/peer-view.js';
import { Principal } from '../../lib/domain/principal.js';
import { formatStatement } from '../../lib/domain/statement.js';
import { Workspace } from '../../lib/domain/workspace.js';

export function peer(id: string, workspace = 'w'): PeerView {
  return PeerView.of(Workspace.of({ id: workspace }), Principal.user(id));
}

export const KIM = peer('kim');

/** A plain fact about Kim. */
export function fact(localId: string, content: string, init: Partial<ObservationInit> = {}): Observation {
  const subject = init.subject ?? KIM;
  return Observation.of({
    id: ObservationId.of({ workspaceId: subject.workspace.id, localId }),
    subject,
    observer: subject,
    content,
    type: 'EXPLICIT',
    createdAt: new Date('2025-01-01T00:00:00Z'),
    confidence: 0.9,
    ...init,
  });
}

/** A fact as the extractive deriver records it: with the front that names speaker and time. */
export function said(
  localId: string,
  statement: { speaker: string; at: string; text: string },
  init: Partial<ObservationInit> = {},
): Observation {
  const saidAt = new Date(statement.at);
  return fact(localId, formatStatement({ speaker: statement.speaker, saidAt, text: statement.text }), {
    occurredAt: saidAt,
    metadata: { speaker: statement.speaker, occurredAt: saidAt.toISOString(), deriver: 'extractive' },
    ...init,
  });
}
