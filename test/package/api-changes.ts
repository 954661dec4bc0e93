/** The text of each report by the name of its file. */
export type ApiReports = Readonly<Record<string, string>>;

const LINES_SHOWN = 20;

/** How `built`, the reports of what was built, differs from what was committed: a sentence for each entry, none if not at all. */
export function apiChanges(committed: ApiReports, built: ApiReports): string[] {
  const names = [...new Set([...Object.keys(committed), ...Object.keys(built)])].sort();
  return names.flatMap((name) => {
    const [before, after] = [committed[name], built[name]];
    if (before === after) return [];
    if (before === undefined) return [`${name} is new: package.json has an entry without a report. ${TO_DO}`];
    if (after === undefined) return [`${name} is of an entry that package.json no longer has. ${TO_DO}`];
    const changes = [...withoutLinesOf(before, after, '-'), ...withoutLinesOf(after, before, '+')];
    const shown = changes.length === 0 ? ['(the same lines in another order)'] : changes.slice(0, LINES_SHOWN);
    const left = changes.length - LINES_SHOWN;
    if (left > 0) shown.push(`(and ${left} more lines)`);
    return [`The public surface in ${name} has changed. ${TO_DO}\n${shown.join('\n')}`];
  });
}

const TO_DO =
  'If that is what you want, run `npm run api`, commit the report with the change, and say in CHANGELOG.md what it means for users.';

/** The lines of `text` that `other` has not, or not as often, each behind the sign. */
function withoutLinesOf(text: string, other: string, sign: string): string[] {
  const counts = new Map<string, number>();
  for (const line of other.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  return text.split('\n').flatMap((line) => {
    const count = counts.get(line) ?? 0;
    counts.set(line, count - 1);
    return count > 0 ? [] : [`${sign} ${line}`];
  });
}
