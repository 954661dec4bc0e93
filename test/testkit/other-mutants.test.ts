import {
  DefaultRedactionPolicy,
  type DerivationQueue,
  InMemoryDerivationQueue,
  LexicalIndex,
  ObservationId,
  type ObservationIndex,
  PeerView,
  Principal,
  RedactionError,
  type RedactionPolicy,
  type RedactionResult,
  StoreError,
  Workspace,
} from '../../lib/index.js';
import {
  type DerivationQueueParts,
  DerivationQueueUnderTest,
} from '../../lib/testkit/derivation-queue/derivation-queue-under-test.js';
import { DERIVATION_QUEUE_CONTRACT } from '../../lib/testkit/derivation-queue/describe-derivation-queue-contract.js';
import { OBSERVATION_INDEX_CONTRACT, ObservationIndexUnderTest } from '../../lib/testkit/observation-index-contract.js';
import {
  REDACTION_POLICY_CONTRACT,
  type RedactionPolicyUnderTest,
} from '../../lib/testkit/redaction-policy-contract.js';
import { broken } from './support/bound.js';
import { describeMutants, type Mutant } from './support/mutants.js';
import { POLICY_EXAMPLES } from './support/policy-examples.js';

const later = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Index = Required<ObservationIndex>;

const index = (
  name: string,
  caughtBy: readonly string[],
  breaking: (sound: Index) => Partial<Index>,
): Mutant<ObservationIndexUnderTest> => ({
  name,
  caughtBy,
  make: async () => {
    const made = { index: broken<Index>(new LexicalIndex(), breaking) };
    return {
      subject: new ObservationIndexUnderTest(made, ['SCORES', 'SESSIONS', 'FILLS']),
      close: async () => undefined,
    };
  },
});

const BEST = 'finds an observation by its own words';
const PLACE = 'takes an observation in the place';
const GONE = 'finds no more what was deleted';
const FORGETS = 'forgets a subject, and a workspace';
const APART = 'keeps apart peers and workspaces';
const HOLDS = 'holds a subject that it was filled with';

