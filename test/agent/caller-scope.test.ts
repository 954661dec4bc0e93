import { AgentMemory } from '../../lib/agent/agent-memory.js';
import { boundCaller, runAsCaller } from '../../lib/agent/caller-scope.js';
import { boundCallerResolver } from '../../lib/agent/context/bound-caller-resolver.js';
import { MemoryPeerResolver } from '../../lib/agent/context/memory-peer-resolver.js';
import { PeerView } from '../../lib/domain/peer-view.js';
import { Principal } from '../../lib/domain/principal.js';
import { Workspace } from '../../lib/domain/workspace.js';
import { alice, bob, ops } from './support/peers.js';
import { reader } from './support/memories.js';

const other = Workspace.of({ id: 'other' });
const asAlice = { principal: alice.principal };
const asBob = { principal: bob.principal, workspace: ops };
const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe('work that runs for a caller', () => {
  it('sees the caller, across what it awaits and in what it starts, and nobody outside does', async () => {
    const started: unknown[] = [];
    let left: Promise<void> | undefined;
    const seen = await runAsCaller(asAlice, async () => {
      await nextTurn();
      left = nextTurn().then(() => void started.push(boundCaller()));
      return boundCaller();
    });
    expect(seen).toEqual({ principal: alice.principal });
    await left;
    expect(started).toEqual([{ principal: alice.principal }]);
    expect(boundCaller()).toBeUndefined();
  });

  it('is given back what it answers or throws, at once', () => {
    expect(runAsCaller(asAlice, () => 7)).toBe(7);
    expect(() =>
      runAsCaller(asAlice, () => {
        throw new Error('mine');
      }),
    ).toThrow('mine');
  });

  it('is for the innermost caller, and for nobody where that is undefined or null', () => {
    runAsCaller(asAlice, () => {
      expect(runAsCaller(asBob, boundCaller)).toEqual(asBob);
      expect(runAsCaller(undefined, boundCaller)).toBeUndefined();
      expect(runAsCaller(null as never, boundCaller)).toBeUndefined();
      expect(boundCaller()).toEqual(asAlice);
    });
  });

  it('is for the caller as it was, also when what was given changes meanwhile', () => {
    const given: { principal: Principal } = { principal: alice.principal };
    runAsCaller(given, () => {
      given.principal = bob.principal;
      expect(boundCaller()?.principal).toBe(alice.principal);
    });
  });

  it.each([
    [
      'Bearer 0123',
      "The caller that runAsCaller was given is text; it takes { principal: Principal.user('alice') }, with a workspace where each tenant has its own, or undefined for nobody.",
    ],
    [
      {},
      "The caller that runAsCaller was given has a principal that is undefined; it takes a Principal, such as Principal.user('alice'). For nobody answer undefined instead of an object.",
    ],
    [
      { principal: 'Bearer 0123' },
      "The caller that runAsCaller was given has a principal that is text; it takes a Principal, such as Principal.user('alice'). For nobody answer undefined instead of an object.",
    ],
    [
      { principal: alice.principal, workspace: 'ops' },
      "The caller that runAsCaller was given has a workspace that is text; it takes a Workspace, such as Workspace.of({ id: 'ops' }), or is left out.",
    ],
  ])('is not run for %j, which is no caller', (caller, message) => {
    let runs = 0;
    expect(() => runAsCaller(caller as never, () => runs++)).toThrow(message);
    expect(runs).toBe(0);
  });
});

describe('a resolver behind the bound caller', () => {
  const asked: unknown[] = [];
  const resolver = boundCallerResolver({
    resolve: (request) => {
      asked.push(request);
      return undefined;
    },
  });
  beforeEach(() => asked.splice(0));

  it('is asked with the caller by a request that names nobody', () => {
    void runAsCaller(asBob, () => resolver.resolve({ sessionId: 'chat' }));
    expect(asked).toEqual([{ sessionId: 'chat', principal: bob.principal, workspace: ops }]);
  });

  it('is asked as it is by a request that names somebody, or half of somebody', () => {
    const requests = [
      { principal: alice.principal },
      { workspace: other },
      { principal: alice.principal, workspace: ops },
    ];
    runAsCaller(asBob, () => requests.forEach((request) => void resolver.resolve(request)));
    expect(asked).toEqual(requests);
  });

  it('is asked as it is where nobody is bound', () => {
    const request = { sessionId: 'chat' };
    void resolver.resolve(request);
    void runAsCaller(undefined, () => resolver.resolve(request));
    expect(asked).toEqual([request, request]);
  });

  it('refuses what is no request, in a sentence', () => {
    expect(() => resolver.resolve(null as never)).toThrow('MemoryPeerRequest is null; it takes an object.');
  });
});

