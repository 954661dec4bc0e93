import {
  DefaultRedactionPolicy,
  GuardedPeerMemory,
  IngestOutcomes,
  type MemoryCapability,
  PEER_MEMORY,
  type PeerMemory,
  RedactingPeerMemory,
} from '../../lib/index.js';
import { describePeerMemoryContract, type PeerMemoryToTest } from '../../lib/testkit/index.js';

import { boot } from '../support/boot.js';
import { inMemory } from './support/in-memory.js';

const ALL: readonly MemoryCapability[] = ['SNAPSHOT', 'SEARCH', 'CHAT', 'OBSERVE', 'INGEST'];

const around = (made: PeerMemoryToTest, wrap: (backend: PeerMemory) => PeerMemory): PeerMemoryToTest => ({
  ...made,
  backend: wrap(made.backend),
});
const redacted = (backend: PeerMemory): PeerMemory => new RedactingPeerMemory(backend, new DefaultRedactionPolicy());

describePeerMemoryContract('the in-memory backend, bare', {
  expects: ALL,
  seedsSnapshots: true,
  makeBackend: () => inMemory(),
});

describePeerMemoryContract('the in-memory backend, guarded', {
  expects: ALL,
  seedsSnapshots: true,
  makeBackend: () => around(inMemory(), (backend) => new GuardedPeerMemory(backend)),
});

describePeerMemoryContract('the in-memory backend, redacted and guarded', {
  expects: ALL,
  seedsSnapshots: true,
  makeBackend: () => around(inMemory(), (backend) => new GuardedPeerMemory(redacted(backend))),
});

describePeerMemoryContract('the in-memory backend of a Nest application', {
  expects: ['SNAPSHOT', 'SEARCH', 'OBSERVE', 'INGEST'],
  makeBackend: async () => {
    const app = await boot({
      backend: 'in-memory',
      peerMode: 'caller',
      workspaceMode: 'caller',
      deriver: 'extractive',
      ingest: 'execution-end',
    });
    return {
      backend: app.get<PeerMemory>(PEER_MEMORY),
      close: () => app.close(),
      settle: () => app.get(IngestOutcomes).settled(),
    };
  },
});
