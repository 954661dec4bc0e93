import { dependenciesOf, type Module, type ProviderWrapper } from './dependencies-of.js';
import { MEMORY_STACK } from './memory-stack-provider.js';
import { looksUpByItself, providersBehind } from './providers-behind.js';

/** The hooks of a shutdown, in the order in which Nest calls them. */
const SHUTDOWN_HOOKS = ['onModuleDestroy', 'beforeApplicationShutdown', 'onApplicationShutdown'] as const;

/** The hook by the end of which a memory must be taken down in full. */
export type TeardownMoment = (typeof SHUTDOWN_HOOKS)[number];

/**
 * When the memory of a module must be done: in the first phase in which anything that its supplied parts stand on may be
 * destroyed, and in the last where nothing may. Who may destroy something is itself, by a hook; the class of its module, and
 * what else in there was injected with it. A part that asks Nest's `ModuleRef` may stand on anything.
 */
export function teardownMoment(memory: Module): TeardownMoment {
  const behind = providersBehind(memory);
  if ([...behind].some(looksUpByItself)) return 'onModuleDestroy';
  const holders = [...new Set([...behind].map(({ host }) => host))].flatMap((host) =>
    host === undefined ? [] : holdersIn(host, behind),
  );
  const instances = [...behind, ...holders].flatMap(instancesOf);
  return (
    SHUTDOWN_HOOKS.find((hook) =>
      instances.some(
        (instance) => typeof (instance as Record<string, unknown> | null | undefined)?.[hook] === 'function',
      ),
    ) ?? 'onApplicationShutdown'
  );
}

/** Who in a module may close what is behind the memory. Who uses the memory is destroyed before it, and needs no care. */
function holdersIn(host: Module, behind: ReadonlySet<ProviderWrapper>): readonly ProviderWrapper[] {
  return [...host.providers.values()].filter((provider) => {
    if (provider.token === host.metatype) return true;
    const known = new Set([provider]);
    for (const wrapper of known) for (const dependency of dependenciesOf(wrapper)) known.add(dependency);
    const all = [...known];
    return all.some((wrapper) => behind.has(wrapper)) && !all.some(({ token }) => token === MEMORY_STACK);
  });
}

function instancesOf(wrapper: ProviderWrapper): readonly unknown[] {
  if (!wrapper.isTransient) return [wrapper.instance];
  return wrapper.getStaticTransientInstances().map((made) => made?.instance);
}
