import type { MemorySettings } from './memory-settings.js';
import { everySpelling, KEY_PREFIX, knownKeys } from './setting-names.js';
import type { GivenSetting } from './given-setting.js';
import { shownSetting } from './shown-setting.js';

type Given = ReadonlyMap<string, GivenSetting>;
/** What is faulty by itself is absent. */
type Settings = Partial<Omit<MemorySettings, 'backend' | 'deriver' | 'redaction'>> & {
  readonly backend?: string;
  readonly deriver?: string;
  readonly redaction?: string;
} & Readonly<Record<string, unknown>>;

const below = (...groups: readonly string[]): readonly string[] =>
  knownKeys().filter((key) => groups.some((group) => key.startsWith(`${group}.`)));

const QUEUE = below('queue');
const LLM = below('llm');
const EMBEDDING = below('embedding');
const REMOTE = below('remote');
const MAINTENANCE = below('maintenance');
const DREAMER = below('dreamer').filter((key) => key !== 'dreamer.enabled');

/**
 * The settings that contradict each other, lack another, or would not be read: what was set and would not be read is
 * refused. A fault of one setting by itself is not told a second time here. What has no implementation yet is judged as if
 * it had one, so that all that is wrong comes at once.
 */
export function crossFaults(
  resolved: MemorySettings,
  given: Given,
  { wholeBackend }: { readonly wholeBackend: boolean },
): readonly string[] {
  const settings = resolved as unknown as Settings;
  // A whole backend does all that by itself; that these settings are not read is then said once, and not why else.
  const ownWork = settings.backend === 'remote' || (settings.backend === 'supplied' && wholeBackend) ? [] : OWN_WORK;
  if (settings.backend === 'none') return given.has('backend') ? [] : withoutBackend(given);
  return [
    ...peerFaults(settings, given),
    ...backendFaults(settings, given),
    ...ownWork.flatMap((faults) => faults(settings, given)),
    ...remoteFaults(settings, given),
    ...(settings.ingest === 'off'
      ? refused(
          given,
          ['ingest-forks'],
          notRead('ingest is off', 'set aimon.memory.ingest to execution-end or session-end'),
        )
      : []),
  ];
}

/** Set, while nothing says that there is to be a memory: forgetting the backend must not look like having one. */
function withoutBackend(given: Given): readonly string[] {
  return refused(
    given,
    [...given.keys()].filter((key) => key !== 'settings-file'),
    'but no backend is, so nothing would be remembered; set aimon.memory.backend (none, to switch memory off), or remove it',
  );
}

function peerFaults({ peerMode, workspaceMode }: Settings, given: Given): readonly string[] {
  const faults: string[] = [];
  if (workspaceMode === 'fixed' && !given.has('workspace-id')) {
    faults.push(
      missing(
        'workspace-id',
        'it takes the id of the tenant whose memory this is. Set it, or, for many tenants, set aimon.memory.workspace-mode and aimon.memory.peer-mode to caller',
      ),
    );
  }
  if (workspaceMode === 'caller') {
    faults.push(
      ...refused(
        given,
        ['workspace-id'],
        'but with workspace-mode caller every session names its workspace; remove it, or set aimon.memory.workspace-mode to fixed',
      ),
    );
    if (peerMode === 'fixed') {
      faults.push(
        `${spelled(given, 'workspace-mode')} is "caller", but the peer is fixed, and a peer lives in one workspace; set aimon.memory.peer-mode to caller, or aimon.memory.workspace-mode to fixed.`,
      );
    }
  }
  if (peerMode === 'fixed' && workspaceMode !== 'caller' && !given.has('peer-id')) {
    faults.push(
      missing(
        'peer-id',
        `it takes the id of the peer whose memory this is. Set it, or set aimon.memory.peer-mode to caller for one memory per caller${given.has('peer-name') || given.has('peer-type') ? ', who has a name and a type already' : ''}`,
      ),
    );
  }
  if (peerMode === 'caller') {
    faults.push(
      ...refused(
        given,
        ['peer-id', 'peer-name', 'peer-type'],
        'but with peer-mode caller the peer is whoever calls; remove it, or set aimon.memory.peer-mode to fixed',
      ),
    );
  }
  return faults;
}

