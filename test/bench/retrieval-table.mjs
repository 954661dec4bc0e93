import { RECALL_AT } from './recall.mjs';

/**
 * The result for people to read.
 *
 * @param {Awaited<ReturnType<typeof import('./measure-retrieval.mjs').measureRetrieval>>} result
 * @returns {string}
 */
export function retrievalTable({ groups, queryMs, evidenceDroppedPercent }) {
  const rows = [
    ['category', 'questions', ...RECALL_AT.map((k) => `R@${k}`)],
    ...Object.entries(groups).map(([name, { questions, recall }]) => [
      name,
      String(questions),
      ...RECALL_AT.map((k) => recall[k].toFixed(1)),
    ]),
  ];
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  const lines = rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]) : cell.padStart(widths[column]))).join('  '),
  );
  return [
    ...lines,
    '',
    `a query: ${queryMs.p50} ms (median), ${queryMs.p95} ms (95th percentile)`,
    `evidence that the deriver left out: ${evidenceDroppedPercent.toFixed(1)} %`,
  ].join('\n');
}
