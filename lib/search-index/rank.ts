/**
 * What each signal counts against the lexical one. Chosen on three conversations of LoCoMo and checked on two others; the
 * optimum is flat. Recall@10 over all five, categories 1–4, each conversation its own subject and all under one:
 * BM25 alone 64.5 and 61.7, with all of these 77.2 and 76.3; without `speaker` 74.9 and 73.7, without `neighbour` 74.2
 * and 73.0, without `session` 74.4 and 72.2, without `date` 75.7 and 74.8. `neighbour` at 0.5 adds 0.4 there, and costs
 * 0.5 where the facts of a session have nothing to do with each other (the Korean, Japanese and Chinese sets).
 */
export const SIGNAL_WEIGHTS = Object.freeze({
  /** How well the fact's own words match. */
  lexical: 1,
  /** How well the better of the facts before and after it in the same session matches. */
  neighbour: 0.4,
  /** How well its session as a whole matches. */
  session: 0.5,
  /** Whether the query names who said it. Soft: questions may name somebody else than the speaker. */
  speaker: 0.15,
  /** Whether it was said around a date that the query names. */
  date: 0.1,
});

export type SignalName = keyof typeof SIGNAL_WEIGHTS;

/** One signal for all candidates. Only signals that could say something about this query belong to a ranking. */
export interface Signal {
  readonly name: SignalName;
  /** In [0, 1]. */
  readonly valueOf: (candidate: number) => number;
}

export interface RankRequest {
  /** The candidates as whole numbers of the caller's own; each once. */
  readonly candidates: ArrayLike<number>;
  readonly signals: readonly Signal[];
  /** At least 1. */
  readonly topK: number;
  /** Which of two candidates of the same score comes first: negative for `a`. Total, so that the order is. */
  readonly compareTies: (a: number, b: number) => number;
}

export interface RankedCandidate {
  readonly candidate: number;
  /** In [0, 1]. */
  readonly score: number;
  /** The values of the signals that are not 0. */
  readonly signals: Readonly<Record<string, number>>;
}

/**
 * The `topK` best candidates, best first. The score is the weighted sum of the signals over the weighted sum that they
 * could reach, so it does not depend on the other candidates, and a fact that matches poorly scores low also when it is
 * the best there is. Pure; candidates of score 0 are left out.
 */
export function rank({ candidates, signals, topK, compareTies }: RankRequest): readonly RankedCandidate[] {
  const bound = signals.reduce((sum, { name }) => sum + SIGNAL_WEIGHTS[name], 0);
  const columns = signals.map(({ name, valueOf }) => ({ share: SIGNAL_WEIGHTS[name] / bound, valueOf }));
  // A heap of the best so far, the worst of them on top: a sort of all candidates would cost more than finding them.
  const heap: { candidate: number; score: number }[] = [];
  const worse = (a: number, b: number): boolean => {
    const [x, y] = [heap[a], heap[b]] as [(typeof heap)[number], (typeof heap)[number]];
    return x.score === y.score ? compareTies(x.candidate, y.candidate) > 0 : x.score < y.score;
  };
  for (let index = 0; index < candidates.length; index++) {
    const candidate = candidates[index] as number;
    let score = 0;
    for (const { share, valueOf } of columns) score += share * valueOf(candidate);
    if (score <= 0) continue;
    const top = heap[0];
    if (heap.length < topK || top === undefined) {
      heap.push({ candidate, score });
      siftUp(heap, worse);
    } else if (score > top.score || (score === top.score && compareTies(candidate, top.candidate) < 0)) {
      heap[0] = { candidate, score };
      siftDown(heap, worse);
    }
  }
  heap.sort((a, b) => b.score - a.score || compareTies(a.candidate, b.candidate));
  return heap.map(({ candidate, score }) => ({
    candidate,
    score: Math.min(1, score),
    signals: Object.freeze(
      Object.fromEntries(signals.map(({ name, valueOf }) => [name, valueOf(candidate)]).filter(([, value]) => value)),
    ) as Readonly<Record<string, number>>,
  }));
}

function siftUp<T>(heap: T[], worse: (a: number, b: number) => boolean): void {
  for (let at = heap.length - 1; at > 0;) {
    const parent = (at - 1) >> 1;
    if (!worse(at, parent)) return;
    swap(heap, at, parent);
    at = parent;
  }
}

function siftDown<T>(heap: T[], worse: (a: number, b: number) => boolean): void {
  for (let at = 0; ;) {
    let worst = at;
    for (const child of [2 * at + 1, 2 * at + 2]) if (child < heap.length && worse(child, worst)) worst = child;
    if (worst === at) return;
    swap(heap, at, worst);
    at = worst;
  }
}

function swap<T>(list: T[], a: number, b: number): void {
  [list[a], list[b]] = [list[b] as T, list[a] as T];
}