/** Settings of a backend that is not the chosen one, and what the chosen one lacks. */
function backendFaults({ backend }: Settings, given: Given): readonly string[] {
  if (backend === undefined) return [];
  const otherThan = (name: string): string =>
    notRead(`the backend is ${backend}`, `set aimon.memory.backend to ${name}`);
  const faults: string[] = [];
  if (backend === 'file') {
    if (!given.has('storage-path'))
      faults.push(
        missing(
          'storage-path',
          'the backend file takes the folder that the memory is kept in. Set it, or choose another aimon.memory.backend',
        ),
      );
  } else faults.push(...refused(given, ['storage-path', 'storage-fsync'], otherThan('file')));
  if (backend === 'remote') {
    if (!given.has('remote.base-url'))
      faults.push(
        missing(
          'remote.base-url',
          'the backend remote takes the address of the memory service. Set it, or choose another aimon.memory.backend',
        ),
      );
  } else faults.push(...refused(given, REMOTE, otherThan('remote')));
  if (backend !== 'file' && backend !== 'in-memory') {
    faults.push(...refused(given, MAINTENANCE, otherThan('in-memory')));
  }
  return faults;
}

/** What `remote` derives, queues, embeds and indexes it does by itself: two systems would work on one conversation. */
function remoteFaults(
  { backend, redaction, remoteProtocol, remoteWaitForDerivation }: Settings,
  given: Given,
): readonly string[] {
  if (backend !== 'remote') return [];
  const faults = [...ownWorkFaults(given, 'the memory service derives, queues, indexes and calls models by itself')];
  if (redaction === 'none') {
    faults.push(
      `${spelled(given, 'redaction')} is "none", but with the backend remote what is said leaves this process; set it to default, or remove it.`,
    );
  }
  if (remoteProtocol === 'honcho' && remoteWaitForDerivation === true) {
    faults.push(
      `${spelled(given, 'remote.wait-for-derivation')} is set to true, but the protocol honcho cannot wait; remove it, or set aimon.memory.remote.protocol to aimon.`,
    );
  }
  return faults;
}

/** The settings of work that a whole backend does by itself; `by` says who does it, `otherwise` what else can be done. */
export function ownWorkFaults(given: Given, by: string, otherwise = ''): readonly string[] {
  const off: Readonly<Record<string, readonly string[]>> = {
    deriver: ['none'],
    'reconciler-enabled': ['false', '0'],
    'dreamer.enabled': ['false', '0'],
    'embedding.provider': ['none'],
    'index.max-bytes': ['none'],
  };
  const keys = [...Object.keys(off), ...LLM, ...EMBEDDING, ...QUEUE, ...DREAMER];
  return refused(
    given,
    [...new Set(keys)].filter((key) => off[key]?.includes(String(given.get(key)?.value).trim()) !== true),
    `but ${by}, so it would not be read; remove it${otherwise}`,
  );
}

function deriverFaults(
  { deriver, llmModel, reconcilerEnabled, dreamerEnabled }: Settings,
  given: Given,
): readonly string[] {
  const faults: string[] = [];
  if (deriver === 'none') {
    faults.push(
      ...refused(
        given,
        QUEUE,
        'but no deriver is, so there is no queue to read it; set aimon.memory.deriver to extractive, or remove it',
      ),
    );
  }
  if ((deriver === 'llm' || deriver === 'react') && llmModel === undefined && !given.has('llm.model')) {
    faults.push(
      `${spelled(given, 'deriver')} is "${deriver}", which derives with a model, but ${KEY_PREFIX}.llm.model is not set; set it, or set aimon.memory.deriver to extractive.`,
    );
  }
  if (reconcilerEnabled === true) {
    const lacks = [
      ...(given.has('llm.model') ? [] : ['a model (aimon.memory.llm.model)']),
      ...(deriver !== 'none' || dreamerEnabled === true
        ? []
        : ['a deriver or the dreamer to call it (aimon.memory.deriver, aimon.memory.dreamer.enabled)']),
    ];
    if (lacks.length > 0) {
      faults.push(
        `${spelled(given, 'reconciler-enabled')} is set to true, but the reconciler needs ${lacks.join(' and ')}; set ${lacks.length > 1 ? 'them' : 'it'}, or remove it.`,
      );
    }
  }
  return faults;
}

