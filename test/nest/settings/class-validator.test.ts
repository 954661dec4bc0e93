import 'reflect-metadata';
import { IsMemorySetting, MemoryConfiguration } from '@aimon/nestjs-memory/class-validator';
import { AgentMemory, MemoryModule } from '@aimon/nestjs-memory';
import { plainToInstance } from 'class-transformer';
import { validateSync, type ValidationError } from 'class-validator';
import fc from 'fast-check';
import { SETTING_DEFINITIONS } from '../../../lib/nest/settings/setting-definitions.js';
import { bootModules } from '../../support/boot.js';
import { faultsOf, nested } from './setting-sources.js';

const available = SETTING_DEFINITIONS.filter(({ later }) => later !== true).map(({ key }) => key);
const camel = (name: string): string => name.replaceAll(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());

const messages = (errors: readonly ValidationError[]): string[] =>
  errors.flatMap(({ constraints = {}, children = [] }) => [...Object.values(constraints), ...messages(children)]);
const messagesOf = (raw: object): string[] =>
  messages(validateSync(plainToInstance(MemoryConfiguration, raw), { whitelist: true, forbidNonWhitelisted: true }));

describe('MemoryConfiguration', () => {
  it('has every setting that this version has, and none that it has not', () => {
    const written = (key: string) => nested({ [key]: '' }, camel);
    const known = SETTING_DEFINITIONS.filter(
      ({ key }) => !messagesOf(written(key)).some((text) => text.includes('should not exist')),
    );
    expect(known.map(({ key }) => key)).toEqual(available);
  });

  it('says of a value what the start of the application says of it', async () => {
    const value = fc.oneof(
      fc.constantFrom('', 'none', 'in-memory', 'yes', '10s', '0s', '5', 'SEARCH', null, true, 0, -1, 1.5),
      fc.string(),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...available.filter((key) => key !== 'settings-file')),
        value,
        async (key, given) => {
          const raw = nested({ [key]: given }, camel);
          const memory = { env: {}, backend: 'none', ...raw } as object;
          const atStart = await faultsOf([MemoryModule.forRoot(memory)]);
          // Beside a backend, ids are missing too.
          const expected = key === 'backend' ? expect.arrayContaining(messagesOf(raw)) : messagesOf(raw);
          expect(atStart).toEqual(expected);
        },
      ),
      { numRuns: 200 },
    );
  });

  it('is what MemoryModule.forRoot takes', async () => {
    const raw = {
      backend: 'in-memory',
      workspaceId: 'ops',
      peerId: 'mina',
      deriver: 'extractive',
      queue: { workerCount: '2' },
    };
    const configuration = plainToInstance(MemoryConfiguration, raw);
    expect(validateSync(configuration)).toEqual([]);
    const app = await bootModules({
      imports: [MemoryModule.forRootAsync({ useFactory: () => ({ env: {}, ...configuration }) })],
    });
    expect(app.get(AgentMemory).peer?.principal.id).toBe('mina');
    await app.close();
  });

  it('checks what is below a group, and that there is a group', () => {
    expect(messagesOf({ queue: { workerCount: 0 } })).toEqual([
      'queue.workerCount is 0; it takes a whole number of at least 1.',
    ]);
    expect(messagesOf({ queue: 4 })).toEqual(['nested property queue must be either object or array']);
  });
});

describe('IsMemorySetting', () => {
  it('refuses a key that is none', () => {
    expect(() => IsMemorySetting('queue.workers')).toThrow(
      'IsMemorySetting was given "queue.workers", which is no setting of the memory.',
    );
  });
});
