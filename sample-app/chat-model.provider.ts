import type { FactoryProvider } from '@nestjs/common';

import { CHAT_MODEL, type ChatModel } from './chat-model.js';
import { OfflineResponder } from './offline-responder.js';
import { OpenAiCompatibleModel } from './openai-compatible-model.js';

const OPENAI = 'https://api.openai.com/v1';
const DEFAULT_MODEL = 'gpt-4o-mini';

/**
 * The model that the environment names: any OpenAI-compatible server with `OPENAI_BASE_URL`, OpenAI's own with
 * `OPENAI_API_KEY` alone, and the offline responder with neither. `OPENAI_MODEL` chooses the model.
 *
 * @throws Error when `OPENAI_BASE_URL` is no URL
 */
export function chatModelFrom(environment: Readonly<Record<string, string | undefined>>): ChatModel {
  const apiKey = environment.OPENAI_API_KEY || undefined;
  const baseUrl = environment.OPENAI_BASE_URL || (apiKey === undefined ? undefined : OPENAI);
  if (baseUrl === undefined) return new OfflineResponder();
  if (!/^https?:/i.test(baseUrl) || !URL.canParse(baseUrl)) {
    throw new Error(
      `OPENAI_BASE_URL is ${JSON.stringify(baseUrl)}; it takes the address of an OpenAI-compatible server, such as http://localhost:11434/v1.`,
    );
  }
  return new OpenAiCompatibleModel({ baseUrl, apiKey, model: environment.OPENAI_MODEL || DEFAULT_MODEL });
}

export const chatModelProvider: FactoryProvider<ChatModel> = {
  provide: CHAT_MODEL,
  useFactory: () => chatModelFrom(process.env),
};
