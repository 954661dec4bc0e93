/** A date as a text names it; what it leaves open is absent. At least one part is there. */
export interface NamedDate {
  readonly year?: number;
  /** 1 to 12. */
  readonly month?: number;
  /** 1 to 31; only together with a month. */
  readonly day?: number;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NAMES =
  'january|february|march|april|may|june|july|august|september|october|november|december|' +
  'jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec';
const YEAR = '(?<!\\d)((?:19|20)\\d\\d)(?!\\d)';
const DAY = '(\\d{1,2})(?:st|nd|rd|th)?(?!\\d)';
// Alone these are verbs more often than months: "may" and "march" need a word in front that a month follows.
const ALONE = '(?:in|during|since|until|by|of|early|mid|late|last|next|this)[ -]+(may|march|mar)|(?!may|mar)';

/** Each form, and which part its groups hold. */
const FORMS: readonly (readonly [RegExp, readonly (keyof NamedDate)[]])[] = [
  [new RegExp(`${YEAR}[-./](\\d{1,2})[-./](\\d{1,2})(?!\\d)`, 'g'), ['year', 'month', 'day']],
  [new RegExp(`${YEAR}-(\\d{2})(?![\\d-])`, 'g'), ['year', 'month']],
  [new RegExp(`(?<!\\d)${DAY}(?: of)? (${NAMES})\\b\\.?(?:,? ${YEAR})?`, 'g'), ['day', 'month', 'year']],
  [new RegExp(`\\b(${NAMES})\\b\\.? ${DAY}(?:,? ${YEAR})?`, 'g'), ['month', 'day', 'year']],
  [new RegExp(`\\b(${NAMES})\\b\\.?,? ${YEAR}`, 'g'), ['month', 'year']],
  [new RegExp(`\\b(?:${ALONE}(${NAMES}))\\b`, 'g'), ['month', 'month']],
  [/(?:(\d{4})[년年] ?)?(?<!\d)(\d{1,2})[월月](?: ?(\d{1,2})[일日号])?/g, ['year', 'month', 'day']],
  [new RegExp(`${YEAR}`, 'g'), ['year']],
];

/**
 * The dates that a text names: `8 May 2023`, `May 8`, `in May`, `2023-05-08`, `2023년 5월 8일`, `5月8日`, `2023`. Words
 * such as "yesterday" name none, since a query does not say when it was asked.
 */
export function namedDates(text: string): readonly NamedDate[] {
  const found: NamedDate[] = [];
  let rest = text.normalize('NFKC').toLowerCase();
  for (const [form, parts] of FORMS) {
    rest = rest.replace(form, (matched: string, ...groups: unknown[]) => {
      const date = dateOf(parts, groups);
      if (date === undefined) return matched;
      found.push(date);
      return ' | ';
    });
  }
  return found;
}

function dateOf(parts: readonly (keyof NamedDate)[], groups: readonly unknown[]): NamedDate | undefined {
  const date: { -readonly [part in keyof NamedDate]: number } = {};
  parts.forEach((part, index) => {
    const group = groups[index];
    if (typeof group === 'string')
      date[part] = /^\d/.test(group) ? Number(group) : MONTHS.indexOf(group.slice(0, 3)) + 1;
  });
  const { month = 1, day = 1 } = date;
  return month >= 1 && month <= 12 && day >= 1 && day <= 31 ? date : undefined;
}

const DAY_IN_MILLISECONDS = 86_400_000;
// A day is told of in the days around it.
const DAYS_AROUND = 7;

/** How near a time (milliseconds, UTC) is to a named date, in [0, 1]: 1 within it, falling over a week around a day. */
export function dateCloseness(date: NamedDate, time: number): number {
  const at = new Date(time);
  const month = at.getUTCMonth() + 1;
  if (date.month === undefined) return at.getUTCFullYear() === date.year ? 1 : 0;
  if (date.day === undefined) {
    return month === date.month && (date.year === undefined || at.getUTCFullYear() === date.year) ? 1 : 0;
  }
  const day = Date.UTC(date.year ?? at.getUTCFullYear(), date.month - 1, date.day);
  const days = Math.abs(Math.floor(time / DAY_IN_MILLISECONDS) - day / DAY_IN_MILLISECONDS);
  return Math.max(0, 1 - days / (DAYS_AROUND + 1));
}