function modelFaults(_: Settings, given: Given): readonly string[] {
  if (!given.has('llm.model')) {
    return refused(
      given,
      LLM,
      'but aimon.memory.llm.model is not, so no model is called and it would not be read; set aimon.memory.llm.model, or remove it',
    );
  }
  return given.has('llm.api-key') || given.has('llm.base-url')
    ? []
    : [
        `${spelled(given, 'llm.model')} is set to ${shownSetting('llm.model', given.get('llm.model')?.value)}, but neither aimon.memory.llm.api-key nor aimon.memory.llm.base-url is, and OpenAI's own server asks for a key; set one of them, or remove it.`,
      ];
}

function embeddingFaults({ embeddingProvider }: Settings, given: Given): readonly string[] {
  const provider = String(embeddingProvider);
  if (provider === 'none') {
    return refused(
      given,
      EMBEDDING.filter((key) => key !== 'embedding.provider'),
      notRead('aimon.memory.embedding.provider is none', 'set it to openai or local'),
    );
  }
  if (provider === 'local') {
    return refused(
      given,
      ['embedding.api-key', 'embedding.base-url'],
      notRead('the provider is local, in this process', 'set aimon.memory.embedding.provider to openai'),
    );
  }
  return provider !== 'openai' || given.has('embedding.api-key') || given.has('embedding.base-url')
    ? []
    : [
        `${spelled(given, 'embedding.provider')} is "openai", but neither aimon.memory.embedding.api-key nor aimon.memory.embedding.base-url is set, and OpenAI's own server asks for a key; set one of them, or set it to none or local.`,
      ];
}

function dreamerFaults(settings: Settings, given: Given): readonly string[] {
  const { dreamerEnabled, dreamerScorerType, embeddingProvider } = settings;
  if (dreamerEnabled === undefined) return [];
  if (dreamerEnabled === false) {
    return refused(
      given,
      DREAMER,
      'but aimon.memory.dreamer.enabled is not, so it would not be read; set aimon.memory.dreamer.enabled to true, or remove it',
    );
  }
  const scorer = given.has('dreamer.scorer.type')
    ? `${spelled(given, 'dreamer.scorer.type')} is "${String(dreamerScorerType)}"`
    : `${KEY_PREFIX}.dreamer.scorer.type is "${String(dreamerScorerType)}", its default`;
  const faults: string[] = [];
  if (dreamerScorerType === 'llm' && !given.has('llm.model')) {
    faults.push(
      `${scorer}, which judges with a model, but aimon.memory.llm.model is not set; set it, or set aimon.memory.dreamer.scorer.type to embedding.`,
    );
  }
  if (dreamerScorerType === 'embedding') {
    if (embeddingProvider === 'none') {
      faults.push(
        `${scorer}, which compares vectors, but aimon.memory.embedding.provider is none; set it to openai or local, or set aimon.memory.dreamer.scorer.type to llm.`,
      );
    }
    faults.push(
      ...refused(
        given,
        ['dreamer.scorer.llm.model'],
        notRead('the scorer is embedding', 'set aimon.memory.dreamer.scorer.type to llm'),
      ),
    );
  }
  return faults;
}

const OWN_WORK = [deriverFaults, modelFaults, embeddingFaults, dreamerFaults] as const;

const missing = (key: string, why: string): string => `${everySpelling(key)} is not set; ${why}.`;

const notRead = (why: string, otherwise: string): string =>
  `but ${why}, so it would not be read; ${otherwise}, or remove it`;

function refused(given: Given, keys: readonly string[], why: string): readonly string[] {
  return keys.flatMap((key) => {
    const setting = given.get(key);
    return setting === undefined ? [] : [`${setting.spelling} is set to ${shownSetting(key, setting.value)}, ${why}.`];
  });
}

/** The key as its source spells it, or the documentation where no source gave it. */
export function spelled(given: Given, key: string): string {
  return given.get(key)?.spelling ?? `${KEY_PREFIX}.${key}`;
}
