/** What a JSON document is made of, with the place of each part in its text, in the order in which they stand there. */
export interface JsonScan {
  readonly containers: readonly JsonContainer[];
  readonly tokens: readonly JsonToken[];
}

/** An object or an array. */
export interface JsonContainer {
  /** The index of the container that this one stands in; -1 for the outermost. */
  readonly parent: number;
  /** The name that this container stands under: its own, or for an array in an array the nearest one around it. */
  readonly key: string | undefined;
  readonly isArray: boolean;
}

/** A text, a number, or an object's key. Positions include the quotes. */
export interface JsonToken {
  readonly kind: 'string' | 'number' | 'key';
  readonly start: number;
  readonly end: number;
  /** The text without quotes and escapes; a number as it is written. */
  readonly value: string;
  /** The name that a value stands under; for an array's item, the array's name. */
  readonly key: string | undefined;
  /** The index of the container that it stands in. */
  readonly container: number;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const SIMPLE_ESCAPES = '"\\/bfnrt';

/**
 * Reads a JSON object or array and answers `undefined` when `text` is anything else. It builds no value from it, so keys
 * such as `__proto__`, keys that occur twice and numbers of any size are what they are; and it does not recurse, so depth
 * is bounded by memory only.
 */
export function scanJson(text: string): JsonScan | undefined {
  const first = /^\s{0,1024}([[{])/.exec(text)?.[1];
  if (first === undefined) return undefined;
  return new Scanner(text).scan();
}

class Scanner {
  private readonly containers: JsonContainer[] = [];
  private readonly tokens: JsonToken[] = [];
  private at = 0;
  private open = -1;
  private key: string | undefined;

  constructor(private readonly text: string) {}

  scan(): JsonScan | undefined {
    let expected: 'value' | 'value or end' | 'key' | 'key or end' | 'comma or end' = 'value';
    for (;;) {
      this.skipSpace();
      const unit = this.text[this.at];
      const inArray = this.containers[this.open]?.isArray ?? true;
      if (expected === 'comma or end' || ((expected === 'value or end' || expected === 'key or end') && isEnd(unit))) {
        if (unit === ',' && expected === 'comma or end') {
          this.at++;
          expected = inArray ? 'value' : 'key';
          continue;
        }
        if (unit !== (inArray ? ']' : '}')) return undefined;
        this.at++;
        this.open = (this.containers[this.open] as JsonContainer).parent;
        if (this.open === -1) break;
        expected = 'comma or end';
      } else if (expected === 'key' || expected === 'key or end') {
        if (!this.readKey()) return undefined;
        expected = 'value';
      } else if (unit === '{' || unit === '[') {
        this.enter(unit === '[');
        expected = unit === '[' ? 'value or end' : 'key or end';
      } else {
        if (this.open === -1 || !this.readLeaf(unit)) return undefined;
        expected = 'comma or end';
      }
    }
    this.skipSpace();
    return this.at === this.text.length ? { containers: this.containers, tokens: this.tokens } : undefined;
  }

  private get name(): string | undefined {
    const container = this.containers[this.open];
    return container?.isArray === true ? container.key : this.key;
  }

  private enter(isArray: boolean): void {
    this.containers.push({ parent: this.open, key: this.name, isArray });
    this.open = this.containers.length - 1;
    this.at++;
  }

  private readKey(): boolean {
    const start = this.at;
    const value = this.readString();
    if (value === undefined) return false;
    this.tokens.push({ kind: 'key', start, end: this.at, value, key: undefined, container: this.open });
    this.skipSpace();
    if (this.text[this.at] !== ':') return false;
    this.at++;
    this.key = value;
    return true;
  }

  private readLeaf(unit: string | undefined): boolean {
    const start = this.at;
    if (unit === '"') {
      const value = this.readString();
      if (value === undefined) return false;
      this.tokens.push({ kind: 'string', start, end: this.at, value, key: this.name, container: this.open });
      return true;
    }
    if (this.matches(LITERAL)) return true;
    if (!this.matches(NUMBER)) return false;
    const value = this.text.slice(start, this.at);
    this.tokens.push({ kind: 'number', start, end: this.at, value, key: this.name, container: this.open });
    return true;
  }

  private readString(): string | undefined {
    const { text } = this;
    const start = this.at;
    if (text[start] !== '"') return undefined;
    let escaped = false;
    for (let at = start + 1; at < text.length; at++) {
      const unit = text.charCodeAt(at);
      if (unit === 0x22) {
        this.at = at + 1;
        return escaped ? (JSON.parse(text.slice(start, at + 1)) as string) : text.slice(start + 1, at);
      }
      if (unit < 0x20) return undefined;
      if (unit !== 0x5c) continue;
      escaped = true;
      const kind = text[++at];
      if (kind === 'u') {
        if (!/^[0-9a-fA-F]{4}$/.test(text.slice(at + 1, at + 5))) return undefined;
        at += 4;
      } else if (kind === undefined || !SIMPLE_ESCAPES.includes(kind)) return undefined;
    }
    return undefined;
  }

  private matches(pattern: RegExp): boolean {
    pattern.lastIndex = this.at;
    if (!pattern.test(this.text)) return false;
    this.at = pattern.lastIndex;
    return true;
  }

  private skipSpace(): void {
    for (; this.at < this.text.length; this.at++) {
      const unit = this.text.charCodeAt(this.at);
      if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
    }
  }
}

const isEnd = (unit: string | undefined): boolean => unit === ']' || unit === '}';
