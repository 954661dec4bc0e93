import {
  InvalidArgumentError,
  type MemoryIngestor,
  type MemoryIngestReceipt,
  type MemoryIngestRequest,
  normaliseIngestRequest,
  StoreError,
} from '../../../lib/index.js';

import { brokenIngestor } from '../support/broken-memory.js';

const KINDS = 'INGEST takes every kind of message';
const FOUND = 'INGEST makes what was said be found';
const KNOWN = 'INGEST makes what was said be known';
const SUBJECT = 'INGEST remembers about the subject';
const DERIVED = 'INGEST says that it derived only where';
const WHOLE = 'INGEST takes a batch of any size whole';
const ORDER = 'INGEST works through a large batch in its order';
const ONCE = 'INGEST takes a request with an idempotency key once';
const OTHERS = 'INGEST takes the same idempotency key of another peer';
const AT_ONCE = 'INGEST loses nothing when twenty';

const given =
  (change: (request: MemoryIngestRequest) => Partial<MemoryIngestRequest>) =>
  (sound: MemoryIngestor): MemoryIngestor => ({
    ingest: async (request) => sound.ingest({ ...request, ...change(request) }),
  });
const answered =
  (change: (receipt: MemoryIngestReceipt, request: MemoryIngestRequest) => Partial<MemoryIngestReceipt>) =>
  (sound: MemoryIngestor): MemoryIngestor => ({
    ingest: async (request) => {
      const receipt = await sound.ingest(request);
      return { ...receipt, ...change(receipt, request) };
    },
  });

/** Answers with what `keyOf` was answered with before. */
const remembering =
  (keyOf: (request: MemoryIngestRequest) => string) =>
  (sound: MemoryIngestor): MemoryIngestor => {
    const known = new Map<string, Promise<MemoryIngestReceipt>>();
    return {
      ingest: async (request) => {
        if (request.idempotencyKey === undefined) return sound.ingest(request);
        const key = keyOf(request);
        const receipt = known.get(key) ?? sound.ingest({ ...request, idempotencyKey: undefined });
        known.set(key, receipt);
        return receipt;
      },
    };
  };

export const INGEST_MUTANTS = [
  brokenIngestor('takes no tool calls', [KINDS], (sound) => ({
    ingest: async (request) => {
      if (request.messages.some(({ tool_calls }) => tool_calls !== undefined))
        throw new InvalidArgumentError('Tool calls are not supported.');
      return sound.ingest(request);
    },
  })),
  brokenIngestor('expects every content to be a text', [KINDS], (sound) => ({
    ingest: async (request) => {
      for (const { content } of request.messages) (content as string).trim();
      return sound.ingest(request);
    },
  })),
  brokenIngestor(
    'counts the messages of people',
    [KINDS],
    answered((_, { messages }) => ({
      accepted: messages.filter(({ role }) => role === 'user').length,
    })),
  ),
  brokenIngestor(
    'counts requests',
    [KINDS, WHOLE],
    answered(() => ({ accepted: 1 })),
  ),
  brokenIngestor('takes everything and remembers nothing', [FOUND, KNOWN], () => ({
    ingest: async ({ messages }) => ({ accepted: messages.length, derived: false }),
  })),
  brokenIngestor(
    'remembers about the observer',
    [SUBJECT],
    given(({ observer }) => ({ subject: observer })),
  ),
  brokenIngestor(
    'always says that it derived',
    [DERIVED],
    answered(() => ({ derived: true })),
  ),
  brokenIngestor('says that it derived where it was asked to, and did not wait', [DERIVED], (sound) => ({
    ingest: async (request) => ({
      accepted: request.messages.length,
      // Nothing of it is waited for.
      derived: (void sound.ingest({ ...request, waitForDerivation: false }), request.waitForDerivation === true),
    }),
  })),
  brokenIngestor('cuts a batch', [WHOLE], (sound) => ({
    ingest: async (request) => {
      await sound.ingest({ ...request, messages: request.messages.slice(0, 100) });
      return { accepted: request.messages.length, derived: false };
    },
  })),
  brokenIngestor(
    'cuts a batch and says so',
    [WHOLE],
    given(({ messages }) => ({ messages: messages.slice(0, 100) })),
  ),
  brokenIngestor('refuses a large batch', [WHOLE], (sound) => ({
    ingest: async (request) => {
      if (request.messages.length > 100) throw new StoreError('At most 100 messages are taken at once.');
      return sound.ingest(request);
    },
  })),
  brokenIngestor('takes the parts of a batch from behind', [ORDER], (sound) => ({
    ingest: async (request) => {
      for (let end = request.messages.length; end > 0; end -= 100)
        await sound.ingest({ ...request, messages: request.messages.slice(Math.max(0, end - 100), end) });
      return { accepted: request.messages.length, derived: false };
    },
  })),
  brokenIngestor(
    'turns a batch round',
    [ORDER],
    given(({ messages }) => ({ messages: [...messages].reverse() })),
  ),
  brokenIngestor(
    'knows no idempotency key',
    [ONCE],
    given(() => ({ idempotencyKey: undefined })),
  ),
  brokenIngestor('notes a key when it is done with the request', [ONCE], (sound) => {
    const known = new Map<string, MemoryIngestReceipt>();
    return {
      ingest: async ({ idempotencyKey = '', ...request }) => {
        const earlier = known.get(idempotencyKey);
        if (earlier !== undefined) return earlier;
        await new Promise((resolve) => setImmediate(resolve));
        const receipt = await sound.ingest(normaliseIngestRequest(request));
        if (idempotencyKey !== '') known.set(idempotencyKey, receipt);
        return receipt;
      },
    };
  }),
  brokenIngestor('says that it took nothing when a request comes again', [ONCE], (sound) => {
    const known = new Set<string>();
    return {
      ingest: async (request) => {
        const { idempotencyKey = '' } = request;
        if (known.has(idempotencyKey)) return { accepted: 0, derived: false };
        if (idempotencyKey !== '') known.add(idempotencyKey);
        return sound.ingest(request);
      },
    };
  }),
  brokenIngestor(
    'has one set of keys for all',
    [OTHERS],
    remembering(({ idempotencyKey }) => idempotencyKey ?? ''),
  ),
  brokenIngestor(
    'has one set of keys for a workspace',
    [OTHERS],
    remembering(({ observer, idempotencyKey }) => `${observer.workspace.id} ${idempotencyKey}`),
  ),
  brokenIngestor(
    'has one set of keys for all sessions of a peer',
    [OTHERS],
    remembering(({ observer, subject, idempotencyKey }) => `${observer.key()} ${subject?.key()} ${idempotencyKey}`),
  ),
  brokenIngestor('takes one request at a time and drops the others', [AT_ONCE], (sound) => {
    let busy = false;
    return {
      ingest: async (request) => {
        if (busy) return { accepted: request.messages.length, derived: false };
        busy = true;
        await new Promise((resolve) => setImmediate(resolve));
        busy = false;
        return sound.ingest(request);
      },
    };
  }),
];
