import { RedactionError } from '../domain/errors.js';
import type { MemoryMessage, MemoryMessagePart, MemoryToolCall, NormalisedMessage } from '../domain/memory-message.js';
import { ContentRedactor, type RedactedContent } from './content-redactor.js';
import { redactFileData } from './file-data-redactor.js';
import { DEFAULT_REDACTION_DEADLINE_MS, RedactionBudget } from './redaction-budget.js';
import type { RedactionPolicy } from './redaction-policy.js';

/** How a {@link MessageRedactor} works; every field is optional. */
export interface MessageRedactorOptions {
  /**
   * How long one call may take, in milliseconds; default 10 000. Waiting for other texts to be masked does not count.
   */
  readonly deadlineMs?: number;
}

type Call = MemoryToolCall['function'];

/**
 * Masks messages: their texts, refusals, tool calls' arguments and tools' results, addresses of images, names and texts
 * of files. Pictures and sound stay as they are, and so do ids. A `name` says who speaks and is masked only where it is
 * a secret; an e-mail address is somebody's name.
 */
export class MessageRedactor {
  private readonly contents: ContentRedactor;
  private readonly deadlineMs: number;

  /**
   * @param policy what finds and masks
   * @param options the deadline of each call; default 10 seconds
   */
  constructor(policy: RedactionPolicy, options: MessageRedactorOptions = {}) {
    this.contents = new ContentRedactor(policy);
    this.deadlineMs = options.deadlineMs ?? DEFAULT_REDACTION_DEADLINE_MS;
  }

  /**
   * The messages, masked, in order; the ones given are left alone.
   * @throws RedactionError when the policy fails or the deadline passes
   * @throws the signal's reason when it aborts
   */
  async redactMessages(
    messages: readonly NormalisedMessage[],
    signal?: AbortSignal,
  ): Promise<readonly NormalisedMessage[]> {
    return this.redactWithin(messages, new RedactionBudget(this.deadlineMs, signal));
  }

  /** As {@link redactMessages}, within a budget that the caller has already begun. @internal */
  async redactWithin<M extends MemoryMessage>(messages: readonly M[], budget: RedactionBudget): Promise<readonly M[]> {
    const masked: M[] = [];
    for (const message of messages) masked.push(await this.redactMessage(message, budget));
    budget.check();
    return Object.freeze(masked);
  }

  private async redactMessage<M extends MemoryMessage>(message: M, budget: RedactionBudget): Promise<M> {
    const { role, content, name, tool_calls, tool_call_id, refusal, function_call, id, createdAt } = message;
    // Only the members that a message has: one that is not known here would pass unmasked.
    return Object.freeze({
      role,
      ...('content' in message ? { content: await this.redactContent(content, budget) } : {}),
      ...(name == null ? {} : { name: await this.redactName(name, budget) }),
      ...(tool_calls == null ? {} : { tool_calls: await this.redactToolCalls(tool_calls, budget) }),
      ...(tool_call_id == null ? {} : { tool_call_id }),
      ...(refusal == null ? {} : { refusal: await this.redactText(refusal, budget) }),
      ...(function_call == null ? {} : { function_call: await this.redactCall(function_call, budget) }),
      ...(id == null ? {} : { id }),
      ...(createdAt == null ? {} : { createdAt }),
    }) as M;
  }

  private async redactContent(
    content: MemoryMessage['content'],
    budget: RedactionBudget,
  ): Promise<MemoryMessage['content']> {
    if (content === undefined || content === null) return content;
    if (typeof content === 'string') return this.redactText(content, budget);
    if (!Array.isArray(content)) throw unmaskable(`a ${typeof content} where text or parts belong`);
    const parts: MemoryMessagePart[] = [];
    for (const part of content as readonly MemoryMessagePart[]) parts.push(await this.redactPart(part, budget));
    return Object.freeze(parts);
  }

  private async redactPart(part: MemoryMessagePart, budget: RedactionBudget): Promise<MemoryMessagePart> {
    switch (part.type) {
      case 'text':
        return Object.freeze({ ...part, text: await this.redactText(part.text, budget) });
      case 'refusal':
        return Object.freeze({ ...part, refusal: await this.redactText(part.refusal, budget) });
      case 'image_url': {
        const { url } = part.image_url;
        if (/^data:/i.test(url)) return part;
        return Object.freeze({
          ...part,
          image_url: Object.freeze({ ...part.image_url, url: await this.redactText(url, budget) }),
        });
      }
      case 'input_audio':
        return part;
      case 'file': {
        const { file_data, filename } = part.file;
        const file = {
          ...part.file,
          ...(filename == null ? {} : { filename: await this.redactText(filename, budget) }),
          ...(file_data == null ? {} : { file_data: await redactFileData(file_data, this.contents, budget) }),
        };
        return Object.freeze({ ...part, file: Object.freeze(file) });
      }
      default:
        throw unmaskable('a part of a kind that is not known');
    }
  }

  private async redactToolCalls(
    calls: readonly MemoryToolCall[],
    budget: RedactionBudget,
  ): Promise<readonly MemoryToolCall[]> {
    const masked: MemoryToolCall[] = [];
    for (const call of calls) {
      masked.push(Object.freeze({ ...call, function: await this.redactCall(call.function, budget) }));
    }
    return Object.freeze(masked);
  }

  private async redactCall(call: Call, budget: RedactionBudget): Promise<Call> {
    return Object.freeze({ ...call, arguments: await this.redactText(call.arguments, budget) });
  }

  private async redactName(name: string, budget: RedactionBudget): Promise<string> {
    const { content, categories } = await this.redactAny(name, budget);
    return categories.every((category) => category === 'EMAIL') ? name : content;
  }

  private async redactText(text: string, budget: RedactionBudget): Promise<string> {
    return (await this.redactAny(text, budget)).content;
  }

  private async redactAny(text: unknown, budget: RedactionBudget): Promise<RedactedContent> {
    if (typeof text !== 'string') throw unmaskable(`a ${typeof text} where text belongs`);
    return this.contents.redact(text, budget);
  }
}

function unmaskable(what: string): RedactionError {
  return new RedactionError(`A message holds ${what}, which cannot be masked. Nothing was written or sent.`);
}
