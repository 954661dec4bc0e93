import type { FactoryProvider } from '@nestjs/common';

import { CHAT_MODEL, type ChatModel } from './chat-model.js';
import { OfflineResponder } from './offline-responder.js';
import { OpenAiCompatibleModel } from './openai-compatible-model.js';

const OPENAI = 'https://api.openai.com/v1';
const DEFAULT_MODEL = 'gpt-4o-mini';

/**
 * The model that the environment names: any OpenAI-compatible server with `OPENAI_BASE_URL`, OpenAI's own with
 * `OPENAI_API_KEY` alone. `OPENAI_MODEL` chooses the model. With neither it is the memory's own, where `AIMON_MEMORY_LLM_MODEL`
 * names one, and else the offline responder.
 *
 * @throws Error when `OPENAI_BASE_URL` is no URL
 */
export function chatModelFrom(environment: Readonly<Record<string, string | undefined>>): ChatModel {
  const apiKey = environment.OPENAI_API_KEY || undefined;
  const baseUrl = environment.OPENAI_BASE_URL || (apiKey === undefined ? undefined : OPENAI);
  if (baseUrl === undefined) return memoryModelFrom(environment) ?? new OfflineResponder();
  if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new Error(
      `OPENAI_BASE_URL is ${JSON.stringify(baseUrl)}; it takes the address of an OpenAI-compatible server, such as http://localhost:11434/v1.`,
    );
  }
  return new OpenAiCompatibleModel({ baseUrl, apiKey, model: environment.OPENAI_MODEL || DEFAULT_MODEL });
}

// What is wrong with these the module says when it starts.
function memoryModelFrom(environment: Readonly<Record<string, string | undefined>>): ChatModel | undefined {
  const { AIMON_MEMORY_LLM_MODEL: model, AIMON_MEMORY_LLM_API_KEY: key } = environment;
  const baseUrl = environment.AIMON_MEMORY_LLM_BASE_URL || OPENAI;
  if (!model || !URL.canParse(baseUrl)) return undefined;
  return new OpenAiCompatibleModel({ baseUrl, apiKey: key || undefined, model });
}

export const chatModelProvider: FactoryProvider<ChatModel> = {
  provide: CHAT_MODEL,
  useFactory: () => chatModelFrom(process.env),
};
