/**
 * How much of what answers a question is among what SEARCH finds, on conversations whose questions name their evidence.
 * The turns go the way that an application's messages go: ingested, derived, searched.
 */
import { BenchError } from './bench-error.mjs';
import { readConversations } from './conversations.mjs';
import { measureRetrieval } from './measure-retrieval.mjs';
import { readData, readOptions } from './retrieval-options.mjs';
import { retrievalTable } from './retrieval-table.mjs';

const WORKSPACE_ID = 'bench';

async function main() {
  const options = readOptions(process.argv.slice(2));
  const conversations = readConversations(readData(options.data));
  // After the data, so that a fault in it is told at once.
  await import('reflect-metadata');
  const { NestFactory } = await import('@nestjs/core');
  const { IngestOutcomes, MemoryModule, PEER_MEMORY, PeerView, Principal, Workspace } =
    await import('@aimon/nestjs-memory');
  const application = await NestFactory.createApplicationContext(
    MemoryModule.forRoot({
      backend: 'in-memory',
      workspaceId: WORKSPACE_ID,
      peerId: 'bench',
      peerType: 'GROUP',
      deriver: 'extractive',
      ingest: 'execution-end',
      env: {},
    }),
    { logger: ['error', 'fatal'], abortOnError: false },
  );
  try {
    const workspace = Workspace.of({ id: WORKSPACE_ID });
    const outcomes = application.get(IngestOutcomes);
    const memory = {
      peerMemory: application.get(PEER_MEMORY),
      peerOf: (id) => PeerView.of(workspace, Principal.group(id)),
      onOutcome: (listener) => outcomes.onOutcome(listener),
      settled: () => outcomes.settled(),
    };
    const progress = (line) => process.stderr.write(`${line}\n`);
    const result = await measureRetrieval(memory, conversations, { onePeer: options.onePeer, progress });
    process.stdout.write(`${options.json ? JSON.stringify(result) : retrievalTable(result)}\n`);
  } finally {
    await application.close();
  }
}

try {
  await main();
} catch (error) {
  // A fault of the input needs no stack; one of ours does.
  process.stderr.write(`${error instanceof BenchError ? error.message : error.stack}\n`);
  process.exitCode = 1;
}
