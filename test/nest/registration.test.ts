import { Injectable, Module } from '@nestjs/common';
import {
  InvalidConfigurationError,
  MemoryModule,
  type MemoryModuleOptions,
  PEER_MEMORY,
  type PeerMemory,
} from '@aimon/nestjs-memory';
import { bootFailure, bootModules } from '../support/boot.js';

const ALICE = { backend: 'in-memory', workspaceId: 'ops', peerId: 'alice', env: {} } as const;

class Computed {
  get backend(): string {
    return 'in-memory';
  }
}

class Fields {
  readonly backend = 'in-memory';
  readonly workspaceId = 'ops';
  readonly peerId = 'alice';
  readonly env = {};
}

/** What registering, or else starting, is refused with. */
async function refusal(register: () => unknown): Promise<string> {
  const start = async () => bootModules({ imports: [register() as ReturnType<typeof MemoryModule.forRoot>] });
  const error: unknown = await start().then(
    async (app) => app.close(),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InvalidConfigurationError);
  return (error as Error).message;
}

// What stands for options, and what it is called.
const NO_OPTIONS: readonly (readonly [string, unknown])[] = [
  ['is null', null],
  ['is an array', []],
  ['is an array', [ALICE]],
  ['is text', 'postgres://user:word@host/db'],
  ['is 4', 4],
  ['is a function', () => ALICE],
  ['is the class Computed', Computed],
  ['is an instance of Map', new Map([['backend', 'in-memory']])],
  ['is an instance of Promise', Promise.resolve(ALICE)],
  ['is an instance of Computed, which inherits "backend", and that would not be read', new Computed()],
  ['is an object, which inherits "backend", and that would not be read', Object.create(ALICE)],
];

describe('what is no object of options', () => {
  it.each(NO_OPTIONS)('is refused by forRoot: it %s', async (what, options) => {
    const message = await refusal(() => MemoryModule.forRoot(options as MemoryModuleOptions));
    expect(message).toContain(`What MemoryModule.forRoot was given ${what}; it takes a plain object of settings`);
    expect(message).not.toContain('user:word');
  });

  it.each(NO_OPTIONS)('is refused by forRootAsync: it %s', async (what, options) => {
    const message = await refusal(() => MemoryModule.forRootAsync(options as never));
    expect(message).toContain(
      `What MemoryModule.forRootAsync was given ${what}; it takes a plain object with useFactory`,
    );
  });

  it.each([['is undefined', undefined] as const, ...NO_OPTIONS.filter(([what]) => !what.includes('Promise'))])(
    'is refused from a factory: it %s',
    async (what, options) => {
      const message = await refusal(() => MemoryModule.forRootAsync({ useFactory: () => options as never }));
      expect(message).toContain(
        `What the factory of MemoryModule.forRootAsync answered ${what}; it answers the options`,
      );
    },
  );

  it.each(NO_OPTIONS)('is refused as a group of settings: it %s', async (what, queue) => {
    const message = await refusal(() =>
      MemoryModule.forRoot({ ...ALICE, deriver: 'extractive', queue: queue as never }),
    );
    expect(message).toContain(`queue ${what}; it takes a plain object with the settings below it.`);
  });

  it.each(NO_OPTIONS)('is refused as an environment: it %s', async (_, env) => {
    for (const register of [
      () => MemoryModule.forRoot({ ...ALICE, env: env as never }),
      () => MemoryModule.forRootAsync({ useFactory: () => ({ ...ALICE, env: env as never }) }),
    ]) {
      expect(await refusal(register)).toMatch(/: env is .*; it takes an object of texts by name, such as process\.env/);
    }
  });
});

describe('what is one', () => {
  it.each([
    ['an object without a prototype', Object.assign(Object.create(null), ALICE) as MemoryModuleOptions],
    ['an instance whose fields are its own', new Fields()],
    [
      'an object with getters of its own',
      {
        ...ALICE,
        get peerId() {
          return 'alice';
        },
      },
    ],
    ['an object with the environment of the process', { ...ALICE, env: process.env }],
    ['an object with a group without a prototype', { ...ALICE, session: Object.create(null) as object }],
  ])('is read: %s', async (_, options) => {
    const app = await bootModules({ imports: [MemoryModule.forRoot(options)] });
    expect(app.get<PeerMemory>(PEER_MEMORY).backendId).toBe('in-memory');
    await app.close();
  });
});

