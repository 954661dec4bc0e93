import type { Span } from './redaction-rule.js';
import { secretKeyKind, type SecretKeyKind } from './secret-key.js';
import { isSecretValue, type ValueForm } from './secret-value.js';
import { ValueReader, type ReadValue } from './value-reader.js';

/** How what stands between a name and its value is read. */
export interface Separator {
  /** Sticky, at the end of the name; bounded. */
  readonly pattern: RegExp;
  readonly form: ValueForm;
  /** Whether the value is what stands before the next `<`. */
  readonly element?: boolean;
  /** Whether it is understood only after a name that begins with a dash. */
  readonly flag?: boolean;
  /** Whether another one may still fit where what follows this one is no secret. */
  readonly tentative?: boolean;
}

/** Finds one name after the other, as an expression that is global does. */
export interface KeywordFinder {
  lastIndex: number;
  exec(text: string): { readonly index: number } | null;
}

const MAX_NAME = 64;

/**
 * Finds names of secrets in a text and, where a value follows one, masks it. The name is everything around `keyword`
 * that could be one identifier; the separators are tried in order and the first that fits decides.
 *
 * @param kindOf what a name says about its value; default {@link secretKeyKind}
 */
export function findKeywordValues(
  text: string,
  keyword: KeywordFinder,
  separators: readonly Separator[],
  kindOf: (name: string) => SecretKeyKind | undefined = secretKeyKind,
): Span[] {
  const spans: Span[] = [];
  const reader = new ValueReader(text);
  keyword.lastIndex = 0;
  for (let hit = keyword.exec(text); hit !== null; hit = keyword.exec(text)) {
    const name = nameAround(text, hit.index, keyword.lastIndex);
    keyword.lastIndex = name.end;
    const kind = kindOf(text.slice(name.start, name.end));
    if (kind === undefined || isPathSegment(text, name)) continue;
    const found = [...valuesAfter(text, name, kind, separators, reader)];
    const first = found.at(-1);
    if (first !== undefined) found.push(...changedTo(text, first, kind, reader));
    for (const { start, end } of found) spans.push({ start, end });
    keyword.lastIndex = Math.max(name.end, found.at(-1)?.end ?? 0);
  }
  return spans;
}

function valuesAfter(
  text: string,
  name: Span,
  kind: SecretKeyKind,
  separators: readonly Separator[],
  reader: ValueReader,
): readonly ReadValue[] {
  for (const { pattern, form, element, flag, tentative } of separators) {
    if (flag === true && !/^--?\w/.test(text.slice(name.start, name.start + 3))) continue;
    pattern.lastIndex = name.end;
    if (!pattern.test(text)) continue;
    const at = pattern.lastIndex;
    const isSecret = (value: ReadValue, shape: ValueForm): boolean =>
      isSecretValue(text.slice(value.start, Math.min(value.end, value.start + 1024)), kind, shape) &&
      !(tentative === true && isTechnicalTerm(text.slice(value.start, Math.min(value.end, value.start + 64)))) &&
      !(shape === 'bare' && kind === 'password' && continuesAsProse(text, value)) &&
      !isCounted(text, value);
    const items = form === 'sentence' || form === 'adjacent' ? [] : [...reader.readList(at)];
    if (items.length > 0) return items.filter((item) => isSecret(item, 'quoted'));
    const value = element === true ? reader.readElement(at) : reader.read(at);
    if (value === undefined) continue;
    // A bare number after a colon may be anything, but not in JSON.
    const isMember = kind === 'code' && /["'\\]/.test(text.charAt(name.end));
    if (isSecret(value, isMember && form === 'bare' ? 'assigned' : shapeOf(value, form))) return [value];
    if (tentative !== true) return [];
  }
  return [];
}

const ARROW = /["'`]?[ \t]{0,2}(?:->|→|=>|⇒)[ \t]{0,2}(?=\S)/y;

// `password: old -> new`
function changedTo(text: string, { end }: Span, kind: SecretKeyKind, reader: ValueReader): readonly ReadValue[] {
  ARROW.lastIndex = end;
  if (!ARROW.test(text)) return [];
  const value = reader.read(ARROW.lastIndex);
  return value !== undefined &&
    isSecretValue(text.slice(value.start, Math.min(value.end, value.start + 1024)), kind, 'bare')
    ? [value]
    : [];
}

// What stands in quotes is as it was meant, except where a sentence may only mention it.
function shapeOf(value: ReadValue, form: ValueForm): ValueForm {
  if (!value.quoted || form === 'adjacent') return form;
  return form === 'sentence' ? 'bare' : 'quoted';
}

// `arn:aws:secretsmanager:…:secret:name`: a word among colons is a part of a name.
function isPathSegment(text: string, name: Span): boolean {
  return text[name.start - 1] === ':' && text[name.end] === ':' && /^[a-z]/.test(text.charAt(name.start));
}

// Words of the trade have digits in them, and so have measures: `sha256-hashed`, `90-day`, `k8s-operators`.
const TECHNICAL =
  /^(?:(?:sha-?\d|aes-?\d|rsa-?\d|ed25519|md5|base\d\d|bcrypt|oauth2|pbkdf2|argon2(?:id|i|d)?|scrypt|hs256|rs256|es256|k8s|x509|tls1|http2|utf-?8|win32|ipv[46])[a-z0-9-]{0,32}|\d{1,4}-?(?:day|hour|hr|minute|min|char|character|digit|bit|byte|week|month|year|word|step|fold|factor|st|nd|rd|th|x)s?(?:-[a-z]{1,24}){0,3})$/i;

/** Whether a value is a word of the trade with a number in it, or a measure. */
export const isTechnicalTerm = (value: string): boolean => TECHNICAL.test(value);

// `pass: 48 fail: 3`: a count among counts, not a password.
function continuesAsProse(text: string, value: Span): boolean {
  const length = value.end - value.start;
  return (
    length < 6 &&
    /^\d+$/.test(text.slice(value.start, value.end)) &&
    /^ \w+: ?\d/.test(text.slice(value.end, value.end + 24))
  );
}

// `비밀번호가 2026년에 …`: a number with what it counts.
const COUNTED =
  /^ ?(?:년|월|일|시|분|초|개|회|번|자|글자|명|원|건|차|주|배|年|月|日|回|件|文字|桁|個|个|位|次|分|小时|天|秒)/;

const isCounted = (text: string, { start, end }: Span): boolean =>
  end - start < 6 && /^\d+$/.test(text.slice(start, end)) && COUNTED.test(text.slice(end, end + 4));

function nameAround(text: string, from: number, to: number): Span {
  let start = from;
  while (start > 0 && from - start < MAX_NAME && isNamePart(text.charCodeAt(start - 1), true)) start--;
  let end = to;
  // A word in another script ends where that does: what is glued on is a value already.
  if (text.charCodeAt(to - 1) > 0x7f)
    return { start, end: to + (/^\d{1,2}(?![\w-])/.exec(text.slice(to, to + 3))?.[0].length ?? 0) };
  while (end < text.length && end - to < MAX_NAME && isNamePart(text.charCodeAt(end), false)) end++;
  return { start, end };
}

// Letters, digits, underscore and dash; before the keyword also dots and the dollar sign.
function isNamePart(unit: number, before: boolean): boolean {
  return (
    (unit >= 0x61 && unit <= 0x7a) ||
    (unit >= 0x41 && unit <= 0x5a) ||
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x5f ||
    unit === 0x2d ||
    (before && (unit === 0x2e || unit === 0x24))
  );
}