describeMutants('the contract of an index', OBSERVATION_INDEX_CONTRACT, [
  index('has scores and says that it has none', ['does exactly what'], () => ({ scores: false })),
  index('holds and cannot be filled', ['does exactly what'], () => ({ fill: undefined })),
  index('has the best hit last', [BEST, 'scores from 0 to 1'], (sound) => ({
    search: async (...asked) => [...(await sound.search(...asked))].reverse(),
  })),
  index('finds each observation twice', [BEST], (sound) => ({
    search: async (subject, query, options) =>
      (await sound.search(subject, query, options)).flatMap((hit) => [hit, hit]).slice(0, options.topK),
  })),
  index('finds one more than was asked for', [BEST], (sound) => ({
    search: async (subject, query, options) => sound.search(subject, query, { ...options, topK: options.topK + 1 }),
  })),
  index('answers in another order each time', ['answers equal questions'], (sound) => {
    let time = 0;
    return {
      search: async (...asked) => {
        const hits = await sound.search(...asked);
        return time++ % 2 === 0 ? hits : [...hits].reverse();
      },
    };
  }),
  index('has scores of more than one', ['scores from 0 to 1'], (sound) => ({
    search: async (...asked) => (await sound.search(...asked)).map((hit) => ({ ...hit, score: 40 * (hit.score ?? 0) })),
  })),
  index('has no scores and says that it has', ['scores from 0 to 1'], (sound) => ({
    search: async (...asked) => (await sound.search(...asked)).map(({ id }) => ({ id })),
  })),
  index('looks through all sessions', ['finds that session only'], (sound) => ({
    search: async (subject, query, { topK }) => sound.search(subject, query, { topK }),
  })),
  index('takes sessions that differ in white space for one', ['finds that session only'], (sound) => ({
    index: async (one) =>
      sound.index(one.sessionId === undefined ? one : one.with({ sessionId: one.sessionId.trim() })),
    search: async (subject, query, { sessionId, ...options }) =>
      sound.search(subject, query, sessionId === undefined ? options : { ...options, sessionId: sessionId.trim() }),
  })),
  index('keeps what it had of the same id', [PLACE], (sound) => {
    const known = new Set<string>();
    return {
      index: async (one) => {
        if (!known.has(one.id.toString())) await sound.index(one);
        known.add(one.id.toString());
      },
    };
  }),
  index('keeps what it had of the same id under another subject', [PLACE], (sound) => {
    const subjects = new Map<string, PeerView>();
    const stale = new Map<string, ObservationId[]>();
    return {
      index: async (one) => {
        const before = subjects.get(one.id.toString());
        if (before !== undefined && !before.equals(one.subject)) stale.set(before.key(), [one.id]);
        subjects.set(one.id.toString(), one.subject);
        await sound.index(one);
      },
      search: async (subject, ...asked) => [
        ...(await sound.search(subject, ...asked)),
        ...(stale.get(subject.key()) ?? []).map((id) => ({ id, score: 0 })),
      ],
    };
  }),
  index('deletes nothing', [GONE], () => ({ delete: async () => undefined })),
  index('fails when it has nothing to delete', [GONE], (sound) => {
    const known = new Set<string>();
    return {
      index: async (one) => {
        known.add(one.id.toString());
        await sound.index(one);
      },
      delete: async (id) => {
        if (!known.delete(id.toString())) throw new StoreError('No such observation.');
        await sound.delete(id);
      },
    };
  }),
  index('deletes by the local id', [GONE], (sound) => ({
    delete: async ({ localId }) => sound.delete(ObservationId.of({ workspaceId: 'ops', localId })),
  })),
  index('never forgets', [FORGETS, HOLDS], () => ({
    eraseSubject: async () => undefined,
    eraseWorkspace: async () => undefined,
  })),
  index('forgets the workspace of a subject', [FORGETS], (sound) => ({
    eraseSubject: async ({ workspace }) => sound.eraseWorkspace(workspace),
  })),
  index('forgets workspaces whose ids begin so', [FORGETS], (sound) => {
    const seen = new Set<string>();
    return {
      index: async (one) => {
        seen.add(one.subject.workspace.id);
        await sound.index(one);
      },
      eraseWorkspace: async (workspace) => {
        for (const id of seen) if (id.startsWith(workspace.id)) await sound.eraseWorkspace(Workspace.of({ id }));
      },
    };
  }),
  index('folds ids', [APART], (sound) => {
    const folded = ({ workspace, principal }: PeerView): PeerView =>
      PeerView.of(workspace, Principal.user(principal.id.normalize('NFKC').toLowerCase()));
    return {
      index: async (one) => sound.index(one.with({ subject: folded(one.subject), observer: folded(one.observer) })),
      search: async (subject, ...asked) => sound.search(folded(subject), ...asked),
    };
  }),
  index('does not look at the workspace', [APART], (sound) => {
    const all = Workspace.of({ id: 'ops' });
    return {
      index: async (one) => {
        const subject = PeerView.of(all, one.subject.principal);
        const id = ObservationId.of({ workspaceId: 'ops', localId: one.id.localId });
        await sound.index(one.with({ id, subject, observer: subject }));
      },
      search: async ({ principal }, ...asked) => sound.search(PeerView.of(all, principal), ...asked),
    };
  }),
  index('hands the query to a query language', ['takes any text'], (sound) => ({
    search: async (subject, query, options) => {
      if (query.startsWith('"')) throw new StoreError('Syntax error.');
      return sound.search(subject, query, options);
    },
  })),
  index('takes no long text', ['takes any text'], (sound) => ({
    index: async (one) => {
      if (one.content.length > 50_000) throw new RangeError('Out of memory');
      await sound.index(one);
    },
  })),
  index('fails for a subject that it does not know', ['finds nothing for a subject'], (sound) => ({
    search: async (...asked) => {
      const hits = await sound.search(...asked);
      if (hits.length === 0) throw new StoreError('No such subject.');
      return hits;
    },
  })),
  index('loses what is indexed at the same time', ['loses nothing when many'], (sound) => {
    let writing = false;
    return {
      index: async (one) => {
        if (writing) return;
        writing = true;
        await later();
        writing = false;
        await sound.index(one);
      },
    };
  }),
  index('holds everybody', [HOLDS], () => ({ holds: () => true })),
  index('keeps what was there when it is filled', [HOLDS], (sound) => ({
    fill: async (_, observations) => {
      for (const one of observations) await sound.index(one);
    },
  })),
  index('does not hold a subject of whom nothing is known', [HOLDS], (sound) => {
    const empty = new Set<string>();
    return {
      fill: async (subject, observations) => {
        const all = [...observations];
        if (all.length === 0) empty.add(subject.key());
        await sound.fill(subject, all);
      },
      holds: (subject) => sound.holds(subject) && !empty.has(subject.key()),
    };
  }),
]);

