import {
  DefaultRedactionPolicy,
  InMemoryDerivationQueue,
  LexicalIndex,
  StrictRedactionPolicy,
} from '../../lib/index.js';
import {
  describeDerivationQueueContract,
  describeObservationIndexContract,
  describeRedactionPolicyContract,
} from '../../lib/testkit/index.js';
import { POLICY_EXAMPLES } from './support/policy-examples.js';

describeObservationIndexContract('the lexical index', {
  expects: ['SCORES', 'SESSIONS', 'FILLS'],
  makeIndex: () => ({ index: new LexicalIndex() }),
});

describeDerivationQueueContract('the in-memory derivation queue', {
  makeQueue: (parts) => ({ queue: new InMemoryDerivationQueue({ ...parts, retryDelayMs: 1 }) }),
});

describeRedactionPolicyContract('the default redaction policy', {
  makePolicy: () => new DefaultRedactionPolicy(),
  masks: POLICY_EXAMPLES,
  leaves: ['v1.2.3.4 is out', 'Order 4111-2222', 'passwordless login', '[REDACTED:EMAIL]'],
});

describeRedactionPolicyContract('the strict redaction policy', {
  makePolicy: () => new StrictRedactionPolicy(),
  masks: [
    ...POLICY_EXAMPLES,
    { category: 'SECRET', text: `passwrod=${'Wint' + 'er!Harbour-4471'}`, secret: 'Winter!Harbour-4471' },
  ],
});
