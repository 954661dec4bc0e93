import { MEMORY_CAPABILITIES, type MemoryCapability } from '../spi/peer-memory.js';
import type { IngestMode } from '../agent/ingest/ingest-mode.js';
import { DegradationKey, type Degradation } from './degradations.js';

/** What decides which degradations an assembly has. */
export interface AssemblyShape {
  readonly backendId: string;
  /** Whether the application made the backend, so that settings cannot add a tier to it. */
  readonly supplied: boolean;
  readonly capabilities: ReadonlySet<MemoryCapability>;
  readonly ingest: IngestMode;
  readonly perCaller: boolean;
  readonly masked: boolean;
  /** Whether what is retired is kept for a while; true where there is nothing to retire. */
  readonly auditWindow: boolean;
}

type Text = Pick<Degradation, 'consequence' | 'remedy'>;

/** The degradations that follow from how a memory was assembled. */
export function assemblyDegradations(shape: AssemblyShape): readonly Degradation[] {
  const { backendId, capabilities } = shape;
  const found: Degradation[] = [];
  for (const capability of MEMORY_CAPABILITIES) {
    const text =
      capability === 'INGEST'
        ? ingestText(shape)
        : capabilities.has(capability)
          ? undefined
          : missing(capability, shape);
    if (text === undefined) continue;
    // In caller mode ingestion is there, in sessions of one principal: what is missing is not the capability.
    const about = capabilities.has(capability) && shape.ingest !== 'off' ? {} : { capability };
    found.push({ key: DegradationKey[capability], kind: 'choice', ...about, backendId, ...text });
  }
  if (shape.perCaller) found.push({ key: DegradationKey.TOOLS, kind: 'choice', backendId, ...toolsText(shape) });
  if (!shape.masked && (capabilities.has('OBSERVE') || capabilities.has('INGEST'))) {
    found.push({ key: DegradationKey.REDACTION, kind: 'fault', backendId, ...redactionText(shape) });
  }
  if (!shape.auditWindow)
    found.push({ key: DegradationKey.AUDIT_WINDOW, kind: 'choice', backendId, ...auditText(shape) });
  return found;
}

const CONSEQUENCE: Readonly<Record<MemoryCapability, string>> = {
  SNAPSHOT: 'prompts do not start with what is known, and the model has no MemoryRecall tool.',
  SEARCH: 'nothing can be looked up in it, and the model has no MemorySearch tool.',
  CHAT: 'it answers no questions in words, and the model has no MemoryChat tool.',
  OBSERVE: 'no single fact can be recorded, and the model has no Observe tool.',
  INGEST: 'it takes in no conversations, so nothing that is said is remembered by itself.',
};

const TIER: Readonly<Record<MemoryCapability, string>> = {
  SNAPSHOT: 'a snapshotReader',
  SEARCH: 'a searcher',
  CHAT: 'a dialecticEngine',
  OBSERVE: 'an observationRecorder',
  INGEST: 'an ingestor',
};

const OWN_REMEDY: Readonly<Record<MemoryCapability, string>> = {
  SNAPSHOT: 'Provide REPRESENTATION_STORE beside OBSERVATION_STORE, or set aimon.memory.backend to in-memory.',
  SEARCH: 'Provide OBSERVATION_STORE, or set aimon.memory.backend to in-memory.',
  CHAT: 'Set aimon.memory.llm.model, with aimon.memory.llm.api-key or aimon.memory.llm.base-url.',
  OBSERVE: 'Provide OBSERVATION_STORE, or set aimon.memory.backend to in-memory.',
  INGEST: 'Set aimon.memory.deriver to extractive, and aimon.memory.ingest to execution-end or session-end.',
};

function missing(capability: MemoryCapability, { backendId, supplied }: AssemblyShape): Text {
  return {
    consequence: `The memory "${backendId}" has no ${capability} tier: ${CONSEQUENCE[capability]}`,
    remedy: supplied
      ? `Give the supplied PeerMemory ${TIER[capability]}, or set aimon.memory.backend to one that has ${capability}.`
      : OWN_REMEDY[capability],
  };
}

function ingestText(shape: AssemblyShape): Text | undefined {
  const { backendId, capabilities, ingest, perCaller, supplied } = shape;
  if (!capabilities.has('INGEST')) {
    const text = missing('INGEST', shape);
    // Half of what the general remedy says is set already.
    if (supplied) return text;
    if (!capabilities.has('OBSERVE')) return { ...text, remedy: `Provide OBSERVATION_STORE. ${OWN_REMEDY.INGEST}` };
    return ingest === 'off' ? text : { ...text, remedy: 'Set aimon.memory.deriver to extractive.' };
  }
  if (ingest === 'off') {
    return {
      consequence: `The memory "${backendId}" could take in conversations, but aimon.memory.ingest is off: none is handed to it, so it fills by Observe and by direct calls only.`,
      remedy: 'Set aimon.memory.ingest to execution-end or session-end.',
    };
  }
  if (!perCaller) return undefined;
  return {
    consequence: `The memory "${backendId}" belongs to whoever calls: a conversation that is handed on without a principal is not taken in.`,
    remedy:
      'A session bound to a principal does ingest: AgentMemory.session(id, { principal }). For one peer only, set aimon.memory.peer-mode to fixed.',
  };
}

function toolsText({ backendId }: AssemblyShape): Text {
  return {
    consequence: `The memory "${backendId}" belongs to whoever calls, so there are no application-wide memory tools: MEMORY_TOOLS is empty.`,
    remedy:
      'A session bound to a principal has its own: (await AgentMemory.session(id, { principal })).tools(). For one peer only, set aimon.memory.peer-mode to fixed.',
  };
}

function auditText({ backendId }: AssemblyShape): Text {
  return {
    consequence: `The observation store of the memory "${backendId}" has no audit window: what is retired is deleted at once, and history shows live observations only.`,
    remedy:
      'Give the OBSERVATION_STORE softDelete and purgeSoftDeletedBefore, or set aimon.memory.backend to in-memory.',
  };
}

function redactionText({ backendId }: AssemblyShape): Text {
  return {
    consequence: `The memory "${backendId}" is written to without a redaction policy: passwords, keys and personal data that are said are stored and come back in prompts.`,
    remedy: 'Set aimon.memory.redaction to default, or to supplied with a MEMORY_REDACTION_POLICY provider.',
  };
}
