import { PEER_MEMORY_CONTRACT } from '../../lib/testkit/peer-memory/describe-peer-memory-contract.js';
import { CHAT_MUTANTS } from './peer-memory-mutants/chat-mutants.js';
import { ENDING_MUTANTS } from './peer-memory-mutants/ending-mutants.js';
import { INGEST_MUTANTS } from './peer-memory-mutants/ingest-mutants.js';
import { ISOLATION_MUTANTS } from './peer-memory-mutants/isolation-mutants.js';
import { OBSERVE_MUTANTS } from './peer-memory-mutants/observe-mutants.js';
import { SEARCH_MUTANTS } from './peer-memory-mutants/search-mutants.js';
import { SNAPSHOT_MUTANTS } from './peer-memory-mutants/snapshot-mutants.js';
import { describeMutants } from './support/mutants.js';

describeMutants('the contract of a memory', PEER_MEMORY_CONTRACT, [
  ...SNAPSHOT_MUTANTS,
  ...SEARCH_MUTANTS,
  ...CHAT_MUTANTS,
  ...OBSERVE_MUTANTS,
  ...INGEST_MUTANTS,
  ...ISOLATION_MUTANTS,
  ...ENDING_MUTANTS,
]);
