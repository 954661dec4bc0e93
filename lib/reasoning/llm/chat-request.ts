import type { OpenAI } from 'openai';

import type { JsonSchema, LlmMessage, LlmRequest, LlmTool, LlmToolChoice } from '../../ports/llm-client.js';
import type { Unsupported } from './server-dialect.js';

type Body = OpenAI.ChatCompletionCreateParamsNonStreaming;

/** The body of a chat-completions request, without what the server does not take. */
export function chatRequest(model: string, request: LlmRequest, unsupported: ReadonlySet<Unsupported>): Body {
  const { messages, tools = [], toolChoice, responseSchema, maxOutputTokens, temperature } = request;
  const asksInWords = responseSchema !== undefined && unsupported.has('json_schema');
  const said = asksInWords ? askedForJson(messages, responseSchema.schema) : messages;
  return {
    model,
    messages: said.map(wireMessage),
    ...(tools.length > 0 && { tools: tools.map(wireTool) }),
    ...(tools.length > 0 && toolChoice !== undefined && { tool_choice: wireChoice(toolChoice) }),
    ...responseFormat(request, unsupported),
    ...(maxOutputTokens !== undefined && outputLimit(maxOutputTokens, unsupported)),
    ...(temperature !== undefined && !unsupported.has('temperature') && { temperature }),
  };
}

// The older name first: a server that knows one name only ignores the other in silence, but a model that wants the newer one
// says so.
function outputLimit(tokens: number, unsupported: ReadonlySet<Unsupported>): Partial<Body> {
  return unsupported.has('max_tokens') ? { max_completion_tokens: tokens } : { max_tokens: tokens };
}

function responseFormat({ responseSchema }: LlmRequest, unsupported: ReadonlySet<Unsupported>): Partial<Body> {
  if (responseSchema === undefined) return {};
  if (unsupported.has('json_schema')) {
    return unsupported.has('json_object') ? {} : { response_format: { type: 'json_object' } };
  }
  const { name, schema } = responseSchema;
  return {
    response_format: {
      type: 'json_schema',
      json_schema: { name, schema: schema as Record<string, unknown>, ...(isClosed(schema) && { strict: true }) },
    },
  };
}

// What servers can keep to exactly: all properties required and no other allowed, down to the last object.
function isClosed(schema: unknown): boolean {
  if (Array.isArray(schema)) return schema.every(isClosed);
  if (typeof schema !== 'object' || schema === null) return true;
  const { properties, required, additionalProperties, type } = schema as Readonly<Record<string, unknown>>;
  if (type === 'object' || properties !== undefined) {
    const names = Object.keys((properties as object | undefined) ?? {});
    if (additionalProperties !== false || !Array.isArray(required)) return false;
    if (!names.every((name) => required.includes(name))) return false;
  }
  return Object.values(schema).every(isClosed);
}

// Into the instruction that is there: some models take one system message and no other.
function askedForJson(messages: readonly LlmMessage[], schema: JsonSchema): readonly LlmMessage[] {
  const asked = `Answer with one JSON value and nothing else: no prose before or after it, no code fence. It has to fit this JSON Schema:\n${JSON.stringify(schema)}`;
  const [first, ...rest] = messages;
  if (first?.role !== 'system') return [{ role: 'system', content: asked }, ...messages];
  return [{ role: 'system', content: `${first.content}\n\n${asked}` }, ...rest];
}

function wireMessage(message: LlmMessage): OpenAI.ChatCompletionMessageParam {
  if (message.role === 'tool') {
    return { role: 'tool', tool_call_id: message.toolCallId, content: message.content };
  }
  if (message.role !== 'assistant') return { role: message.role, content: message.content };
  const { content, toolCalls = [] } = message;
  if (toolCalls.length === 0) return { role: 'assistant', content };
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    tool_calls: toolCalls.map(({ id, name, argumentsJson }) => ({
      id,
      type: 'function',
      function: { name, arguments: argumentsJson },
    })),
  };
}

function wireTool({ name, description, inputSchema }: LlmTool): OpenAI.ChatCompletionTool {
  return {
    type: 'function',
    function: { name, description, parameters: inputSchema as Record<string, unknown> },
  };
}

function wireChoice(choice: LlmToolChoice): OpenAI.ChatCompletionToolChoiceOption {
  return typeof choice === 'string' ? choice : { type: 'function', function: { name: choice.name } };
}
