import { serverError } from '../../support/scripted-llm-server/misbehaviours.js';
import { streamOf } from '../../support/scripted-llm-server/scripted-answer.js';
import { ASKED, clientOf, failureOf, scripted } from './clients.js';

const LEVELS = ['log', 'info', 'debug', 'warn', 'error'] as const;

// In a file of its own: the package keeps the functions of the console that it finds at its first call.
it('nothing is written to the console, whatever goes wrong', async () => {
  const said: string[] = [];
  const before = LEVELS.map((level) => [level, console[level]] as const);
  for (const level of LEVELS) console[level] = (first) => void said.push(String(first));
  process.env.OPENAI_LOG = 'debug';
  try {
    const client = clientOf(await scripted({ content: 'a' }, serverError(), streamOf('data: {"choices"\n\n')));
    await client.complete(ASKED);
    await failureOf(client.complete(ASKED));
    await failureOf(client.stream(ASKED, () => undefined));
  } finally {
    delete process.env.OPENAI_LOG;
    for (const [level, write] of before) console[level] = write;
  }
  expect(said).toEqual([]);
});
