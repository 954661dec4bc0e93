import {
  InvalidArgumentError,
  type Observation,
  type ObservationDraft,
  ObservationId,
  type ObservationRecorder,
  PeerView,
  Principal,
} from '../../../lib/index.js';

import { HOSTILE_TEXTS } from '../../../lib/testkit/hostile-texts.js';
import { brokenMemory, brokenRecorder } from '../support/broken-memory.js';

const KEPT = 'OBSERVE answers with the observation as it is kept';
const TYPES = 'OBSERVE takes the four types';
const CONFIDENCE = 'OBSERVE keeps a confidence';
const FOUND = 'OBSERVE makes a fact that SEARCH finds';
const KNOWN = 'OBSERVE makes a fact that SNAPSHOT knows';
const ONCE = 'OBSERVE records a draft with an idempotency key once';
const OTHERS = 'OBSERVE takes the same idempotency key for another subject';
const METADATA = 'OBSERVE takes metadata with any key';
const LENGTH = 'OBSERVE keeps a text with a length of 100 kB';
const keeps = (what: string): string => `OBSERVE keeps a text with ${what}`;

const changed =
  (change: (kept: Observation, draft: ObservationDraft) => Observation) =>
  (sound: ObservationRecorder): Partial<ObservationRecorder> => ({
    observe: async (draft) => change(await sound.observe(draft), draft),
  });
const given =
  (change: (draft: ObservationDraft) => Partial<ObservationDraft>) =>
  (sound: ObservationRecorder): Partial<ObservationRecorder> => ({
    observe: async (draft) => sound.observe({ ...draft, ...change(draft) }),
  });
const text = (change: (content: string) => string) => given(({ content }) => ({ content: change(content) }));

