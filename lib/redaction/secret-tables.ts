import { MARKER_FILLER, type Span } from './redaction-rule.js';
import { secretKeyKind, type SecretKeyKind } from './secret-key.js';
import { isSecretValue } from './secret-value.js';

const KEYWORD =
  /passw|pwd|secret|token|api[_ -]?key|credential|비밀번호|토큰|시크릿|令牌|密钥|口令|トークン|暗証番号|비번|패스워드|암호|パスワード|密码|密碼|(?<![a-z])pass(?![a-z])|(?<![a-z])pw(?![a-z])/gi;
// Columns that are made with spaces have two and more between them.
const DELIMITERS: readonly (string | RegExp)[] = ['|', '\t', ',', ';', / {2,64}/g];
const RULER = /^[ \t|:+-]{3,512}$/;
const MAX_LINE = 2048;
const MAX_CELLS = 32;
// A name, in letters and what joins them, or what stands in for a marker.
const NAME = /^[\p{L}\p{N}\uffff _.:/()-]{0,40}$/u;

interface Cell extends Span {
  readonly text: string;
}

/** A table with a column of secrets: `start` to `end`, without the last line end. */
export interface SecretTable extends Span {
  readonly headerEnd: number;
  /** The cells that hold a secret. */
  readonly secrets: readonly Span[];
}

/**
 * The tables in a text that have a column of secrets. A header says what is in a column: a name alone in its cell, in a
 * line of cells. Rows follow, as long as they have as many cells. Each line is a header or a row once, so that this is
 * linear.
 *
 * @param hinted places in the headers, in order; default: wherever a name stands
 */
export function findSecretTables(text: string, hinted?: readonly number[]): readonly SecretTable[] {
  const tables: SecretTable[] = [];
  let seen = 0;
  for (const place of hinted ?? keywordsIn(text)) {
    if (place < seen) continue;
    const start = text.lastIndexOf('\n', place) + 1;
    const end = lineEnd(text, place);
    const fits = start >= seen && end < text.length && end - start <= MAX_LINE;
    const table = fits ? readTable(text, start, end) : undefined;
    if (table !== undefined) tables.push(table);
    seen = Math.max(seen, table?.end ?? end);
  }
  return tables;
}

function* keywordsIn(text: string): Generator<number> {
  for (const { index } of text.matchAll(KEYWORD)) yield index;
}

function readTable(text: string, start: number, end: number): SecretTable | undefined {
  const header = text.slice(start, end);
  const delimiter = DELIMITERS.find((sign) =>
    typeof sign === 'string' ? header.includes(sign) : header.search(sign) >= 0,
  );
  if (delimiter === undefined) return undefined;
  const names = cellsOf(header, start, delimiter);
  if (names.length < 2 || names.length > MAX_CELLS || !names.every(({ text: name }) => NAME.test(name))) {
    return undefined;
  }
  const kinds = names.map(({ text: name }) => secretKeyKind(name));
  if (kinds.every((kind) => kind === undefined || kind === 'key')) return undefined;
  const secrets: Span[] = [];
  let at = end + 1;
  while (at < text.length) {
    const until = lineEnd(text, at);
    if (until - at > MAX_LINE) break;
    const row = text.slice(at, until);
    if (!RULER.test(row)) {
      const cells = cellsOf(row, at, delimiter);
      const fits = cells.length === names.length;
      // What was masked may have taken a delimiter with it.
      if (!fits && !row.includes(MARKER_FILLER)) break;
      if (fits) secrets.push(...cells.filter((cell, index) => isSecret(cell, kinds[index])));
    }
    at = until + 1;
  }
  return { start, headerEnd: end, end: Math.min(at, text.length) - 1, secrets };
}

function isSecret({ text }: Cell, kind: SecretKeyKind | undefined): boolean {
  return (
    kind !== undefined &&
    kind !== 'key' &&
    isSecretValue(text, kind, kind === 'code' ? 'quoted' : kind === 'password' ? 'assigned' : 'bare')
  );
}

function cellsOf(line: string, offset: number, delimiter: string | RegExp): Cell[] {
  const cells: Cell[] = [];
  const add = (from: number, to: number): void => {
    const cell = line.slice(from, to);
    const text = cell.replace(/^[\s"'`*]{1,16}|[\s"'`*]{1,16}$/g, '');
    const start = offset + from + cell.indexOf(text);
    cells.push({ text, start, end: start + text.length });
  };
  let from = 0;
  for (const { index, 0: sign } of delimitersIn(line, delimiter)) {
    if (index > 0 || typeof delimiter === 'string') add(from, index);
    from = index + sign.length;
  }
  if (from < line.length || typeof delimiter === 'string') add(from, line.length);
  // A table in Markdown is framed by its delimiter.
  return delimiter === '|'
    ? cells.filter(({ text }, index) => text !== '' || (index > 0 && index < cells.length - 1))
    : cells;
}

const SIGNS: Readonly<Record<string, RegExp>> = { '|': /\|/g, '\t': /\t/g, ',': /,/g, ';': /;/g };

const delimitersIn = (line: string, delimiter: string | RegExp): Iterable<RegExpExecArray> =>
  line.matchAll(typeof delimiter === 'string' ? (SIGNS[delimiter] as RegExp) : delimiter);

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}
