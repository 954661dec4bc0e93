import { OpenAiLlmClient, type OpenAiLlmClientOptions, type LlmRequest } from '@aimon/nestjs-memory';

import {
  type LastingReply,
  type ScriptedReply,
  ScriptedLlmServer,
} from '../../support/scripted-llm-server/scripted-llm-server.js';

/** A key that no error may hold, and a question that none may repeat. */
export const KEY = 'sk-aVerySecretKey0123456789';
export const SECRET = 'The door code is 4711';
export const ASKED: LlmRequest = { messages: [{ role: 'user', content: SECRET }] };
export const SCHEMA = {
  name: 'facts',
  schema: {
    type: 'object',
    properties: { facts: { type: 'array', items: { type: 'string' } } },
    required: ['facts'],
    additionalProperties: false,
  },
} as const;

let servers: ScriptedLlmServer[] = [];
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

/** A server that answers by this script until the test is over. */
export async function scripted(...replies: readonly (ScriptedReply | LastingReply)[]): Promise<ScriptedLlmServer> {
  const server = await ScriptedLlmServer.start(...replies);
  servers.push(server);
  return server;
}

/** A client of that server. */
export const clientOf = (server: ScriptedLlmServer, options: Partial<OpenAiLlmClientOptions> = {}): OpenAiLlmClient =>
  new OpenAiLlmClient({ model: 'test-model', baseUrl: server.baseUrl, apiKey: KEY, ...options });

/** What the promise rejects with. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- an error of whatever kind the test looks for
export async function failureOf(work: Promise<unknown>): Promise<any> {
  try {
    await work;
  } catch (error) {
    return error;
  }
  throw new Error('It did not fail.');
}
