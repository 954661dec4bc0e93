import type { ObservationId } from '../../domain/observation-id.js';
import type { Deriver } from '../../ports/deriver.js';
import { DERIVATION_FAILURES } from './derivation-failures.js';
import type { DerivationUnit, QueuedPiece } from './derivation-unit.js';

/** A piece of which nothing was derived this time. */
export interface FailedPiece {
  readonly piece: QueuedPiece;
  readonly reason: string;
  readonly cause: unknown;
}

/** A piece that is done, with what was derived from it. */
export interface DonePiece {
  readonly piece: QueuedPiece;
  readonly observationIds: readonly ObservationId[];
}

/** What became of a batch, piece by piece. */
export interface BatchResult {
  readonly done: readonly DonePiece[];
  readonly failed: readonly FailedPiece[];
}

/** Has a batch of one subject derived. Never rejects: what the deriver throws is the failure of every piece. */
export async function deriveBatch(
  deriver: Deriver,
  unit: DerivationUnit,
  batch: readonly QueuedPiece[],
  options: { readonly tokenBudget: number; readonly signal: AbortSignal },
): Promise<BatchResult> {
  const subject = batch[0]?.subject;
  if (subject === undefined) return { done: [], failed: [] };
  try {
    const result = await deriver.derive({
      workspace: subject.workspace,
      sessionId: unit.sessionId,
      subject,
      observer: unit.observer,
      messages: batch.map(({ message }) => message),
      ...options,
    });
    const failures = new Map(result.failures.map((failure) => [failure.messageId, failure]));
    const done: DonePiece[] = [];
    const failed: FailedPiece[] = [];
    for (const piece of batch) {
      const { id } = piece.message;
      const failure = failures.get(id);
      if (failure !== undefined) failed.push({ piece, reason: failure.reason, cause: failure.cause });
      else done.push({ piece, observationIds: (result.byMessage.get(id) ?? []).map((observation) => observation.id) });
    }
    return { done, failed };
  } catch (cause) {
    return {
      done: [],
      failed: batch.map((piece) => ({ piece, reason: DERIVATION_FAILURES.DEAD_LETTERED, cause })),
    };
  }
}
