/** Openings that are tried before a text is given up: prose may hold brackets of its own. */
const MOST_CANDIDATES = 50;

/**
 * The JSON values in what a model wrote, the whole text first: as it is, in a code fence, with prose around it, with commas
 * before a closing bracket. Values inside of a value that was found are not looked for.
 */
export function* jsonValuesIn(text: string): Generator<unknown> {
  const whole = parsed(text.replace(/^\ufeff/, '').trim());
  if (whole !== undefined) {
    yield whole.value;
    return;
  }
  let from = 0;
  for (let candidate = 0; candidate < MOST_CANDIDATES; candidate++) {
    const start = text.slice(from).search(/[[{]/);
    if (start < 0) return;
    const end = closingOf(text, from + start);
    const found = end === undefined ? undefined : parsed(text.slice(from + start, end));
    if (found !== undefined) yield found.value;
    from = found === undefined ? from + start + 1 : (end as number);
  }
}

function parsed(text: string): { readonly value: unknown } | undefined {
  for (const candidate of [text, withoutTrailingCommas(text)]) {
    try {
      return { value: JSON.parse(candidate) as unknown };
    } catch {
      // The next one.
    }
  }
  return undefined;
}

/** Where the bracket that opens at `start` is closed, exclusive; brackets in texts do not count. */
function closingOf(text: string, start: number): number | undefined {
  let depth = 0;
  for (const { at, sign } of signsOutsideTexts(text, start)) {
    if (sign === '[' || sign === '{') depth++;
    else if ((sign === ']' || sign === '}') && --depth === 0) return at + 1;
  }
  return undefined;
}

function withoutTrailingCommas(text: string): string {
  let kept = '';
  let from = 0;
  let comma: number | undefined;
  for (const { at, sign } of signsOutsideTexts(text, 0)) {
    if ((sign === ']' || sign === '}') && comma !== undefined) {
      kept += text.slice(from, comma);
      from = comma + 1;
    }
    if (sign === ',') comma = at;
    else if (!/\s/.test(sign)) comma = undefined;
  }
  return kept + text.slice(from);
}

function* signsOutsideTexts(text: string, from: number): Generator<{ readonly at: number; readonly sign: string }> {
  let inText = false;
  for (let at = from; at < text.length; at++) {
    const sign = text.charAt(at);
    if (inText && sign === '\\') at++;
    else if (sign === '"') {
      inText = !inText;
      if (inText) yield { at, sign };
    } else if (!inText) yield { at, sign };
  }
}
