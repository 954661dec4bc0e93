import { Inject, Injectable, type Type } from '@nestjs/common';
import { AgentMemory, getMemoryToken, Principal, Workspace } from '@aimon/nestjs-memory';
import { MemoryLifecycle } from '../../../lib/nest/memory-lifecycle.js';
import { RecordingPeerMemory } from '../../support/recording-peer-memory.js';

/** The phases in which Nest calls the hooks of a shutdown. */
export const SHUTDOWN_HOOKS = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'] as const;
export type ShutdownHook = (typeof SHUTDOWN_HOOKS)[number];

/**
 * What happens in shutdowns, in order: `<who>:<hook>` once a hook is done, the memory's as `memory`, `took <n>` when a
 * backend takes messages in, and `refused by <who>` when the memory does.
 */
export class HookEvents {
  all: string[] = [];

  /** To be called in a `describe` or at the top of a file: from then on the memory tells when its hooks are done. */
  listen(): this {
    const original = SHUTDOWN_HOOKS.map((hook) => [hook, MemoryLifecycle.prototype[hook]] as const);
    beforeAll(() => {
      for (const [hook, run] of original) {
        const tell = (): void => void this.all.push(`memory:${hook}`);
        MemoryLifecycle.prototype[hook] = async function (this: MemoryLifecycle): Promise<void> {
          await run.call(this);
          tell();
        };
      }
    });
    afterAll(() => {
      for (const [hook, run] of original) MemoryLifecycle.prototype[hook] = run;
    });
    beforeEach(() => (this.all = []));
    return this;
  }

  /** The hooks of a phase, in the order in which they were done. */
  of(hook: ShutdownHook): readonly string[] {
    return this.all.filter((event) => event.endsWith(`:${hook}`)).map((event) => event.slice(0, event.indexOf(':')));
  }

  /** Gives an instance hooks that tell. */
  telling<T extends object>(instance: T, name: string, hooks: readonly ShutdownHook[] = SHUTDOWN_HOOKS): T {
    for (const hook of hooks) {
      (instance as Record<string, unknown>)[hook] = async () => {
        await nextTurn();
        this.all.push(`${name}:${hook}`);
      };
    }
    return instance;
  }

  /** A backend that says what it takes in, and whether what it stands on is still there. */
  backend(isOpen: () => boolean = () => true): RecordingPeerMemory {
    const backend = new RecordingPeerMemory();
    const { ingest } = backend.ingestor;
    backend.ingestor.ingest = async (request) => {
      // Slow, so that one that nobody waits for would come too late.
      await nextTurn();
      this.all.push(isOpen() ? `took ${request.messages.length}` : 'took from what was closed');
      return ingest(request);
    };
    return backend;
  }

  /** A service of the application that uses the memory in each of its hooks. */
  service(name?: string, who = 'application'): Type<unknown> {
    const refused = (): void => void this.all.push(`refused by ${who}`);
    const telling = (service: object, use: (hook: ShutdownHook) => Promise<void>): void => {
      for (const hook of SHUTDOWN_HOOKS) {
        (service as Record<string, unknown>)[hook] = async () => {
          await nextTurn();
          await use(hook).catch(refused);
          this.all.push(`${who}:${hook}`);
        };
      }
    };
    @Injectable()
    class Service {
      constructor(@Inject(getMemoryToken(AgentMemory, name)) memory: AgentMemory) {
        telling(this, async (hook) => {
          const session = await memory.session(`the last of ${who} in ${hook}`, {
            principal: Principal.user('alice'),
            workspace: Workspace.of({ id: 'ops' }),
          });
          await session.execution((t) => void t.append({ role: 'user', content: `We leave in ${hook}.` }));
        });
      }
    }
    return Service;
  }
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