describe('a session of the bound caller', () => {
  const agentOf = (resolver: MemoryPeerResolver): AgentMemory =>
    new AgentMemory({ memory: { backendId: 'm', snapshotReader: reader() }, resolver, ingest: 'off' });
  const perCaller = agentOf(boundCallerResolver(MemoryPeerResolver.caller({ workspace: ops })));
  const perTenant = agentOf(boundCallerResolver(MemoryPeerResolver.caller()));

  it('is the caller’s, and the same as the one that names the caller', async () => {
    const session = await runAsCaller(asAlice, () => perCaller.session('chat'));
    expect(session.peer?.key()).toBe(alice.key());
    expect(await perCaller.session('chat', asAlice)).toBe(session);
    expect(await runAsCaller(asBob, () => perCaller.session('chat'))).not.toBe(session);
  });

  it('is in the caller’s workspace where each tenant has its own', async () => {
    const session = await runAsCaller({ ...asAlice, workspace: other }, () => perTenant.session('chat'));
    expect(session.peer?.key()).toBe(PeerView.of(other, alice.principal).key());
  });

  it.each([
    [
      undefined,
      {},
      'no principal was given; pass { principal: Principal.user(…) }, whose memory it is, or let MemoryInterceptor, or runAsCaller, bind the caller of the request',
    ],
    [
      asAlice,
      {},
      'the caller who is bound has no workspace; answer { principal, workspace } where callers are bound, with the tenant as workspace',
    ],
    [
      undefined,
      { workspace: other },
      'no principal was given; pass { principal: Principal.user(…) }, whose memory it is',
    ],
    [
      asBob,
      { workspace: other },
      'no principal was given; pass { principal: Principal.user(…) }, whose memory it is, or leave out the other, too, to take the caller who is bound',
    ],
    [
      undefined,
      { principal: alice.principal },
      'no workspace was given; pass { workspace: Workspace.of({ id: … }) }, the tenant',
    ],
    [
      asBob,
      { principal: alice.principal },
      'no workspace was given; pass { workspace: Workspace.of({ id: … }) }, the tenant, or leave out the other, too, to take the caller who is bound',
    ],
  ])('is refused, bound to %j with %j, and says what is missing', async (caller, options, missing) => {
    await expect(runAsCaller(caller, () => perTenant.session('chat', options))).rejects.toThrow(
      `AgentMemory.session("chat") has no peer: ${missing}.`,
    );
  });

  it('is refused where the application’s resolver finds nobody for the caller', async () => {
    const agent = agentOf(boundCallerResolver({ resolve: () => undefined }));
    await expect(runAsCaller(asBob, () => agent.session('chat'))).rejects.toThrow(
      'AgentMemory.session("chat") has no peer: the resolver of this application found none for the caller who is bound.',
    );
  });

  it('is refused in another workspace than the memory’s', async () => {
    await expect(runAsCaller({ ...asAlice, workspace: other }, () => perCaller.session('chat'))).rejects.toThrow(
      'The workspace "other" was given, but this memory is for the workspace "ops".',
    );
  });

  it('stays the one fixed peer’s where the memory has one', async () => {
    const fixed = agentOf(MemoryPeerResolver.fixed(alice));
    const session = await runAsCaller(asBob, () => fixed.session('chat'));
    expect(session.peer?.key()).toBe(alice.key());
  });

  it('is the caller’s own also where there is no memory, so that conversations do not mix', async () => {
    const none = new AgentMemory({ memory: undefined, ingest: 'off' });
    const alices = await runAsCaller(asAlice, () => none.session('chat'));
    const bobs = await runAsCaller(asBob, () => none.session('chat'));
    expect(bobs).not.toBe(alices);
    expect(await runAsCaller(asAlice, () => none.session('chat'))).toBe(alices);
    expect(await none.session('chat', asAlice)).toBe(alices);
  });
});