describe('the registration of forRootAsync', () => {
  const useFactory = () => ALICE;

  @Injectable()
  class Maker {
    createMemoryOptions(): MemoryModuleOptions {
      return ALICE;
    }
  }

  @Injectable()
  class MakesNothing {}

  it.each([
    ['useFactory is text; it takes a function that answers the options.', { useFactory: 'x' }],
    ['useFactory is an object; it takes a function that answers the options.', { useFactory: ALICE }],
    ['useClass is null; it takes a class with createMemoryOptions().', { useClass: null }],
    ['useClass is an instance of Maker; it takes a class with createMemoryOptions().', { useClass: new Maker() }],
    ['useExisting is an object; it takes the class or token of a provider', { useExisting: {} }],
    ['was given useFactory and useClass, and only one would be read; leave one out.', { useFactory, useClass: Maker }],
    ['was given no useFactory, useClass or useExisting', {}],
    ['was given no useFactory, useClass or useExisting', undefined],
    ['inject is given beside useClass, where it would not be read;', { useClass: Maker, inject: [Maker] }],
    ['inject is the class Maker; MemoryModule.forRootAsync takes an array there.', { useFactory, inject: Maker }],
    ['providers is an object; MemoryModule.forRootAsync takes an array there.', { useFactory, providers: {} }],
    ['imports is the class Maker; MemoryModule.forRootAsync takes an array there.', { useFactory, imports: Maker }],
    ['isGlobal is text; MemoryModule.forRootAsync takes true or false there.', { useFactory, isGlobal: 'no' }],
    [
      'backend is given to MemoryModule.forRootAsync beside the maker of the options, where it would not be read; let the maker answer it. Beside it stand only inject, imports, providers, isGlobal and name.',
      { useFactory, backend: 'in-memory' },
    ],
    ['env is given to MemoryModule.forRootAsync beside the maker', { useFactory, env: {} }],
    ['useClass leads to an instance of MakesNothing, which has no createMemoryOptions();', { useClass: MakesNothing }],
    [
      'useExisting leads to an instance of MakesNothing, which has no createMemoryOptions();',
      { useExisting: MakesNothing, providers: [MakesNothing] },
    ],
    [
      'isGlobal is among the options, where it would not be read',
      { useFactory: () => ({ ...ALICE, isGlobal: false }) },
    ],
    ['providers is among the options, where it would not be read', { useFactory: () => ({ ...ALICE, providers: [] }) }],
  ])('is refused: %s', async (text, options) => {
    expect(await refusal(() => MemoryModule.forRootAsync(options as never))).toContain(text);
  });

  it.each([
    ['providers is an object; MemoryModule.forRoot takes an array there.', { providers: {} }],
    ['imports is null; MemoryModule.forRoot takes an array there.', { imports: null }],
    ['isGlobal is 1; MemoryModule.forRoot takes true or false there.', { isGlobal: 1 }],
    ['useFactory is given to MemoryModule.forRoot, which takes the options themselves;', { useFactory }],
  ])('and that of forRoot: %s', async (text, options) => {
    expect(await refusal(() => MemoryModule.forRoot({ ...ALICE, ...(options as object) }))).toContain(text);
  });

  it('takes a class, and a class that is there already', async () => {
    @Module({ providers: [Maker], exports: [Maker] })
    class MakerModule {}

    for (const registration of [
      MemoryModule.forRootAsync({ useClass: Maker }),
      MemoryModule.forRootAsync({ useExisting: Maker, imports: [MakerModule] }),
      MemoryModule.forRootAsync({
        useFactory: (maker: Maker) => maker.createMemoryOptions(),
        inject: [Maker],
        imports: [MakerModule],
      }),
    ]) {
      const app = await bootModules({ imports: [registration] });
      expect(app.get<PeerMemory>(PEER_MEMORY).backendId).toBe('in-memory');
      await app.close();
    }
  });

  it('lets an error of the factory through as it is', async () => {
    const start = () =>
      bootModules({
        imports: [
          MemoryModule.forRootAsync({
            useFactory: () => {
              throw new Error('The vault is sealed.');
            },
          }),
        ],
      });
    expect(await bootFailure(start)).toBe('The vault is sealed.');
  });
});
