const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const LOCOMO = /^(\d{1,2}):(\d{2}) (am|pm) on (\d{1,2}) ([a-z]{3,9})\.?,? (\d{4})$/i;
const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/i;

/**
 * When a turn was said: LoCoMo's `1:56 pm on 8 May, 2023`, or ISO 8601, of which the time may be missing. UTC where no
 * zone is given. `undefined` for anything else, dates that no calendar has included.
 *
 * @param {string} text
 * @returns {Date | undefined}
 */
export function parseSaidAt(text) {
  const locomo = LOCOMO.exec(text.trim());
  if (locomo !== null) {
    const [, hour, minute, half, day, monthName, year] = locomo;
    const month = MONTHS.indexOf(monthName.slice(0, 3).toLowerCase());
    if (month < 0 || hour < 1 || hour > 12) return undefined;
    return timeOf(year, month + 1, day, (hour % 12) + (half.toLowerCase() === 'pm' ? 12 : 0), minute, 0, 'Z');
  }
  const iso = ISO.exec(text.trim());
  if (iso === null) return undefined;
  const [, year, month, day, hour = 0, minute = 0, second = 0, zone = 'Z'] = iso;
  return timeOf(year, month, day, hour, minute, second, zone);
}

function timeOf(year, month, day, hour, minute, second, zone) {
  const fields = [Number(year), Number(month), Number(day), Number(hour), Number(minute), Number(second)];
  const time = new Date(Date.UTC(fields[0], fields[1] - 1, ...fields.slice(2)));
  // Date.UTC takes 31 February for 3 March.
  const back = [
    time.getUTCFullYear(),
    time.getUTCMonth() + 1,
    time.getUTCDate(),
    time.getUTCHours(),
    time.getUTCMinutes(),
    time.getUTCSeconds(),
  ];
  if (back.some((value, index) => value !== fields[index])) return undefined;
  return new Date(time.getTime() - minutesOf(zone) * 60_000);
}

function minutesOf(zone) {
  if (zone.toUpperCase() === 'Z') return 0;
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
}
