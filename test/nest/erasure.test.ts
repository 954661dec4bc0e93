import {
  AgentMemory,
  IngestOutcomes,
  MemoryMaintenance,
  PEER_MEMORY,
  type PeerMemory,
  PEER_MEMORY_BACKEND,
  requireTier,
} from '@aimon/nestjs-memory';
import { boot } from '../support/boot.js';
import { alice, bob, ops } from '../support/peers.js';
import { RecordingPeerMemory } from '../support/recording-peer-memory.js';

const CALLERS = {
  backend: 'in-memory',
  workspaceId: 'ops',
  peerMode: 'caller',
  deriver: 'extractive',
  ingest: 'session-end',
} as const;

describe('the erasure of a peer', () => {
  it('takes what is stored, what waits and what an open session still holds, and leaves the others alone', async () => {
    const app = await boot(CALLERS);
    const memory = app.get(AgentMemory);
    const recorder = requireTier(app.get<PeerMemory>(PEER_MEMORY), 'OBSERVE');
    await recorder.observe({ subject: alice, content: 'Alice has a dog.', type: 'EXPLICIT' });
    await recorder.observe({ subject: bob, observer: alice, content: 'Bob owes Alice ten.', type: 'EXPLICIT' });
    await recorder.observe({ subject: bob, content: 'Bob has a cat.', type: 'EXPLICIT' });
    const open = await memory.session('one', { principal: alice.principal });
    await open.execution((transcript) => void transcript.append({ role: 'user', content: 'My dog is called Rex.' }));
    const others = await memory.session('two', { principal: bob.principal });
    await others.execution((transcript) => void transcript.append({ role: 'user', content: 'My cat is called Tom.' }));

    expect(await app.get(MemoryMaintenance).erasePeer(alice)).toEqual({ observations: 2, representations: 0 });
    await open.execution((transcript) => void transcript.append({ role: 'user', content: 'I have a parrot now.' }));
    await app.close();

    const kept = async (peer: typeof alice): Promise<string> => {
      const contents: string[] = [];
      for await (const { observation } of app.get(MemoryMaintenance).exportPeer(peer))
        contents.push(observation.content);
      return contents.join('\n');
    };
    expect(await kept(alice)).toMatch(/^\[.*\] alice: I have a parrot now\.$/);
    expect(await kept(bob)).toContain('Bob has a cat.');
    expect(await kept(bob)).toContain('My cat is called Tom.');
    expect(await kept(bob)).not.toContain('owes');
    expect(app.get(IngestOutcomes).counts()).toMatchObject({ stored: 2, skipped: 1, failed: 0 });
  });

  it('of a whole workspace leaves nothing in it', async () => {
    const app = await boot(CALLERS);
    const recorder = requireTier(app.get<PeerMemory>(PEER_MEMORY), 'OBSERVE');
    await recorder.observe({ subject: alice, content: 'Alice has a dog.', type: 'EXPLICIT' });
    await recorder.observe({ subject: bob, content: 'Bob has a cat.', type: 'EXPLICIT' });
    const maintenance = app.get(MemoryMaintenance);
    expect((await maintenance.eraseWorkspace(ops)).observations).toBe(2);
    expect([await maintenance.count(alice), await maintenance.count(bob)]).toEqual([0, 0]);
    await app.close();
  });

  it('is refused in a sentence where the application supplied the backend', async () => {
    const app = await boot({
      backend: 'supplied',
      workspaceId: 'ops',
      peerId: 'alice',
      providers: [{ provide: PEER_MEMORY_BACKEND, useValue: new RecordingPeerMemory() }],
    });
    await expect(app.get(MemoryMaintenance).erasePeer(alice)).rejects.toThrow(
      'MemoryMaintenance.erasePeer needs stores of the default backend, and the memory "recording" has none that it could reach.',
    );
    await app.close();
  });
});

describe('a request that is sent twice under one key', () => {
  it('is taken once, and nobody waits for outcomes that do not come', async () => {
    const app = await boot({ ...CALLERS, ingest: 'execution-end' });
    const ingestor = requireTier(app.get<PeerMemory>(PEER_MEMORY), 'INGEST');
    const request = {
      observer: alice,
      sessionId: 's',
      messages: [{ role: 'user', content: 'The lift is slow.' }],
      idempotencyKey: 'k',
    } as const;
    const [first, second] = await Promise.all([ingestor.ingest(request), ingestor.ingest(request)]);
    expect(second).toEqual(first);
    await app.get(IngestOutcomes).settled();
    expect(app.get(IngestOutcomes).counts()).toMatchObject({ stored: 1 });
    expect(await app.get(MemoryMaintenance).count(alice)).toBe(1);
    await app.close();
  });
});
