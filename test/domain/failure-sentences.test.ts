import { LlmAnswerError, StoreError } from '@aimon/nestjs-memory';

import { describeFailure } from '../../lib/domain/failure.js';

describe('describeFailure', () => {
  it('says what an error of ours says, without its full stop: it stands inside of a sentence', () => {
    expect(describeFailure(new LlmAnswerError('The answer was empty.'))).toBe(
      'LLM_ANSWER_UNUSABLE: The answer was empty',
    );
    expect(describeFailure(new StoreError('Is it there?'))).toBe('STORE_FAILED: Is it there?');
  });

  it('says nothing of what another error says, but where it was thrown', () => {
    expect(describeFailure(new Error('postgres://user:secret@host'))).toMatch(/^Error at .*failure-sentences/);
  });
});
