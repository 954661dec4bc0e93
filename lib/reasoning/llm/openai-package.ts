import { LlmUnavailableError } from '../../domain/errors.js';

type OpenAiPackage = typeof import('openai');

/**
 * The package `openai`, loaded when it is first needed: whoever uses no language model need not have it.
 * @throws LlmUnavailableError naming the package when it is not installed
 */
export async function loadOpenAiPackage(load: () => Promise<OpenAiPackage> = importOpenAi): Promise<OpenAiPackage> {
  try {
    return await load();
  } catch (cause) {
    throw new LlmUnavailableError(
      'The package "openai" cannot be loaded, which language and embedding models are asked with. Install it: npm install openai@6.',
      { outage: 'not-installed', cause },
    );
  }
}

const importOpenAi = (): Promise<OpenAiPackage> => import('openai');