export const OBSERVE_MUTANTS = [
  brokenRecorder(
    'answers with another observation',
    [KEPT],
    changed((kept) => kept.with({ id: ObservationId.generate(kept.id.workspaceId), content: `${kept.content} ` })),
  ),
  brokenRecorder('answers with the draft', [KEPT], (sound) => ({
    observe: async (draft) => {
      await sound.observe(draft);
      return draft as unknown as Observation;
    },
  })),
  brokenRecorder(
    'takes the subject for the observer',
    [KEPT],
    given(({ subject }) => ({ observer: subject })),
  ),
  brokenRecorder(
    'records about the observer',
    [KEPT],
    given(({ subject, observer }) => ({ subject: observer ?? subject })),
  ),
  brokenRecorder(
    'puts everything into one session',
    [KEPT],
    given(() => ({ sessionId: 'default' })),
  ),
  brokenRecorder(
    'takes the time of recording for that of the event',
    [KEPT],
    given(() => ({ occurredAt: new Date() })),
  ),
  brokenRecorder(
    'puts sources of its own in the place of the given ones',
    [KEPT],
    given(() => ({ sourceMessageIds: ['x'] })),
  ),
  brokenRecorder(
    'mixes up metadata',
    [KEPT, METADATA],
    given(({ metadata }) => ({
      metadata: Object.fromEntries(Object.keys(metadata ?? {}).map((key) => [key, 'x'])),
    })),
  ),
  brokenRecorder(
    'counts what is told once as told twice',
    [KEPT, ONCE],
    changed((kept) => kept.with({ corroborations: kept.corroborations + 1 })),
  ),
  brokenRecorder(
    'takes everything for EXPLICIT and does not say so',
    [TYPES],
    given(() => ({ type: 'EXPLICIT' })),
  ),
  brokenRecorder('keeps the type and says that it does not', [TYPES], () => ({ storesType: false })),
  brokenRecorder('takes no CONTRADICTION', [TYPES], (sound) => ({
    observe: async (draft) => {
      if (draft.type === 'CONTRADICTION') throw new InvalidArgumentError('CONTRADICTION is not supported.');
      return sound.observe(draft);
    },
  })),
  brokenRecorder(
    'drops the confidence and does not say so',
    [CONFIDENCE],
    given(() => ({ confidence: undefined })),
  ),
  brokenRecorder(
    'takes a confidence of 0 for none',
    [CONFIDENCE],
    given(({ confidence }) => ({
      confidence: confidence || undefined,
    })),
  ),
  brokenRecorder(
    'has one confidence for every type',
    [CONFIDENCE],
    given(({ confidence = 0.5 }) => ({ confidence })),
  ),
  brokenRecorder('does not say whether it keeps a confidence', [CONFIDENCE], () => ({
    storesConfidence: undefined,
  })),
  brokenMemory('indexes none of what is recorded', [FOUND], (memory, { backend }) => {
    const hidden = new Set<string>();
    return {
      observationRecorder: {
        ...memory.observationRecorder,
        observe: async (draft) => {
          const kept = await backend.observationRecorder?.observe(draft);
          hidden.add(kept?.id.toString() ?? '');
          return kept as Observation;
        },
      },
      searcher: {
        ...memory.searcher,
        search: async (query) =>
          (await memory.searcher.search(query)).filter(({ observation }) => !hidden.has(observation.id.toString())),
      },
    };
  }),
  brokenRecorder(
    'answers with another id than it keeps',
    [FOUND],
    changed((kept) => kept.with({ id: ObservationId.generate(kept.id.workspaceId) })),
  ),
  brokenRecorder('keeps the last fact only', [FOUND, 'OBSERVE loses nothing'], (sound) => {
    let held: ObservationDraft | undefined;
    return {
      observe: async (draft) => {
        const replaced = held;
        held = draft;
        // Whatever came before is told about somebody whom nobody asks for.
        return replaced === undefined
          ? sound.observe({ ...draft, subject: PeerView.of(draft.subject.workspace, Principal.system('bin')) })
          : sound.observe(draft);
      },
    };
  }),
  brokenMemory('has a snapshot that does not hear of what is recorded', [KNOWN], (memory) => ({
    snapshotReader: {
      read: async (query) => {
        const snapshot = await memory.snapshotReader.read(query);
        return snapshot && { ...snapshot, renderedText: 'A peer of this workspace.' };
      },
    },
  })),
  brokenRecorder(
    'trims what it keeps',
    [keeps('white space around it')],
    text((content) => content.trim()),
  ),
  brokenRecorder(
    'composes letters',
    [keeps('decomposed letters')],
    text((content) => content.normalize('NFC')),
  ),
  brokenRecorder(
    'decomposes letters',
    [keeps('composed letters')],
    text((content) => content.normalize('NFD')),
  ),
  brokenRecorder(
    'folds compatibility characters',
    [keeps('full-width')],
    text((content) => content.normalize('NFKC')),
  ),
  brokenRecorder(
    'drops marks of direction',
    [keeps('right-to-left')],
    text((content) => content.replaceAll(/[\u200e\u200f\u202a-\u202e]/g, '')),
  ),
  brokenRecorder(
    'drops what joins emoji',
    [keeps('emoji')],
    text((content) => content.replaceAll('\u200d', '')),
  ),
  brokenRecorder(
    'drops what cannot be seen',
    [keeps('characters that cannot be seen')],
    text((content) => content.replaceAll(/[\u200b-\u200d\u00ad\u2060\ufeff]/g, '')),
  ),
  brokenRecorder(
    'writes line ends in its own way',
    [keeps('line separators'), keeps('white space')],
    text((content) => content.replaceAll(/\r\n|[\u2028\u2029\u0085\v\f]/g, '\n')),
  ),
  brokenRecorder(
    'drops control characters',
    [keeps('control characters'), keeps('NUL')],
    text((content) => content.replaceAll(/(?!\s)\p{Cc}/gu, '')),
  ),
  brokenRecorder(
    'ends a text at a NUL',
    [keeps('NUL')],
    text((content) => content.split('\u0000')[0] as string),
  ),
  brokenRecorder(
    'writes UTF-8',
    [keeps('lone surrogates')],
    text((content) => Buffer.from(content).toString()),
  ),
  brokenRecorder(
    'knows the basic plane only',
    [keeps('characters beyond'), keeps('emoji')],
    text((content) => content.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '?')),
  ),
  brokenRecorder(
    'doubles quotes',
    [keeps('quotes and statements')],
    text((content) => content.replaceAll("'", "''")),
  ),
  brokenRecorder(
    'reads escapes',
    [keeps('JSON')],
    text((content) => content.replaceAll('\\n', '\n')),
  ),
  brokenRecorder(
    'escapes markup',
    [keeps('markup')],
    text((content) => content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')),
  ),
  brokenRecorder(
    'decodes percent signs',
    [keeps('percent signs')],
    text((content) => content.replaceAll('%41', 'A')),
  ),
  brokenRecorder(
    'cuts at 64 KiB',
    [LENGTH],
    text((content) => content.slice(0, 65_536)),
  ),
  brokenRecorder('refuses what is long with an error that says nothing', [LENGTH], (sound) => ({
    observe: async (draft) => {
      if (draft.content.length > 10_000) throw new RangeError('Maximum call stack size exceeded');
      return sound.observe(draft);
    },
  })),
  brokenRecorder('refuses what is long, and keeps it', [LENGTH], (sound) => ({
    observe: async (draft) => {
      const kept = await sound.observe(draft);
      if (draft.content.length > 10_000) throw new InvalidArgumentError('The content is too long.');
      return kept;
    },
  })),
  brokenMemory(
    'shows another text than it keeps',
    HOSTILE_TEXTS.map(({ what }) => keeps(what)),
    (memory) => ({
      searcher: {
        ...memory.searcher,
        search: async (query) =>
          (await memory.searcher.search(query)).map((hit) => ({
            ...hit,
            observation: hit.observation.with({ content: hit.observation.content.toUpperCase() }),
          })),
      },
    }),
  ),
  brokenRecorder(
    'knows no idempotency key',
    [ONCE],
    given(({ content, idempotencyKey }) => ({
      idempotencyKey: undefined,
      sourceMessageIds: idempotencyKey === undefined ? [] : [`${content}${Math.random()}`],
    })),
  ),
  brokenRecorder('looks up a key and writes it afterwards', [ONCE], (sound) => {
    const known = new Map<string, Observation>();
    return {
      observe: async ({ idempotencyKey, ...draft }) => {
        const key = `${draft.subject.key()} ${idempotencyKey}`;
        await new Promise((resolve) => setImmediate(resolve));
        const earlier = known.get(key);
        if (earlier !== undefined) return earlier;
        await new Promise((resolve) => setImmediate(resolve));
        const kept = await sound.observe({ ...draft, metadata: { n: String(Math.random()) }, sourceMessageIds: [] });
        if (idempotencyKey !== undefined) known.set(key, kept);
        return kept;
      },
    };
  }),
  brokenRecorder('has one set of keys for all', [OTHERS], (sound) => {
    const known = new Map<string, Observation>();
    return {
      observe: async (draft) => {
        const { idempotencyKey = '' } = draft;
        const kept = known.get(idempotencyKey) ?? (await sound.observe(draft));
        if (idempotencyKey !== '') known.set(idempotencyKey, kept);
        return kept;
      },
    };
  }),
  brokenRecorder('has one set of keys for a workspace', [OTHERS], (sound) => {
    const known = new Map<string, Observation>();
    return {
      observe: async (draft) => {
        const key = `${draft.subject.workspace.id} ${draft.idempotencyKey}`;
        const kept = known.get(key) ?? (await sound.observe(draft));
        if (draft.idempotencyKey !== undefined) known.set(key, kept);
        return kept;
      },
    };
  }),
  brokenRecorder('has columns for the metadata that it knows', [METADATA], (sound) => ({
    observe: async (draft) => {
      const odd = Object.keys(draft.metadata ?? {}).find((key) => !/^\w+$/.test(key));
      if (odd !== undefined) throw new InvalidArgumentError(`The metadata key ${odd} is not supported.`);
      return sound.observe(draft);
    },
  })),
];
