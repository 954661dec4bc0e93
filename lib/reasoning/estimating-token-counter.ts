import type { TokenCounter } from '../ports/token-counter.js';

// Measured on nothing of ours: the rule of thumb that model vendors give, four characters of English to a token. Han,
// kana and Hangul come out at about one token a character, so a budget in Korean is kept, too.
const CHARACTERS_PER_TOKEN = 4;
const WIDE = /[\u1100-\u11ff\u3040-\u30ff\u3130-\u318f\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\uff66-\uff9f]/g;

/**
 * Estimates tokens without a tokeniser: one for each Han, kana or Hangul character, and one for four characters of
 * anything else, rounded up.
 */
export class EstimatingTokenCounter implements TokenCounter {
  readonly estimated = true;

  count(text: string): number {
    const wide = text.match(WIDE)?.length ?? 0;
    return wide + Math.ceil((text.length - wide) / CHARACTERS_PER_TOKEN);
  }
}
