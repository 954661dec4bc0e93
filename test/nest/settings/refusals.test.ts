import { MemoryModule, type MemoryModuleOptions } from '@aimon/nestjs-memory';
import { boot, bootFailure, bootModules } from '../../support/boot.js';

const ALICE = { backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' } as const;

const refusal = (options: unknown): Promise<string> => bootFailure(() => boot(options as MemoryModuleOptions));

describe('options in code stop the boot', () => {
  it.each<[string, unknown, string]>([
    [
      'a number that is no whole one',
      { ...ALICE, maxTokens: 1.5 },
      'maxTokens is 1.5; it takes a whole number of at least 0.',
    ],
    [
      'a number where a duration is to be, since it has no unit',
      { ...ALICE, contextTimeout: 300 },
      'contextTimeout is 300; it takes a duration such as 300ms, 10s, 5m, 6h or 2d, at least 1ms and at most 1h.',
    ],
    [
      'a number where an id is to be',
      { ...ALICE, workspaceId: 7 },
      'workspaceId is 7; it takes text of 1 to 256 characters, no control characters and not only white space.',
    ],
    [
      'a misspelt group',
      { ...ALICE, queu: { workerCount: 2 } },
      'queu is no setting of the memory; did you mean queue? Otherwise remove it.',
    ],
    [
      'a maker of options, which is for forRootAsync',
      { useFactory: () => ALICE },
      'useFactory is given to MemoryModule.forRoot, which takes the options themselves; call MemoryModule.forRootAsync with it.',
    ],
    [
      'a getter that throws, without what it threw',
      {
        ...ALICE,
        queue: {
          get workerCount(): number {
            throw new Error('sk-4471');
          },
        },
      },
      'queue.workerCount throws when it is read; give its value.',
    ],
    ['null', { ...ALICE, peerName: null }, 'peerName is null; it takes text of 1 to 256 characters'],
    [
      'a group that is no object',
      { ...ALICE, deriver: 'extractive', queue: 4 },
      'queue is 4; it takes a plain object with the settings below it.',
    ],
    [
      'a name twice with two values',
      { ...ALICE, 'workspace-id': 'other' },
      'workspaceId and workspace-id are one setting with two values, "ops" and "other"; leave one out.',
    ],
    [
      'a secret twice with two values, which are not shown',
      { ...ALICE, llm: { apiKey: 'sk-first-4471', 'api-key': 'sk-second-4471' } },
      'llm.apiKey and llm.api-key are one setting with two values, a value that is not shown and a value that is not shown; leave one out.',
    ],
  ])('%s', async (_, options, text) => {
    const message = await refusal(options);
    expect(message.startsWith('Memory configuration error: ')).toBe(true);
    expect(message).toContain(text);
    expect(message).not.toContain('4471');
  });

  it('but not a name twice with one value, nor in any of its three spellings', async () => {
    const app = await boot({
      ...ALICE,
      'workspace-id': 'ops',
      PEER_NAME: 'Alice',
      deriver: 'extractive',
      queue: { workerCount: 2, 'worker-count': 2 },
    } as MemoryModuleOptions);
    await app.close();
  });

  it('and a duration that is just short enough does not', async () => {
    const longest = { ...ALICE, deriver: 'extractive', queue: { pollInterval: '1h' }, session: { idleTimeout: '24d' } };
    const app = await boot({ ...(longest as MemoryModuleOptions), shutdownTimeout: '60m', contextTimeout: '3600s' });
    await app.close();
  });
});

describe('forRootAsync', () => {
  it('refuses to be given nothing, in a sentence', () => {
    expect(() => MemoryModule.forRootAsync({})).toThrow(
      'MemoryModule.forRootAsync was given no useFactory, useClass or useExisting',
    );
  });

  it('refuses a factory that answers no object', async () => {
    const start = () =>
      bootModules({ imports: [MemoryModule.forRootAsync({ useFactory: () => 'in-memory' as never })] });
    expect(await bootFailure(start)).toContain('What the factory of MemoryModule.forRootAsync answered is text;');
  });

  it('checks what a factory answers as it checks options in code', async () => {
    const start = () =>
      bootModules({
        imports: [
          MemoryModule.forRootAsync({ useFactory: () => ({ env: {}, backend: 'in-memory', workspaceId: 'ops' }) }),
        ],
      });
    expect(await bootFailure(start)).toContain('aimon.memory.peer-id (in code peerId, ');
  });
});
