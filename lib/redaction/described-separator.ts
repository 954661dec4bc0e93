import type { Separator } from './keyword-scanner.js';

const SPACE = '[ \\t]{1,4}';
const WORD = '(?:[^\\s:,;=()\\[\\]|]|:(?=[\\d/])){1,64}';
// What the secret is of: `of db-1`, `for the staging database`, `you asked for`, `(staging)`.
const OWNER = `(?:${SPACE}(?:of|for|to|on|in|at|from|against|by|behind|with|used|you|we|I|they|he|she|that|which|für|von)(?:${SPACE}${WORD}){1,6}?|[ \\t]{0,4}[([][^()[\\]\\n]{1,48}[)\\]])`;
const LINK = `(?:[ \\t]{0,4}[:=]|${SPACE}(?:->|→|—|–|-|to|is|are|was|will be|has been|ist|lautet))(?:${SPACE}(?:now|still|currently|just|simply|(?:changed |reset |updated )?to|set to))?:?${SPACE}`;

/** Between a name and its value stands what the secret is of. Bounded: at most six words, and only on one line. */
export const DESCRIBED_SEPARATOR: Separator = {
  pattern: new RegExp(`${OWNER}${LINK}`, 'iy'),
  form: 'sentence',
  tentative: true,
};

/** A word in Latin letters in a sentence of Korean, Japanese or Chinese: `password는 …`, `token是…`. */
export const PARTICLE_SEPARATOR: Separator = {
  pattern:
    /[)\]]?[ \t]?(?:값|值|値)?(?:[은는이가을를도만]|으?로|[はがを]|是|为|為)(?:요,?)?[ \t]{0,4}(?=[\u0021-\u007e「『“‘【])/y,
  form: 'sentence',
  tentative: true,
};

/** The next cell of a table. */
export const CELL_SEPARATOR: Separator = {
  pattern: /[ \t*`]{0,4}\|[ \t*]{0,4}(?=[^\s|*-])/y,
  form: 'bare',
  tentative: true,
};

/** The value is the first line of a block of YAML. */
export const BLOCK_SEPARATOR: Separator = {
  pattern: /\\{0,16}["']?[ \t]{0,8}:[ \t]{1,8}[|>][+-]?\d?[ \t]{0,8}\r?\n[ \t]{1,64}/y,
  form: 'bare',
};
