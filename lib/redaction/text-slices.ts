/** The most text that a policy is given at a time: 64 KiB, counted in UTF-16 units. */
export const POLICY_UNITS = 64 * 1024;

/** How much of a slice the next one sees again: 16 KiB, counted in UTF-16 units. */
export const OVERLAP_UNITS = 16 * 1024;

/** How much of {@link POLICY_UNITS} is kept free for what is carried from one slice into the next. */
export const CARRY_UNITS = 2 * 1024;

const WINDOW = POLICY_UNITS - CARRY_UNITS;
const LINE_END_SEARCH = 8 * 1024;
const LINE_START_SEARCH = 4 * 1024;

/** A piece of a text. */
export interface TextSlice {
  readonly start: number;
  readonly end: number;
  /**
   * The part that this slice decides, from the middle of one overlap to the middle of the next: there it sees at least
   * half an overlap on either side, so that what it finds is what the whole text would have shown.
   */
  readonly decidesFrom: number;
  readonly decidesTo: number;
}

/**
 * Cuts a text at line ends where there are any near, never inside a surrogate pair. Each slice is at most
 * {@link POLICY_UNITS} less {@link CARRY_UNITS} long, and each but the first begins {@link OVERLAP_UNITS} or a little
 * more before the end of the one before.
 */
export function* sliceText(text: string): Generator<TextSlice> {
  let start = 0;
  let decidesFrom = 0;
  while (text.length - start > WINDOW) {
    const end = lastLineStart(text, start + WINDOW - LINE_END_SEARCH, start + WINDOW);
    const target = end - OVERLAP_UNITS;
    const next = lastLineStart(text, target - LINE_START_SEARCH, target);
    const decidesTo = next + Math.floor((end - next) / 2);
    yield { start, end, decidesFrom, decidesTo };
    start = next;
    decidesFrom = decidesTo;
  }
  yield { start, end: text.length, decidesFrom, decidesTo: text.length };
}

// The last place after a line end in (from, to]; failing that, `to` or one less where a surrogate pair stands there.
function lastLineStart(text: string, from: number, to: number): number {
  const lineEnd = text.slice(from, to).lastIndexOf('\n');
  return lineEnd >= 0 ? from + lineEnd + 1 : wholeCharacter(text, to);
}

/** `at`, or one less where that would part a surrogate pair. */
export function wholeCharacter(text: string, at: number): number {
  const parted = isSurrogate(text.charCodeAt(at), 0xdc00) && isSurrogate(text.charCodeAt(at - 1), 0xd800);
  return parted ? at - 1 : at;
}

const isSurrogate = (unit: number, from: number): boolean => unit >= from && unit < from + 0x400;
