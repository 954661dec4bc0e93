import type { INestApplicationContext } from '@nestjs/common';
import fc from 'fast-check';
import {
  AgentMemory,
  Degradations,
  getMemoryToken,
  type IngestOutcome,
  IngestOutcomes,
  MemoryHealth,
  MemoryMaintenance,
  MemoryModule,
  MemoryTeardown,
  PEER_MEMORY,
  type PeerMemory,
  PeerView,
  Principal,
  Workspace,
} from '@aimon/nestjs-memory';
import { bootModules } from '../support/boot.js';

const APPLICATIONS = 30;
const NAMES = [undefined, 'ops'] as const;
type Name = (typeof NAMES)[number];

const alice = PeerView.of(Workspace.of({ id: 'ops' }), Principal.user('alice'));

/** One of many applications in this process, with an unnamed memory and a named one, all of the same peer. */
class Application {
  /** What became of what was said in the memory of each name. */
  readonly ends = new Map<Name, IngestOutcome[]>(NAMES.map((name) => [name, []]));

  private constructor(
    readonly number: number,
    readonly app: INestApplicationContext,
  ) {
    for (const name of NAMES)
      this.#part<IngestOutcomes>(IngestOutcomes, name).onOutcome((end) => void this.ends.get(name)?.push(end));
  }

  static async start(number: number): Promise<Application> {
    const imports = NAMES.map((name) =>
      MemoryModule.forRoot({
        ...{ name, env: {}, backend: 'in-memory', workspaceId: 'ops', peerId: 'alice' },
        ...{ deriver: 'extractive', ingest: 'execution-end' },
      }),
    );
    return new Application(number, await bootModules({ imports }));
  }

  /** What only this application says in the memory of that name. */
  secretOf(name: Name): string {
    return `The code of room ${this.number} of ${name ?? 'the house'} is ${this.number * 1009 + (name === undefined ? 0 : 1)}.`;
  }

  async say(name: Name): Promise<void> {
    const session = await this.#part<AgentMemory>(AgentMemory, name).session('one');
    await session.execution((t) => void t.append({ role: 'user', content: this.secretOf(name) }));
    await this.#part<IngestOutcomes>(IngestOutcomes, name).settled();
  }

  async known(name: Name): Promise<string[]> {
    const found: string[] = [];
    for await (const { observation } of this.#part<MemoryMaintenance>(MemoryMaintenance, name).exportPeer(alice))
      found.push(observation.content);
    return found;
  }

  async found(name: Name): Promise<string[]> {
    const { searcher } = this.#part<PeerMemory>(PEER_MEMORY, name);
    const hits = await searcher?.search({ subject: alice, query: 'What is the code of the room?', topK: 50 });
    return (hits ?? []).map(({ observation }) => observation.content);
  }

  degradations(name: Name): Degradations {
    return this.#part<Degradations>(Degradations, name);
  }

  async status(name: Name): Promise<string> {
    return (await this.#part<MemoryHealth>(MemoryHealth, name).check()).status;
  }

  /** That each of its memories knows what was said in it, and that alone. */
  async expectItsOwn(): Promise<void> {
    for (const name of NAMES) {
      const own = [expect.stringContaining(this.secretOf(name))];
      expect(await this.known(name)).toEqual(own);
      expect(await this.found(name)).toEqual(own);
      expect(this.ends.get(name)?.map(({ outcome }) => outcome)).toEqual(['stored']);
      expect(this.#part<IngestOutcomes>(IngestOutcomes, name).counts().stored).toBe(1);
    }
  }

  async expectClosed(): Promise<void> {
    for (const name of NAMES)
      await expect(this.#part<AgentMemory>(AgentMemory, name).session('late')).rejects.toThrow('was closed');
  }

  takeDown(name: Name): Promise<unknown> {
    return this.#part<MemoryTeardown>(MemoryTeardown, name).run();
  }

  #part<T>(token: Parameters<typeof getMemoryToken>[0], name: Name): T {
    return this.app.get<T>(getMemoryToken(token, name));
  }
}

const numbers = Array.from({ length: APPLICATIONS }, (_, number) => number);
const fault = {
  key: 'memory-custom',
  kind: 'fault',
  backendId: 'in-memory',
  consequence: 'None.',
  remedy: 'None.',
} as const;

describe('thirty applications in one process', () => {
  it('do not see what the others remember, nor what became of it, made and closed at the same time', async () => {
    const applications = await Promise.all(numbers.map((number) => Application.start(number)));
    await Promise.all(applications.flatMap((one) => NAMES.map((name) => one.say(name))));
    await Promise.all(applications.map((one) => one.expectItsOwn()));

    const [closing, staying] = [
      applications.filter(({ number }) => number % 2 === 0),
      applications.filter(({ number }) => number % 2 === 1),
    ];
    const later = numbers.slice(0, 5).map((number) => Application.start(APPLICATIONS + number));
    await Promise.all([...closing.map(({ app }) => app.close()), ...staying.map((one) => one.expectItsOwn())]);
    const added = await Promise.all(later);
    for (const one of added) for (const name of NAMES) expect(await one.known(name)).toEqual([]);
    for (const one of closing) await one.expectClosed();
    for (const one of staying) await one.expectItsOwn();
    await Promise.all([...staying, ...added].map(({ app }) => app.close()));
    for (const one of staying) await one.expectClosed();
  });

  it('have degradations and a health of their own, each memory by itself', async () => {
    const applications = await Promise.all(numbers.map((number) => Application.start(number)));
    const ill = (number: number, name: Name): boolean => number % 3 === (name === undefined ? 0 : 1);
    const all = applications.flatMap((one) => NAMES.map((name) => [one, name] as const));
    for (const [one, name] of all) if (ill(one.number, name)) one.degradations(name).raise(fault);
    for (const [one, name] of all) {
      const isIll = ill(one.number, name);
      expect([one.degradations(name).has(fault.key), await one.status(name)]).toEqual([
        isIll,
        isIll ? 'degraded' : 'up',
      ]);
    }
    for (const [one, name] of all) one.degradations(name).lift(fault.key);
    for (const [one, name] of all) expect(await one.status(name)).toBe('up');
    await Promise.all(applications.map(({ app }) => app.close()));
  });
});

it('applications that are talked to, taken down and closed in any order do not disturb each other', async () => {
  const count = 4;
  const steps = fc.array(
    fc.tuple(fc.constantFrom('say', 'take down', 'close'), fc.nat(count - 1), fc.constantFrom(...NAMES)),
    { maxLength: 16 },
  );
  await fc.assert(
    fc.asyncProperty(steps, async (order) => {
      const applications = await Promise.all(numbers.slice(0, count).map((number) => Application.start(number)));
      const down = new Set<string>();
      const said = new Set<string>();
      const key = (number: number, name: Name): string => `${number} ${name}`;
      for (const [step, number, name] of order) {
        const one = applications[number] as Application;
        if (step === 'say' && !down.has(key(number, name)) && !said.has(key(number, name))) {
          said.add(key(number, name));
          await one.say(name);
        }
        if (step === 'take down') {
          down.add(key(number, name));
          await one.takeDown(name);
        }
        if (step === 'close') {
          for (const each of NAMES) down.add(key(number, each));
          await one.app.close();
        }
        for (const other of applications) {
          for (const each of NAMES) {
            const own = said.has(key(other.number, each)) ? [expect.stringContaining(other.secretOf(each))] : [];
            expect(await other.known(each)).toEqual(own);
          }
        }
      }
      await Promise.all(applications.map(({ app }) => app.close()));
    }),
    { numRuns: 10 },
  );
});
