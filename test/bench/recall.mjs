/** Recall is told at these numbers of distinct turns. */
export const RECALL_AT = [1, 5, 10, 25, 50];

/**
 * The first `limit` distinct turn ids that a ranked list of hits leads to.
 *
 * @param {readonly { observation: { sourceMessageIds: readonly string[] } }[]} hits most relevant first
 * @param {number} limit
 * @returns {string[]}
 */
export function distinctIds(hits, limit) {
  const ids = new Set();
  for (const { observation } of hits) {
    for (const id of observation.sourceMessageIds) {
      if (ids.size === limit) return [...ids];
      ids.add(id);
    }
  }
  return [...ids];
}

/**
 * The share of a question's evidence among the first k ids, for each k of {@link RECALL_AT}.
 *
 * @param {readonly string[]} ids distinct, most relevant first
 * @param {readonly string[]} evidence distinct, at least one
 * @returns {number[]} each from 0 to 1
 */
export function recallOf(ids, evidence) {
  return RECALL_AT.map((k) => {
    const found = new Set(ids.slice(0, k));
    return evidence.filter((id) => found.has(id)).length / evidence.length;
  });
}

/**
 * The mean recall of the questions of each category, of categories 1 to 4 together, and of all.
 *
 * @param {readonly { category?: string, recall: readonly number[] }[]} answers
 * @returns {Record<string, { questions: number, recall: Record<string, number> }>} percentages with one decimal;
 *   a group without questions is left out
 */
export function groupRecall(answers) {
  const categories = [...new Set(answers.flatMap(({ category }) => (category === undefined ? [] : [category])))].sort();
  const groups = [
    ['1-4', answers.filter(({ category }) => ['1', '2', '3', '4'].includes(category))],
    ['all', answers],
    ...categories.map((name) => [name, answers.filter(({ category }) => category === name)]),
  ];
  return Object.fromEntries(
    groups
      .filter(([, members]) => members.length > 0)
      .map(([name, members]) => [
        name,
        {
          questions: members.length,
          recall: Object.fromEntries(
            RECALL_AT.map((k, index) => [
              k,
              percent(
                members.reduce((sum, { recall }) => sum + recall[index], 0),
                members.length,
              ),
            ]),
          ),
        },
      ]),
  );
}

/** `part` of `whole` as a percentage with one decimal; 0 of nothing is 0. */
export function percent(part, whole) {
  return whole === 0 ? 0 : Number(((100 * part) / whole).toFixed(1));
}

/** The value that `share` of the values do not exceed; 0 of none. */
export function percentile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;
}
