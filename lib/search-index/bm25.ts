/**
 * BM25 (Robertson & Zaragoza 2009, "The Probabilistic Relevance Framework: BM25 and Beyond"), each term's share kept in
 * [0, 1): without the constant factor (k1 + 1), which changes no order.
 */

/**
 * How soon a repeated term stops counting. Facts are short: 0.3 to 0.9 are within 0.5 points of each other on LoCoMo
 * (recall@10, with the context signals), the usual 1.2 costs 2.5 on plain BM25.
 */
const K1 = 0.4;

/**
 * How much a long fact is held back. 0 to 0.2 measure alike; 0.4 costs half a point. Not 0, so that a pasted document
 * does not lead every search.
 */
const B = 0.2;

/** In sessions a term is said again and again, so its repetitions count for longer. 0.5 to 4 measure alike. */
const SESSION_K1 = 1;

/** How much a term tells documents apart; positive also for one that all of them hold. */
export function inverseDocumentFrequency(documents: number, holding: number): number {
  return Math.log(1 + (documents - holding + 0.5) / (holding + 0.5));
}

/** What `frequency` occurrences say, in [0, 1), in a document `relativeLength` times as long as the average one. */
export function saturation(frequency: number, relativeLength: number): number {
  return frequency / (frequency + K1 * (1 - B + B * relativeLength));
}

/** {@link saturation} for a whole session, whatever its length. */
export function sessionSaturation(frequency: number): number {
  return frequency / (frequency + SESSION_K1);
}
