import type { Span } from './redaction-rule.js';

/** A value as it stands in a text, without its quotes. */
export interface ReadValue extends Span {
  readonly quoted: boolean;
}

const MAX_QUOTED = 4096;
const OPENING = /(?:[rbfu@]|N)?(\\{0,16})(["'`])/iy;

// What says of which type a value of YAML is, or gives it a name; two of the three quotes of a text over several lines;
// the end of a line that goes on.
const LEAD = /!{1,2}(?:str|binary|unsafe)[ \t]{1,4}|&\w{1,32}[ \t]{1,4}|''(?=')|""(?=")|\\\r?\n[ \t]{0,32}/y;
const LIST_START = /\\{0,16}\[\s{0,32}(?=\\{0,16}["'])/y;
const LIST_NEXT = /\\{0,16}["']\s{0,8},\s{0,32}(?=\\{0,16}["'])/y;
const MAX_ITEMS = 64;
const ELEMENT_START = /\s{0,64}(?:<!\[CDATA\[)?/y;
const CJK_QUOTES: Readonly<Record<string, string>> = {
  '「': '」',
  '『': '』',
  '“': '”',
  '‘': '’',
  '《': '》',
  '〈': '〉',
  '【': '】',
};

/** Reads values out of one text. Remembers where a run of characters ends, so that reading it from many places is linear. */
export class ValueReader {
  private runFrom = -1;
  private runEnd = -1;

  constructor(private readonly text: string) {}

  /** The value that starts at `from`; `undefined` where none does. */
  read(from: number): ReadValue | undefined {
    const { text } = this;
    const at = this.past(LEAD, from);
    const closing = CJK_QUOTES[text[at] ?? ''];
    if (closing !== undefined) return this.quotedUntil(at + 1, (end) => text[end] === closing);
    OPENING.lastIndex = at;
    const opening = OPENING.exec(text);
    if (opening !== null) return this.quoted(at + opening[0].length, opening[1]?.length ?? 0, opening[2] as string);
    return this.bare(at);
  }

  /** The items of a list in brackets that starts at `at`, each in quotes; none where no such list does. */
  *readList(at: number): Generator<ReadValue> {
    let from = this.past(LIST_START, at);
    for (let items = 0; from > at && items < MAX_ITEMS; items++) {
      const item = this.read(from);
      if (item?.quoted !== true) return;
      yield item;
      const next = this.past(LIST_NEXT, item.end);
      if (next === item.end) return;
      from = next;
    }
  }

  /** The value between `at` and the next `<`, as in XML; that may be escaped, and the value on a line of its own. */
  readElement(at: number): ReadValue | undefined {
    const start = this.past(ELEMENT_START, at);
    const length = this.text.slice(start, start + MAX_QUOTED).search(/[<\r\n]|&lt;|\]\]>/);
    if (length <= 0) return undefined;
    const end = start + length;
    const onItsOwnLine = this.text.slice(at, start).includes('\n');
    if (onItsOwnLine && !/^\s{1,64}<\//.test(this.text.slice(end, end + 80))) return undefined;
    return { start, end, quoted: true };
  }

  private past(pattern: RegExp, at: number): number {
    pattern.lastIndex = at;
    return pattern.test(this.text) ? pattern.lastIndex : at;
  }

  // In an escaped text the closing quote has as many backslashes as the opening one; fewer of them close what is around.
  private quoted(start: number, level: number, quote: string): ReadValue | undefined {
    const { text } = this;
    return this.quotedUntil(start, (end) => {
      if (text[end] !== quote) return false;
      let slashes = 0;
      while (text[end - 1 - slashes] === '\\' && end - slashes > start) slashes++;
      return level === 0 ? slashes % 2 === 0 : slashes <= level;
    });
  }

  private quotedUntil(start: number, closes: (end: number) => boolean): ReadValue | undefined {
    const { text } = this;
    const limit = Math.min(text.length, start + MAX_QUOTED);
    for (let end = start; end < limit; end++) {
      if (text[end] === '\n') return this.unclosed(start, end);
      if (!closes(end)) continue;
      while (end > start && text[end - 1] === '\\') end--;
      return end > start ? { start, end, quoted: true } : undefined;
    }
    return this.unclosed(start, limit);
  }

  // The text ends, or the line does: what was quoted is what is left of it, or a run that is longer than any bound.
  private unclosed(start: number, limit: number): ReadValue | undefined {
    if (limit - start < MAX_QUOTED) return limit > start ? { start, end: limit, quoted: true } : undefined;
    return this.bare(start);
  }

  private bare(start: number): ReadValue | undefined {
    let end = this.endOfRun(start);
    while (end > start && /[.,:;()[\]{}?*]/.test(this.text[end - 1] as string)) {
      if (!this.closesNothing(start, end)) break;
      end--;
    }
    return end > start ? { start, end, quoted: false } : undefined;
  }

  // A bracket that is opened inside the value belongs to it, and so do stars that are not all there is of emphasis.
  private closesNothing(start: number, end: number): boolean {
    const last = this.text[end - 1] as string;
    const opening = { ')': '(', ']': '[', '}': '{' }[last];
    if (opening !== undefined) return !this.text.slice(Math.max(start, end - 512), end - 1).includes(opening);
    return last !== '*' || this.text[end - 2] === '*';
  }

  private endOfRun(start: number): number {
    if (start >= this.runFrom && start < this.runEnd) return this.runEnd;
    const { text } = this;
    let end = start;
    while (end < text.length && !this.ends(end)) end++;
    this.runFrom = start;
    this.runEnd = end;
    return end;
  }

  private ends(at: number): boolean {
    const unit = this.text.charCodeAt(at);
    if (unit <= 0x20 || (unit >= 0x7f && unit !== 0xffff)) return true;
    switch (this.text[at]) {
      case '"':
      case "'":
      case '`':
      case '<':
      case '>':
      case ',':
      case ';':
        return true;
      case '&':
        return /^&(?:amp;)?[\w.%[\]-]{1,48}=|^&[a-z]{2,5};|^&&/.test(this.text.slice(at, at + 56));
      case '\\':
        return /^\\{1,16}(?:[nrt"']|u00|$)/.test(this.text.slice(at, at + 20));
      case '|':
        return at > 0 && /\s/.test(this.text[at - 1] as string);
      default:
        return false;
    }
  }
}
