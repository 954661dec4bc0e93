import { levenshtein } from './packages-on-demand.js';
import { SETTING_DEFINITIONS } from './setting-definitions.js';
import { KEY_PREFIX } from './setting-names.js';

/** A setting, or a group of settings, that a name was meant to be. */
export interface NearestSetting {
  readonly key: string;
  /** Whether it is likely: a slip of the hand, or a part of the name. Otherwise it is the least unlikely. */
  readonly near: boolean;
}

interface Candidate {
  readonly key: string;
  readonly plain: string;
  readonly words: readonly string[];
  readonly available: boolean;
}

const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z\d])([A-Z])/g, '$1-$2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

const candidate = (key: string, available: boolean): Candidate => {
  const words = wordsOf(key);
  return { key, words, plain: words.join(''), available };
};

const KEYS = SETTING_DEFINITIONS.map(({ key, later }) => candidate(key, later !== true));
const GROUPS = [...new Set(KEYS.filter(({ key }) => key.includes('.')).map(({ key }) => key.split('.')[0] ?? ''))].map(
  (group) =>
    candidate(
      group,
      KEYS.some(({ key, available }) => available && key.startsWith(`${group}.`)),
    ),
);
const CANDIDATES = [...KEYS, ...GROUPS];

/** The setting that `name` was probably meant to be, in any spelling; those of this version first. */
export function nearestSetting(name: string): NearestSetting {
  const given = wordsOf(name);
  const ours = KEY_PREFIX.split('.');
  const words = ours.every((word, at) => given[at] === word) ? given.slice(ours.length) : given;
  const plain = words.join('');
  const ranked = CANDIDATES.map((one) => ({ one, cost: cost(plain, words, one) })).sort((a, b) => a.cost - b.cost);
  const [{ one, cost: least } = { one: CANDIDATES[0] as Candidate, cost: 1 }] = ranked;
  return { key: one.key, near: least < FAR };
}

// Where a third of the letters differ.
const FAR = 0.36;

/** From 0, the same, to 1 and more. */
function cost(plain: string, words: readonly string[], one: Candidate): number {
  const longer = Math.max(plain.length, one.plain.length, 1);
  const apart = levenshtein().distance(plain, one.plain) / longer;
  // `idle-timeout` for `session.idle-timeout`, `peer` for `peer-id`.
  const partly = words.length > 0 && isRun(words, one.words) ? 0.2 + 0.1 * apart : 1;
  return Math.min(apart, partly) + (one.available ? 0 : 0.05);
}

function isRun(part: readonly string[], whole: readonly string[]): boolean {
  return whole.some((_, start) => part.every((word, at) => whole[start + at] === word));
}