const queue = (
  name: string,
  caughtBy: readonly string[],
  breaking: (sound: DerivationQueue, parts: DerivationQueueParts) => Partial<DerivationQueue>,
  options: {
    readonly hangs?: boolean;
    readonly parts?: (
      parts: DerivationQueueParts,
    ) => Partial<DerivationQueueParts> & { workerCount?: number; maxAttempts?: number };
  } = {},
): Mutant<DerivationQueueUnderTest> => ({
  name,
  caughtBy,
  hangs: options.hangs,
  make: async () => {
    const subject = new DerivationQueueUnderTest();
    await subject.make((parts) => {
      const sound = new InMemoryDerivationQueue({ ...parts, retryDelayMs: 1, ...options.parts?.(parts) });
      return { queue: broken<DerivationQueue>(sound, (each) => breaking(each, parts)) };
    });
    return { subject, close: () => subject.close() };
  },
});
/** A queue over a deriver, or a policy, that is called in another way. */
const deriving = (
  name: string,
  caughtBy: readonly string[],
  parts: (
    parts: DerivationQueueParts,
  ) => Partial<DerivationQueueParts> & { workerCount?: number; maxAttempts?: number },
  hangs = false,
): Mutant<DerivationQueueUnderTest> => queue(name, caughtBy, () => ({}), { parts, hangs });

/** A queue that says when an outage begins, and works on all the same. */
const workingOn = (name: string, caughtBy: readonly string[]): Mutant<DerivationQueueUnderTest> => {
  const listeners = new Set<Parameters<DerivationQueue['onOutage']>[0]>();
  const onOutage: DerivationQueue['onOutage'] = (listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  };
  return queue(name, caughtBy, () => ({ onOutage }), {
    parts: ({ deriver }) => ({
      deriver: {
        derive: async (context) => {
          try {
            return await deriver.derive(context);
          } catch {
            for (const listener of listeners) listener({ reason: 'away', since: new Date() });
            throw new Error('Away.');
          }
        },
      },
      maxAttempts: 1_000_000,
    }),
  });
};
/** A deriver whose outages look like any other failure. */
const throughAnError = ({ deriver }: DerivationQueueParts): Pick<DerivationQueueParts, 'deriver'> => ({
  deriver: {
    derive: async (context) => {
      try {
        return await deriver.derive(context);
      } catch {
        throw new Error('Away.');
      }
    },
  },
});

const WAITS = 'works on nothing before';
const ONCE = 'says once of each message';
const ORDER = 'works on a unit in its order';
const AT_ONCE = 'keeps the order of tasks that come at once';
const SIDE = 'works on units side by side';
const TOGETHER = 'gives the deriver what belongs together';
const LONG = 'gives the deriver all of a long message';
const AGAIN = 'tries again what failed';
const GIVES_UP = 'gives up what fails every time';
const IDLE = 'says of a unit when it is idle';
const LISTENERS = 'tells every listener';
const OUTAGE = 'waits for a service that is away';
const ONE_TRY = 'lets one batch at a time try';
const RETRIED = 'has what it gave up tried again';
const FORGETS_LETTERS = 'forgets what it gave up of a peer';
const FINISHES = 'finishes what it has';
const UNFINISHED = 'says how much it had not finished';
const LOST = 'says of each message that it had not finished';
const MASKS = 'masks a message';
const UNMASKED = 'takes nothing of a task that cannot be masked';
const ERASES = 'drops what waits for or about a peer';
const ERASES_WORKSPACE = 'drops what waits in a workspace';
const ERASED = 'has erased a peer when nothing';
const KEPT = 'says of no message that it keeps';

