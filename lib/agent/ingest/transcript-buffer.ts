import { createHash } from 'node:crypto';

import { shown } from '../../domain/checks.js';
import { AimonError, InvalidArgumentError } from '../../domain/errors.js';
import {
  type ChatMessage,
  normaliseMessage,
  toChatMessage,
  type MemoryMessage,
  type NormalisedMessage,
} from '../../domain/memory-message.js';
import { SYSTEM_CLOCK, type Clock } from '../../domain/clock.js';
import { requireObject } from '../require-object.js';

/**
 * The conversation of one session, as an agent goes on with it: messages are appended, and a compaction may put others
 * in their place. A mark tells what was added since; rewriting drops it, since it would point into a history that is no
 * more.
 */
export class TranscriptBuffer {
  readonly #clock: Pick<Clock, 'now'>;
  #messages: NormalisedMessage[] = [];
  #standing = new Map<string, NormalisedMessage>();
  // What `messages` answers, until the next change: a loop that reads it each round copies nothing.
  #view: readonly NormalisedMessage[] | undefined;
  #mark: number | undefined;
  #ended = false;
  readonly #summaries = new Set<string>();
  // Every id that ever stood here and a digest of what it said last, so that no message enters twice, also not after a
  // compaction took it out, and an id that is used for something else is noticed. Some fifty bytes a message, for as long
  // as the session lives.
  readonly #known = new Map<string, string>();
  #entered: string[] = [];
  // Messages come in without ids, and a compaction may hand the same objects back: which ids they were given.
  readonly #idsOf = new WeakMap<object, string[]>();

  /**
   * @param options.clock the time of messages that come without one; default: the system's
   * @throws InvalidArgumentError when `options` is no object
   */
  constructor(options: { readonly clock?: Pick<Clock, 'now'> } = {}) {
    requireObject('TranscriptBuffer options', options);
    this.#clock = options.clock ?? SYSTEM_CLOCK;
  }

  /** The messages in the order in which they stand; frozen, and not changed by what comes later. */
  get messages(): readonly NormalisedMessage[] {
    this.#view ??= Object.freeze([...this.#messages]);
    return this.#view;
  }

  /** The messages as a chat-completions API takes them, without what only memory knows. */
  chatMessages(): readonly ChatMessage[] {
    return this.#messages.map(toChatMessage);
  }

  /** How many messages it holds. */
  get size(): number {
    return this.#messages.length;
  }

