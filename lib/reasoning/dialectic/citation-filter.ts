/*
 * A citation is the alias of an observation, or a list of them, in brackets: `[k1]`, `[k1, k3]`. Models that write Chinese or
 * Japanese use those scripts' own brackets and commas, so these count too. A bound on everything that repeats bounds what is
 * held back. What a link's address follows is the text of a link.
 */
const OPEN = '[\\[\\uff3b\\u3010]';
const CLOSE = '[\\]\\uff3d\\u3011]';
const GAP = '[ \\t]{0,2}';
const NEXT = `${GAP}[,;\\uff0c\\u3001\\uff1b]${GAP}`;
const ALIAS = 'k\\d{1,6}';
const SPACE = '[ \\t\\u00a0]?';
const CITATION = new RegExp(`${SPACE}${OPEN}${GAP}(${ALIAS}(?:${NEXT}${ALIAS}){0,31})${GAP}${CLOSE}`, 'y');
// The beginning of a citation, up to the end of what has come.
const BEGINNING = new RegExp(`${SPACE}(?:${OPEN}${GAP}(?:(?:${ALIAS}${NEXT}){0,31}(?:k(?:\\d{1,6}${GAP})?)?)?)?$`, 'y');
const CANDIDATE = /[ \t\u00a0[\uff3b\u3010]/g;

/**
 * Takes citations out of a text that comes in pieces, each with one space before it, and tells what they cite. At the
 * beginning of a line it is the space behind that goes. However the text is cut, what is left of it and what is cited
 * are the same; what may be the beginning of a citation is held back, and nothing else.
 */
export class CitationFilter {
  #held = '';
  #atLineStart = true;
  #dropsSpace = false;

  /** `cited` is told each alias in the order of the text, as often as it stands there. */
  constructor(private readonly cited: (alias: string) => void) {}

  /** What can be said of the text once `piece` has come; may be empty. */
  take(piece: string): string {
    return this.#filter(this.#held + piece, false);
  }

  /** The rest, when no more comes. */
  end(): string {
    return this.#filter(this.#held, true);
  }

  #filter(text: string, isAll: boolean): string {
    let said = '';
    let at = 0;
    this.#held = '';
    const say = (end: number): void => {
      if (end === at) return;
      said += text.slice(at, end);
      this.#atLineStart = text[end - 1] === '\n';
      this.#dropsSpace = false;
      at = end;
    };
    while (at < text.length) {
      if (this.#dropsSpace) {
        this.#dropsSpace = false;
        if (text[at] === ' ') {
          at += 1;
          continue;
        }
      }
      CANDIDATE.lastIndex = at;
      say(CANDIDATE.exec(text)?.index ?? text.length);
      if (at === text.length) break;
      const citation = matchAt(CITATION, text, at);
      const end = at + (citation?.[0].length ?? 0);
      // Of a citation at the end of what has come, only what comes next shows that it is none.
      if (!isAll && (citation === undefined ? matchAt(BEGINNING, text, at) !== undefined : end === text.length)) {
        this.#held = text.slice(at);
        break;
      }
      if (citation === undefined || text[end] === '(') {
        say(citation === undefined ? at + 1 : end);
        continue;
      }
      for (const alias of (citation[1] ?? '').match(/k\d+/g) ?? []) this.cited(alias);
      at = end;
      this.#dropsSpace = this.#atLineStart;
    }
    return said;
  }
}

function matchAt(expression: RegExp, text: string, at: number): RegExpExecArray | undefined {
  expression.lastIndex = at;
  return expression.exec(text) ?? undefined;
}