describeMutants('the contract of a queue', DERIVATION_QUEUE_CONTRACT, [
  queue('starts by itself', [WAITS], (sound) => ({
    enqueue: async (task) => {
      sound.start();
      return sound.enqueue(task);
    },
  })),
  queue('does not say how many it took', [WAITS], (sound) => ({
    enqueue: async (task) => {
      await sound.enqueue(task);
      return 1;
    },
  })),
  queue('counts wrongly', [WAITS, GIVES_UP], () => ({ stats: () => ({ pending: 0, inFlight: 1, deadLettered: 0 }) })),
  queue('says twice what became of a message', [ONCE, LONG], (sound) => ({
    onOutcome: (listener) =>
      sound.onOutcome((outcome) => {
        listener(outcome);
        listener(outcome);
      }),
  })),
  queue('says of all that they are stored', [ONCE], (sound) => ({
    onOutcome: (listener) => sound.onOutcome((outcome) => listener({ ...outcome, outcome: 'stored' })),
  })),
  queue('gives no reason', [ONCE, GIVES_UP, LOST], (sound) => ({
    onOutcome: (listener) => sound.onOutcome((outcome) => listener({ ...outcome, reason: undefined })),
  })),
  queue('does not say on what a message has become a fact', [ONCE], (sound) => ({
    onOutcome: (listener) => sound.onOutcome((outcome) => listener({ ...outcome, observationIds: [] })),
  })),
  queue('works on all that comes, at once', [ORDER], (_, { deriver }) => ({
    enqueue: async ({ messages, subject, observer, sessionId }) => {
      const { workspace } = subject;
      deriver.derive({ workspace, subject, observer, sessionId, messages, tokenBudget: 1 }).catch(() => undefined);
      return messages.length;
    },
  })),
  queue('takes the last message first', [AT_ONCE], (sound) => {
    const held: Parameters<typeof sound.enqueue>[0][] = [];
    return {
      enqueue: async (task) => {
        held.push(task);
        await later();
        await later();
        const next = held.pop();
        return next === undefined ? 0 : sound.enqueue(next);
      },
    };
  }),
  queue('queues what is masked first', [AT_ONCE], (sound) => ({
    enqueue: async (task) => {
      for (let turn = 0; turn < JSON.stringify(task.messages).length / 1000; turn++) await later();
      return sound.enqueue(task);
    },
  })),
  deriving('works on one unit at a time', [SIDE], () => ({ workerCount: 1 }), true),
  queue(
    'takes sessions of the same name for one',
    [SIDE, TOGETHER],
    (sound) => ({
      enqueue: async (task) =>
        sound.enqueue({ ...task, observer: PeerView.of(Workspace.of({ id: 'ops' }), Principal.user('mina')) }),
    }),
    { hangs: true },
  ),
  queue('mixes subjects', [TOGETHER], (sound) => ({
    enqueue: async (task) => sound.enqueue({ ...task, subject: task.observer }),
  })),
  deriving('cuts long messages', [LONG], ({ deriver }) => ({
    deriver: {
      derive: async (context) =>
        deriver.derive({
          ...context,
          messages: context.messages.map((one) => ({
            ...one,
            content: typeof one.content === 'string' ? one.content.slice(0, 1000) : one.content,
          })),
        }),
    },
  })),
  deriving('tries once', [AGAIN], () => ({ maxAttempts: 1 })),
  queue('lets others overtake what failed', [AGAIN], (sound) => {
    let n = 0;
    return {
      enqueue: async (task) =>
        sound.enqueue({ ...task, sessionId: task.sessionId === 'a' ? `a${n++}` : task.sessionId }),
    };
  }),
  deriving('never gives up', [GIVES_UP], () => ({ maxAttempts: 1_000_000 }), true),
  deriving('counts a try of a service that is away as an attempt', [OUTAGE], (parts) => ({
    ...throughAnError(parts),
    maxAttempts: 3,
  })),
  workingOn('tries a service that is away with all its workers', [ONE_TRY]),
  queue('tells nobody of an outage when a listener fails', [OUTAGE], (sound) => {
    let failed = false;
    return {
      onOutage: (listener) =>
        sound.onOutage((outage) => {
          if (failed) return;
          failed = true;
          listener(outage);
          failed = false;
        }),
    };
  }),
  queue('says nothing of an outage', [OUTAGE], () => ({ onOutage: () => () => undefined })),
  queue('does not say that an outage has passed', [OUTAGE], (sound) => ({
    onOutage: (listener) => sound.onOutage((outage) => outage !== undefined && listener(outage)),
  })),
  queue('does not hold an outage in its stats', [OUTAGE], (sound) => ({
    stats: () => {
      const { pending, inFlight, deadLettered } = sound.stats();
      return { pending, inFlight, deadLettered };
    },
  })),
  queue('tells of outages who listens no more', [OUTAGE], (sound) => ({
    onOutage: (listener) => {
      sound.onOutage(listener);
      return () => undefined;
    },
  })),
  queue('keeps nothing that it gave up', [RETRIED], () => ({ retryDeadLettered: async () => 0 })),
  queue('says that it tries again what it gave up, and does not', [RETRIED], () => ({
    retryDeadLettered: async () => 2,
  })),
  queue('counts batches that it tries again', [RETRIED], (sound) => ({
    retryDeadLettered: async () => Math.min(1, await sound.retryDeadLettered()),
  })),
  queue('gives up what it gave up when a peer is erased', [FORGETS_LETTERS], (sound) => {
    let given = 0;
    return {
      erase: async (what) => {
        given = sound.stats().deadLettered;
        await sound.erase(what);
      },
      stats: () => ({ ...sound.stats(), deadLettered: sound.stats().deadLettered + given }),
    };
  }),
  queue('counts nothing that it gave up', [GIVES_UP, RETRIED], (sound) => ({
    stats: () => ({ ...sound.stats(), deadLettered: 0 }),
  })),
  queue(
    'waits for all units',
    [IDLE],
    (sound) => ({ whenIdle: async (_, signal) => sound.whenIdle(undefined, signal) }),
    { hangs: true },
  ),
  queue('is always idle', [WAITS, IDLE], () => ({ whenIdle: async () => undefined })),
  queue(
    'does not let go of who waits no more',
    [IDLE],
    (sound) => ({ whenIdle: async (unit) => sound.whenIdle(unit) }),
    { hangs: true },
  ),
  queue('tells the first listener', [LISTENERS], (sound) => {
    let listening = false;
    return {
      onOutcome: (listener) => {
        if (listening) return () => undefined;
        listening = true;
        return sound.onOutcome(listener);
      },
    };
  }),
  queue('tells a listener that listens no more', [LISTENERS], (sound) => ({
    onOutcome: (listener) => {
      sound.onOutcome(listener);
      return () => undefined;
    },
  })),
  queue('tells nobody when a listener fails', [LISTENERS], (sound) => {
    const listeners = new Set<Parameters<typeof sound.onOutcome>[0]>();
    sound.onOutcome((outcome) => {
      for (const listener of [...listeners].reverse()) {
        try {
          listener(outcome);
        } catch {
          return;
        }
      }
    });
    return {
      onOutcome: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    };
  }),
  queue('stops at once', [FINISHES], (sound) => ({ stop: async () => sound.stop({ drainMs: 0 }) })),
  queue('takes messages for ever', [FINISHES], (sound) => {
    let stopped = false;
    return {
      stop: async (options) => {
        stopped = true;
        return sound.stop(options);
      },
      enqueue: async (task) => (stopped ? task.messages.length : sound.enqueue(task)),
    };
  }),
  queue('says that it has finished all', [UNFINISHED], (sound) => ({
    stop: async (options) => {
      await sound.stop(options);
      return { unfinishedMessages: 0 };
    },
  })),
  queue(
    'never stops while something is being worked on',
    [UNFINISHED],
    (sound) => ({
      stop: async (options) => {
        await sound.whenIdle();
        return sound.stop(options);
      },
    }),
    { hangs: true },
  ),
  queue('says nothing of what it had not finished', [LOST], (sound) => {
    let stopped = false;
    return {
      stop: async (options) => {
        stopped = true;
        return sound.stop(options);
      },
      onOutcome: (listener) => sound.onOutcome((outcome) => (stopped ? undefined : listener(outcome))),
    };
  }),
  deriving('does not mask', [MASKS, UNMASKED], () => ({
    redactionPolicy: {
      name: 'none',
      redact: (content) => ({ redactedContent: content, matches: [], modified: false }),
    },
  })),
  queue('fails to mask with an accident', [UNMASKED], (sound) => ({
    enqueue: async (task) => {
      try {
        return await sound.enqueue(task);
      } catch (error) {
        if (error instanceof RedactionError) throw new TypeError('redact is not a function', { cause: error });
        throw error;
      }
    },
  })),
  queue('drops in silence what cannot be masked', [UNMASKED], (sound) => ({
    enqueue: async (task) => sound.enqueue(task).catch(() => task.messages.length),
  })),
  queue('erases nothing', [ERASES, ERASES_WORKSPACE, ERASED], () => ({ erase: async () => undefined })),
  queue('erases what waits about a peer and not for it', [ERASES], (sound) => {
    const dropped = new Set<string>();
    return {
      enqueue: async (task) => {
        if (task.observer.principal.id === 'lee' && task.observer.workspace.id === 'ops')
          dropped.add(task.messages[0]?.id ?? '');
        return sound.enqueue(task);
      },
      erase: async (what) => {
        void what;
        // What waits for the peer goes on.
      },
    };
  }),
  queue('erases all that waits', [ERASES, ERASES_WORKSPACE], (sound) => ({
    erase: async () => {
      for (const id of ['ops', 'ops:', 'x']) await sound.erase(Workspace.of({ id }));
    },
  })),
  queue('does not wait for what is being worked on', [ERASED], (sound) => ({
    erase: async (what) => void sound.erase(what),
  })),
  queue('says of what it keeps that it is lost', [KEPT], () => ({})),
]);

