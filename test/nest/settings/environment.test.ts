import { InvalidConfigurationError, memorySettingsFrom, MemoryModule } from '@aimon/nestjs-memory';
import fc from 'fast-check';
import { SETTING_DEFINITIONS } from '../../../lib/nest/settings/setting-definitions.js';
import { faultsOf } from './setting-sources.js';

const MEMORY = { AIMON_MEMORY_BACKEND: 'in-memory', AIMON_MEMORY_WORKSPACE_ID: 'ops', AIMON_MEMORY_PEER_ID: 'mina' };
const faults = (env: Readonly<Record<string, string>>) =>
  faultsOf([MemoryModule.forRoot({ env: { ...MEMORY, ...env } })]);

describe('the environment', () => {
  it('names the backend that AIMON_MEMORY_BACKNED was meant to be', async () => {
    expect(await faultsOf([MemoryModule.forRoot({ env: { AIMON_MEMORY_BACKNED: 'file' } })])).toEqual([
      'AIMON_MEMORY_BACKNED is no setting of the memory; did you mean AIMON_MEMORY_BACKEND? Otherwise remove it.',
    ]);
  });

  it('may hold what Kubernetes puts there for a Service called aimon-memory', async () => {
    expect(
      await faults({
        AIMON_MEMORY_SERVICE_HOST: '10.0.0.11',
        AIMON_MEMORY_SERVICE_PORT: '8080',
        AIMON_MEMORY_SERVICE_PORT_HTTP: '8080',
        AIMON_MEMORY_SERVICE_PORT_GRPC_WEB: '8081',
        AIMON_MEMORY_PORT: 'tcp://10.0.0.11:8080',
        AIMON_MEMORY_PORT_8080_TCP: 'tcp://10.0.0.11:8080',
        AIMON_MEMORY_PORT_8080_TCP_PROTO: 'tcp',
        AIMON_MEMORY_PORT_8080_TCP_PORT: '8080',
        AIMON_MEMORY_PORT_8080_TCP_ADDR: '10.0.0.11',
        AIMON_MEMORY_PORT_53_UDP: 'udp://10.0.0.11:53',
      }),
    ).toEqual([]);
  });

  it('but nothing that only looks like it', async () => {
    expect(await faults({ AIMON_MEMORY_PORT_HTTP: '1', AIMON_MEMORY_SERVICE_NAME: 'x' })).toEqual([
      expect.stringMatching(/^AIMON_MEMORY_PORT_HTTP is no setting of the memory; /),
      expect.stringMatching(/^AIMON_MEMORY_SERVICE_NAME is no setting of the memory; /),
    ]);
  });

  it('may hold what belongs to others', async () => {
    const others = {
      AIMON_CHAT_BACKEND: 'x',
      AIMON_MEMORYX: '1',
      AIMON_MEMO_BACKEND: 'x',
      PATH: '/bin',
      AIMON_MEMOS_BACKENDS: 'x',
      'aimon.chat.backend': 'y',
    };
    expect(await faults(others)).toEqual([]);
  });

  it('is read in any of the three spellings, and two values for one are refused', async () => {
    expect(memorySettingsFrom({ 'aimon.memory.peer-id': 'mina', aimon_memory_max_tokens: '5' })).toEqual({
      peerId: 'mina',
      maxTokens: 5,
    });
    expect(await faults({ 'aimon.memory.workspace-id': 'other' })).toEqual([
      'AIMON_MEMORY_WORKSPACE_ID and aimon.memory.workspace-id are one setting with two values, "ops" and "other"; leave one out.',
    ]);
  });

  it('names a prefix that is misspelt, where a setting follows it', async () => {
    expect(
      await faults({
        AIMON_MEMROY_DERIVER: 'extractive',
        AIMOM_MEMORY_MAX_TOKENS: '1',
        AIMON_MEMROY_COLOUR: 'red',
        AIMON_MEMORYBACKEND: 'x',
      }),
    ).toEqual([
      'AIMOM_MEMORY_MAX_TOKENS is no name of the memory; did you mean AIMON_MEMORY_MAX_TOKENS?',
      'AIMON_MEMORYBACKEND is no name of the memory; did you mean AIMON_MEMORY_BACKEND?',
      'AIMON_MEMROY_DERIVER is no name of the memory; did you mean AIMON_MEMORY_DERIVER?',
    ]);
  });
});

describe('every setting, with any text', () => {
  it('is taken, or refused by its name in a sentence that ends', () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', ' ', '0', '-1', '1e9', 'true', '10s', 'none', '5'),
    );
    fc.assert(
      fc.property(fc.constantFrom(...SETTING_DEFINITIONS), text, ({ key }, value) => {
        const name = `AIMON_MEMORY_${key.replaceAll(/[-.]/g, '_').toUpperCase()}`;
        try {
          memorySettingsFrom({ [name]: value });
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidConfigurationError);
          const { faults: sentences } = error as InvalidConfigurationError;
          expect(sentences).toHaveLength(1);
          expect(sentences[0]).toMatch(new RegExp(`^${name} is .*[.?]$`, 's'));
        }
      }),
      { numRuns: 500 },
    );
  });

  it('shows nothing of a secret', () => {
    const secrets = SETTING_DEFINITIONS.filter(({ secret }) => secret === true).map(({ key }) => key);
    expect(secrets).toEqual(['llm.api-key', 'embedding.api-key', 'remote.token']);
    fc.assert(
      fc.property(fc.constantFrom(...secrets), fc.stringMatching(/^[a-z\d]{12,40}(?: x|é)$/), (key, secret) => {
        const name = `AIMON_MEMORY_${key.replaceAll(/[-.]/g, '_').toUpperCase()}`;
        expect(() => memorySettingsFrom({ [name]: secret })).toThrow(InvalidConfigurationError);
        try {
          memorySettingsFrom({ [name]: secret });
        } catch (error) {
          expect((error as Error).stack).not.toContain(secret.slice(0, 12));
        }
      }),
    );
  });
});
