import { Inject, Injectable, type Provider, Scope, type Type } from '@nestjs/common';
import { REQUEST } from '@nestjs/core';
import {
  DefaultRedactionPolicy,
  InMemoryObservationStore,
  LexicalIndex,
  MEMORY_PEER_RESOLVER,
  MEMORY_REDACTION_POLICY,
  MemoryModule,
  type MemoryModuleOptions,
  MemoryPeerResolver,
  OBSERVATION_INDEX,
  OBSERVATION_STORE,
  PEER_MEMORY,
  PEER_MEMORY_BACKEND,
  type PeerMemory,
  REPRESENTATION_STORE,
  InMemoryRepresentationStore,
} from '@aimon/nestjs-memory';
import { boot, bootFailure, bootModules } from '../support/boot.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const ALICE = { backend: 'in-memory', workspaceId: 'ops', peerId: 'alice', env: {} } as const;
const SUPPLIED = { ...ALICE, backend: 'supplied' } as const;
const POINTS_TO_CALLER_MODE =
  'make it a singleton. For a memory per caller set aimon.memory.peer-mode to caller, and name the principal when a session is opened.';

@Injectable()
class Resolver implements MemoryPeerResolver {
  resolve(): undefined {
    return undefined;
  }
}

const PARTS: readonly (readonly [string, symbol, Type, MemoryModuleOptions])[] = [
  ['PEER_MEMORY_BACKEND', PEER_MEMORY_BACKEND, RecordingPeerMemory, SUPPLIED],
  ['OBSERVATION_STORE', OBSERVATION_STORE, InMemoryObservationStore, SUPPLIED],
  ['REPRESENTATION_STORE', REPRESENTATION_STORE, InMemoryRepresentationStore, SUPPLIED],
  ['OBSERVATION_INDEX', OBSERVATION_INDEX, LexicalIndex, ALICE],
  ['MEMORY_REDACTION_POLICY', MEMORY_REDACTION_POLICY, DefaultRedactionPolicy, { ...ALICE, redaction: 'supplied' }],
  ['MEMORY_PEER_RESOLVER', MEMORY_PEER_RESOLVER, Resolver, { ...ALICE, peerId: undefined, peerMode: 'caller' }],
];

describe.each(PARTS)('%s of the application', (name, provide, part, options) => {
  // A class with optional constructor options is made here, as an application would.
  const useFactory = (): unknown => new part();
  const refusal = (providers: Provider[]): Promise<string> => bootFailure(() => boot({ ...options, providers }));

  it.each([
    ['of a request', {}],
    ['of a tenant', { durable: true }],
  ])('is refused when it is %s', async (_, durable) => {
    expect(await refusal([{ provide, useFactory, scope: Scope.REQUEST, ...durable }])).toContain(
      `${name} is request-scoped, and the memory depends on it, so every request would make a memory of its own, which nothing would take down; ${POINTS_TO_CALLER_MODE}`,
    );
  });

  it('is refused when it depends on the request', async () => {
    expect(await refusal([{ provide, useFactory, inject: [REQUEST] }])).toContain(
      `REQUEST is request-scoped, and the memory depends on it through ${name}, so every request`,
    );
  });

  it('is refused when it is transient', async () => {
    expect(await refusal([{ provide, useFactory, scope: Scope.TRANSIENT }])).toContain(
      `${name} is transient, so the memory would work with one and whoever else injects it with another; ${POINTS_TO_CALLER_MODE}`,
    );
  });

  it('is refused when it is an alias of one that is transient', async () => {
    class Aliased {}
    const providers = [
      { provide: Aliased, useFactory, scope: Scope.TRANSIENT },
      { provide, useExisting: Aliased },
    ];
    expect(await refusal(providers)).toContain('Aliased is transient, so the memory would work with one');
  });

  it('may be a singleton that depends on a transient one', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class OwnLogger {}

    const app = await boot({ ...options, providers: [OwnLogger, { provide, useFactory, inject: [OwnLogger] }] });
    await app.close();
  });
});

describe('options that are made for every request', () => {
  it('are refused from a factory', async () => {
    const start = () =>
      bootModules({ imports: [MemoryModule.forRootAsync({ inject: [REQUEST], useFactory: () => ALICE })] });
    expect(await bootFailure(start)).toContain(
      `REQUEST is request-scoped, and the memory depends on it through the options, so every request would make a memory of its own, which nothing would take down; ${POINTS_TO_CALLER_MODE}`,
    );
  });

  it('are refused from a class, also where the request is injected into a property', async () => {
    @Injectable()
    class Tenant {
      @Inject(REQUEST) readonly request: unknown;
    }

    @Injectable()
    class Maker {
      constructor(readonly tenant: Tenant) {}
      createMemoryOptions(): MemoryModuleOptions {
        return ALICE;
      }
    }

    const start = () => bootModules({ imports: [MemoryModule.forRootAsync({ useClass: Maker, providers: [Tenant] })] });
    expect(await bootFailure(start)).toContain(
      'REQUEST is request-scoped, and the memory depends on it through Tenant and Maker and the options, so',
    );
  });

  it('may come from a factory that depends on a transient provider', async () => {
    @Injectable({ scope: Scope.TRANSIENT })
    class OwnLogger {}

    const imports = [
      MemoryModule.forRootAsync({ inject: [OwnLogger], useFactory: () => ALICE, providers: [OwnLogger] }),
    ];
    const app = await bootModules({ imports });
    expect(app.get<PeerMemory>(PEER_MEMORY).backendId).toBe('in-memory');
    await app.close();
  });
});