const policy = (
  name: string,
  caughtBy: readonly string[],
  breaking: (redact: (content: string) => RedactionResult) => Partial<RedactionPolicy>,
): Mutant<RedactionPolicyUnderTest> => ({
  name,
  caughtBy,
  make: async () => {
    const sound = new DefaultRedactionPolicy();
    const breakage = breaking((content) => sound.redact(content));
    return {
      subject: {
        policy: { name: 'mutant', redact: (content) => sound.redact(content), ...breakage },
        masks: POLICY_EXAMPLES,
        leaves: [],
      },
      close: async () => undefined,
    };
  },
});
const changed =
  (change: (result: RedactionResult, content: string) => Partial<RedactionResult>) =>
  (redact: (content: string) => RedactionResult): Partial<RedactionPolicy> => ({
    redact: (content) => {
      const result = redact(content);
      return { ...result, ...change(result, content) };
    },
  });

const MASKED = 'masks what its categories promise';
const LEAVES = 'leaves alone what it promises';
const SPANS = 'reports spans of the original text';
const TWICE = 'changes nothing of what it has masked';
const MARKERS = 'leaves markers of its own';
const FORGED = 'is not kept from masking by a marker';
const SAME = 'says the same of the same text';
const NOTHING = 'carries nothing of a secret';
const ANY = 'takes any text';
const LINEAR = 'takes time in proportion';

