import type { IngestOutcomes } from '../agent/ingest/ingest-outcomes.js';
import { OutcomeRecordingIngestor } from '../agent/ingest/outcome-recording-ingestor.js';
import type { PeerMemory } from '../spi/peer-memory.js';

/** `delegate`, with an ingestor that sees to it that every message ends with an outcome. */
export function withRecordedOutcomes(delegate: PeerMemory, outcomes: IngestOutcomes, reports: boolean): PeerMemory {
  const { backendId, snapshotReader, searcher, dialecticEngine, observationRecorder, ingestor, ping, close } = delegate;
  return {
    ...{ backendId, snapshotReader, searcher, dialecticEngine, observationRecorder },
    ingestor: ingestor == null ? undefined : new OutcomeRecordingIngestor({ delegate: ingestor, outcomes, reports }),
    ping: ping === undefined ? undefined : (signal) => ping.call(delegate, signal),
    close: close === undefined ? undefined : () => close.call(delegate),
  };
}