  /**
   * Adds messages, or arrays of them, all or none, and answers them as they are kept: with an id and a time (now, where they have none). A
   * message without an id is always a new one. One whose id stands here already, saying the same, is kept once.
   *
   * @throws InvalidArgumentError when one is no chat-completions message, or has an id of this session that stood for something else
   * @throws AimonError with code `SESSION_CLOSED` when the session was closed
   */
  append(...given: readonly (MemoryMessage | readonly MemoryMessage[])[]): readonly NormalisedMessage[] {
    this.#requireOpen('append');
    const messages = given.flat() as readonly MemoryMessage[];
    const added = new Map<string, NormalisedMessage>();
    const kept = messages.map((message, index) => {
      const checked = dated(normaliseMessage(message, `TranscriptBuffer.append[${index}]`), this.#clock.now());
      const same = this.#standing.get(checked.id) ?? added.get(checked.id);
      const before = same === undefined ? this.#known.get(checked.id) : digest(same);
      if (before === undefined || before === digest(checked)) {
        if (same === undefined) added.set(checked.id, checked);
        return same ?? checked;
      }
      throw new InvalidArgumentError(
        `TranscriptBuffer.append[${index}].id is ${shown(checked.id)}, which another message of this session has. ` +
          'Give each message an id of its own, or none: then one is assigned.',
      );
    });
    messages.forEach((message, index) => this.#remember(message, (kept[index] as NormalisedMessage).id));
    for (const message of added.values()) {
      this.#messages.push(message);
      this.#standing.set(message.id, message);
    }
    this.#view = undefined;
    this.#enter(added.values());
    return Object.freeze(kept);
  }

  /** Sets the mark behind the last message. It is not kept anywhere else: a restart begins without one. */
  markIngestPoint(): void {
    this.#mark = this.#messages.length;
  }

  /** What was added since the mark, or `undefined` when there is none: none was set, or the history was rewritten. */
  messagesSinceIngestMark(): readonly NormalisedMessage[] | undefined {
    return this.#mark === undefined ? undefined : Object.freeze(this.#messages.slice(this.#mark));
  }

  /**
   * Puts `messages` in the place of the history (a compaction) and drops the mark. Messages that stood here are
   * recognised by their id, or by being the objects that were appended.
   *
   * @param options.summaries those of `messages` that a compaction wrote, by id or as the objects themselves. They are no
   *   conversation and are never taken in. A message stays a summary in later compactions.
   * @returns the messages as they are kept
   * @throws InvalidArgumentError when one is no message, two share an id, or a summary is not among them
   * @throws AimonError with code `SESSION_CLOSED` when the session was closed
   */
  replaceWith(
    messages: readonly MemoryMessage[],
    options: { readonly summaries?: readonly (string | MemoryMessage)[] } = {},
  ): readonly NormalisedMessage[] {
    this.#requireOpen('replaceWith');
    if (!Array.isArray(messages)) {
      throw new InvalidArgumentError(
        `TranscriptBuffer.replaceWith was given ${shown(messages)}; it takes an array of messages.`,
      );
    }
    requireObject('TranscriptBuffer.replaceWith options', options);
    const kept = this.#identified(messages as readonly MemoryMessage[]);
    const ids = new Set(kept.map(({ id }) => id));
    const summaries = (options.summaries ?? []).map((summary, index) => {
      const at = typeof summary === 'string' ? -1 : messages.indexOf(summary);
      const id = typeof summary === 'string' ? summary : (kept[at]?.id ?? summary.id);
      if (id !== undefined && ids.has(id)) return id;
      throw new InvalidArgumentError(
        `TranscriptBuffer.replaceWith summaries[${index}] is not among the messages; it takes the id of one or the message itself.`,
      );
    });
    summaries.forEach((id) => this.#summaries.add(id));
    messages.forEach((message, index) => this.#remember(message as object, (kept[index] as NormalisedMessage).id));
    this.#rewrite(kept);
    this.#enter(kept);
    return this.messages;
  }

  /** Forgets the history and drops the mark. @throws AimonError with code `SESSION_CLOSED` when the session was closed */
  clear(): void {
    this.#requireOpen('clear');
    this.#rewrite([]);
  }

  /** Whether the message with this id was put here by a compaction as its summary. */
  isSummary(id: string): boolean {
    return this.#summaries.has(id);
  }

  /** The ids that came in since this was last called, each once in the life of the transcript, in their order. */
  takeEntered(): readonly string[] {
    const entered = this.#entered;
    this.#entered = [];
    return entered;
  }

  /** How many ids {@link takeEntered} would answer. */
  get entered(): number {
    return this.#entered.length;
  }

  /** Whether it takes nothing more. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Takes nothing more: what is said after the session was closed could reach nobody. */
  end(): void {
    this.#ended = true;
  }

  #identified(messages: readonly MemoryMessage[]): NormalisedMessage[] {
    const now = this.#clock.now();
    // An id that a message was given here must not be taken by an object that only looks up its own.
    const used = new Set(messages.flatMap((message) => (typeof message?.id === 'string' ? [message.id] : [])));
    const explicit = new Set<string>();
    return messages.map((message, index) => {
      const field = `TranscriptBuffer.replaceWith[${index}]`;
      const checked = normaliseMessage(message, field);
      if (message.id !== undefined && message.id !== null) {
        if (explicit.has(checked.id)) {
          throw new InvalidArgumentError(`${field}.id is ${shown(checked.id)}, which an earlier one of them has.`);
        }
        explicit.add(checked.id);
        return dated(checked, this.#standing.get(checked.id)?.createdAt ?? now);
      }
      const id = this.#idsOf.get(message)?.find((given) => !used.has(given)) ?? checked.id;
      used.add(id);
      return dated(Object.freeze({ ...checked, id }), this.#standing.get(id)?.createdAt ?? now);
    });
  }

  #rewrite(messages: NormalisedMessage[]): void {
    this.#messages = messages;
    this.#standing = new Map(messages.map((message) => [message.id, message]));
    this.#view = undefined;
    this.#mark = undefined;
  }

  #remember(message: object, id: string): void {
    const ids = this.#idsOf.get(message);
    if (ids === undefined) this.#idsOf.set(message, [id]);
    else if (!ids.includes(id)) ids.push(id);
  }

  #enter(messages: Iterable<NormalisedMessage>): void {
    for (const message of messages) {
      if (!this.#known.has(message.id)) this.#entered.push(message.id);
      this.#known.set(message.id, digest(message));
    }
  }

  #requireOpen(method: string): void {
    if (!this.#ended) return;
    throw new AimonError(
      'SESSION_CLOSED',
      `TranscriptBuffer.${method} was called after its session or execution was closed; nothing was kept. ` +
        'Await what appends before the execution returns, or take a new session.',
    );
  }
}

function dated(message: NormalisedMessage, time: Date): NormalisedMessage {
  return message.createdAt === undefined ? Object.freeze({ ...message, createdAt: new Date(time.getTime()) }) : message;
}

// Of what a message says, without the time that is filled in when it comes. 96 bits: it is compared with one other under
// the same id, and kept for every message that ever came.
function digest({ createdAt: _createdAt, ...said }: NormalisedMessage): string {
  return createHash('sha256').update(JSON.stringify(said)).digest().toString('base64url', 0, 12);
}