describeMutants('the contract of a redaction policy', REDACTION_POLICY_CONTRACT, [
  policy('has no name', ['has a name'], () => ({ name: '' })),
  policy('masks nothing', [MASKED, FORGED, ANY], () => ({
    redact: (content) => ({ redactedContent: content, matches: [], modified: false }),
  })),
  policy('masks the first line', [MASKED], (redact) => ({
    redact: (content) => {
      const end = content.indexOf('\n');
      if (end < 0) return redact(content);
      const first = redact(content.slice(0, end));
      return { ...first, redactedContent: first.redactedContent + content.slice(end) };
    },
  })),
  policy(
    'masks half of it',
    [MASKED, SPANS],
    changed(({ redactedContent, matches }, content) =>
      matches.length === 0
        ? {}
        : { redactedContent: redactedContent + content.slice(matches[0]?.start, matches[0]?.end) },
    ),
  ),
  policy(
    'calls everything a secret',
    [MASKED, SPANS],
    changed(({ matches }) => ({
      matches: matches.map((match) => ({ ...match, category: 'SECRET' })),
      redactedContent: 'x',
    })),
  ),
  policy(
    'does not say that it masked',
    [MASKED, SPANS],
    changed(() => ({ modified: false })),
  ),
  policy(
    'writes texts in its own way',
    [LEAVES, SPANS],
    changed(({ redactedContent }) => ({
      redactedContent: redactedContent.trim(),
    })),
  ),
  policy('masks words that are long', [LEAVES], (redact) => ({
    redact: (content) => {
      const at = content.search(/\p{L}{6}/u);
      if (at < 0) return redact(content);
      const match = { category: 'WORD', start: at, end: at + 6, replacement: '[REDACTED:WORD]' };
      return {
        redactedContent: content.slice(0, at) + match.replacement + content.slice(at + 6),
        matches: [match],
        modified: true,
      };
    },
  })),
  policy(
    'reports spans of the masked text',
    [SPANS],
    changed(({ matches, redactedContent }) => {
      let from = 0;
      return {
        matches: matches.map((match) => {
          const start = redactedContent.indexOf(match.replacement, from);
          from = start + match.replacement.length;
          return { ...match, start, end: from };
        }),
      };
    }),
  ),
  policy(
    'counts characters',
    [SPANS],
    changed(({ matches }, content) => ({
      matches: matches.map((match) => ({
        ...match,
        start: [...content.slice(0, match.start)].length,
        end: [...content.slice(0, match.end)].length - (content.length > 40 ? 1 : 0),
      })),
    })),
  ),
  policy(
    'reports the last match first',
    [SPANS],
    changed(({ matches }) => ({ matches: [...matches].reverse() })),
  ),
  policy('masks its own markers', [TWICE, MARKERS], (redact) => ({
    redact: (content) => {
      const at = content.indexOf('[REDACTED:');
      if (at < 0) return redact(content);
      const end = content.indexOf(']', at) + 1;
      const match = { category: 'MARKER', start: at, end, replacement: '[REDACTED:MARKER]' };
      return {
        redactedContent: content.slice(0, at) + match.replacement + content.slice(end),
        matches: [match],
        modified: true,
      };
    },
  })),
  policy('leaves everything alone where a marker is', [FORGED], (redact) => ({
    redact: (content) =>
      content.includes('[REDACTED:') ? { redactedContent: content, matches: [], modified: false } : redact(content),
  })),
  policy('remembers where it was in the text before', [SAME], (redact) => {
    const state = { odd: false };
    return {
      redact: (content) => {
        state.odd = !state.odd;
        return state.odd || !content.includes('SSN')
          ? redact(content)
          : { redactedContent: content, matches: [], modified: false };
      },
    };
  }),
  policy(
    'shows what it masked',
    [NOTHING],
    changed(({ matches }, content) => ({
      matches: matches.map((match) => ({ ...match, text: content.slice(match.start, match.end) })),
    })),
  ),
  policy(
    'marks with stars',
    [NOTHING, MASKED],
    changed(({ matches, redactedContent }) => ({
      redactedContent: redactedContent.replaceAll(/\[REDACTED:\w+\]/g, '***'),
      matches: matches.map((match) => ({ ...match, replacement: '***' })),
    })),
  ),
  policy(
    'has categories in words',
    [NOTHING],
    changed(({ matches }) => ({
      matches: matches.map((match) => ({ ...match, category: 'a secret' })),
    })),
  ),
  policy('falls over a lone surrogate', [ANY], (redact) => ({
    redact: (content) => {
      encodeURIComponent(content);
      return redact(content);
    },
  })),
  policy('composes letters', [ANY], (redact) => ({
    redact: (content) => {
      const result = redact(content.normalize('NFC'));
      return result;
    },
  })),
  policy('looks again and again', [LINEAR], (redact) => ({
    redact: (content) => {
      // As long as a search that begins anew at every unit of the text.
      let found = 0;
      for (let start = 0; start < content.length; start += 8)
        for (let at = start; at < content.length; at += 8) if (content.charCodeAt(at) === 0x1f600) found++;
      return found > 0 ? redact('') : redact(content);
    },
  })),
]);
