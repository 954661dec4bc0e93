import type { Clock } from '../domain/clock.js';
import { InvalidConfigurationError } from '../domain/errors.js';
import type { LlmClient } from '../ports/llm-client.js';
import { OpenAiLlmClient } from '../reasoning/llm/openai-llm-client.js';
import { loadOpenAiPackage } from '../reasoning/llm/openai-package.js';
import { RetryingLlmClient } from '../reasoning/llm/retrying-llm-client.js';
import type { MemorySettings } from './settings/memory-settings.js';

type LlmSettings = Pick<MemorySettings, 'llmModel' | 'llmApiKey' | 'llmBaseUrl' | 'llmTimeout' | 'llmMaxRetries'>;

/** The language model that the settings name, or `undefined`. */
export function llmFromSettings(settings: LlmSettings, clock: Clock): LlmClient | undefined {
  const { llmModel: model, llmApiKey: apiKey, llmBaseUrl: baseUrl, llmTimeout: timeoutMs, llmMaxRetries } = settings;
  if (model === undefined) return undefined;
  // A deadline of a call is real time, whatever the clock: the server is.
  const delegate = new OpenAiLlmClient({ model, apiKey, baseUrl, timeoutMs });
  return new RetryingLlmClient({ delegate, maxRetries: llmMaxRetries, clock });
}

/** @throws InvalidConfigurationError when a model is set, and the package that it is asked with is not there */
export async function requireLlmPackage({ llmModel }: LlmSettings): Promise<void> {
  if (llmModel === undefined) return;
  try {
    await loadOpenAiPackage();
  } catch (cause) {
    throw new InvalidConfigurationError(
      [
        'aimon.memory.llm.model is set, but the package "openai" cannot be loaded, which models are asked with. Install it: npm install openai@6.',
      ],
      { cause },
    );
  }
}
