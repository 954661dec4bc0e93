/**
 * The delimited block in which memory stands in a prompt and in a tool's result. It is written by the agent side and
 * recognised by whatever takes conversations in, so that remembered facts are not derived a second time.
 */
const TAG = 'aimon-memory';
const CLOSE = `</${TAG}>`;
const OPEN = `<${TAG}`;

/**
 * Wraps lines of memory in the block `<aimon-memory …>`. Nothing inside can open or close one: a less-than sign that could,
 * in whatever way it is written, becomes `(`.
 *
 * @param init.attributes what stands in the opening tag, by name. Each value is put on one line and cut to 200 characters;
 *   quotes and angle brackets become `'`. Names are taken as they are
 * @param init.body the lines between the tags
 */
export function formatMemoryBlock(init: {
  readonly attributes: Readonly<Record<string, string>>;
  readonly body: string;
}): string {
  const attributes = Object.entries(init.attributes)
    .map(([name, value]) => ` ${name}="${attribute(value)}"`)
    .join('');
  return `<${TAG}${attributes}>\n${defuse(init.body)}\n${CLOSE}`;
}

/**
 * `text` without the memory blocks in it, and as `found` whether there were any. A block that does not end takes the rest with it:
 * half a block is still memory, not something that was said.
 */
export function stripMemoryBlocks(text: string): { readonly text: string; readonly found: boolean } {
  const { texts, found } = stripMemoryBlocksAcross([text]);
  return { text: texts[0] as string, found };
}

/**
 * {@link stripMemoryBlocks} of texts that are read as one, such as the parts of a message: a block, and its tag, may
 * begin in one of them and end in another. As many texts as were given.
 */
export function stripMemoryBlocksAcross(texts: readonly string[]): {
  readonly texts: readonly string[];
  readonly found: boolean;
} {
  const joined = texts.length === 1 ? (texts[0] as string) : texts.join('');
  const blocks = blocksIn(joined, texts);
  if (blocks.length === 0) return { texts, found: false };
  let start = 0;
  let next = 0;
  const rest = texts.map((text) => {
    const end = start + text.length;
    let kept = '';
    for (let at = start; at < end;) {
      const block = blocks[next];
      kept += joined.slice(at, Math.min(end, Math.max(at, block?.start ?? end)));
      if (block === undefined || block.start >= end) break;
      at = Math.min(end, block.end);
      // One that goes on is still there for the text after this one.
      if (block.end > end) break;
      next += 1;
    }
    start = end;
    return kept;
  });
  return { texts: rest, found: true };
}

function blocksIn(joined: string, texts: readonly string[]): { readonly start: number; readonly end: number }[] {
  const blocks: { start: number; end: number }[] = [];
  let ends: Set<number> | undefined;
  for (let start = joined.indexOf(OPEN); start >= 0;) {
    const named = start + OPEN.length;
    // The name is followed by the end of the tag, its attributes, or nothing more: a block may have been cut in its tag.
    ends ??= endsOf(texts);
    if (!ends.has(named) && !/^[\s>]/u.test(joined.charAt(named))) {
      start = joined.indexOf(OPEN, named);
      continue;
    }
    const close = joined.indexOf(CLOSE, named);
    const end = close < 0 ? joined.length : close + CLOSE.length;
    blocks.push({ start, end });
    start = joined.indexOf(OPEN, end);
  }
  return blocks;
}

// Where each of the texts ends when they are joined.
function endsOf(texts: readonly string[]): Set<number> {
  let end = 0;
  return new Set(texts.map((text) => (end += text.length)));
}

// A less-than sign in the forms that a model, or a step that decodes or normalises text, may take for one: look-alikes,
// entities and percent signs that are escaped any number of times, and the escapes of programming languages.
const SIGN = new RegExp(
  [
    '[<\\u00ab\\u02c2\\u1438\\u2039\\u226a\\u226e\\u2329\\u276e\\u2770\\u27e8\\u27ea\\u300a\\u3008\\ufe3d\\ufe3f\\ufe64\\uff1c]',
    '&(?:amp;|#0*38;|#x0*26;)*(?:lt;?|lang;|lsaquo;|laquo;|nlt;|#0*60;?|#x0*3c;?)',
    '%(?:25)*3c',
    '\\\\u003c|\\\\u\\{0*3c\\}|\\\\x3c|\\\\0?74',
  ].join('|'),
  'giu',
);
// A slash or backslash that is encoded in the same ways.
const ENCODED_SLASH = new RegExp(
  [
    '&(?:amp;|#0*38;|#x0*26;)*(?:b?sol;|#0*(?:47|92);?|#x0*(?:2f|5c);?)',
    '%(?:25)*(?:2f|5c)',
    '\\\\u00(?:2f|5c)|\\\\u\\{0*(?:2f|5c)\\}|\\\\x(?:2f|5c)|\\\\0?57|\\\\134',
  ].join('|'),
  'iuy',
);
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]$/u;
const SLASH = /^[/\\\u2044\u2215\u2216\u2571\u2572\u29f5\u29f8\u29f9]$/u;
const DASH = /^[\p{Pd}_\u2212\u2043]$/u;
const LETTERS = TAG.replace('-', '');
// Letters of other scripts, and digits, that look like one of the name's.
const LOOK_ALIKES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    a: '\u0430\u03b1\u0251',
    e: '\u0435\u03b5\u0454',
    i: '\u0456\u04cf\u0131\u03b9\u0269',
    m: '\u043c\u03bc',
    n: '\u043f\u03bd\u03b7\u0578',
    o: '\u043e\u03bf\u0585\u03c3\u00f80',
    r: '\u0433\u1d26',
    y: '\u0443\u04af\u03c5\u03b3',
  }).flatMap(([letter, others]) => [...others].map((other) => [other, letter] as const)),
);

/**
 * `text` with every sign that would open something like the block's tag made harmless; idempotent, linear in time.
 *
 * Recognised is the name after a less-than sign and any number of slashes and backslashes, these as themselves, as
 * look-alikes, as entities, as percent-encoding or as the usual escapes; the name in any case, width, spacing and
 * hyphenation, with accents, with characters between that do not show, and with the commonest look-alike letters of
 * Cyrillic and Greek. Not recognised is a name whose own letters are encoded or written in some other way: such text
 * reads as the tag to nobody who does not decode it first.
 */
export function defuse(text: string): string {
  return text.replace(SIGN, (sign: string, offset: number) => (readsAsTag(text, offset + sign.length) ? '(' : sign));
}

function readsAsTag(text: string, from: number): boolean {
  let matched = 0;
  for (let at = from; matched < LETTERS.length;) {
    const code = text.codePointAt(at);
    if (code === undefined) return false;
    if (matched === 0) {
      ENCODED_SLASH.lastIndex = at;
      if (ENCODED_SLASH.test(text)) {
        at = ENCODED_SLASH.lastIndex;
        continue;
      }
    }
    const written = String.fromCodePoint(code);
    at += written.length;
    for (const character of written.normalize('NFKD').toLowerCase()) {
      if (INVISIBLE.test(character) || DASH.test(character) || (matched === 0 && SLASH.test(character))) continue;
      if ((LOOK_ALIKES.get(character) ?? character) !== LETTERS[matched]) return matched >= LETTERS.length;
      matched += 1;
    }
  }
  return true;
}

// Attributes stand on one line and in quotes; angle brackets would end the tag.
function attribute(value: string): string {
  const plain = defuse(value.replace(/[\s\p{Cc}]+/gu, ' ')).replace(/["<>\uff1c\uff1e&]/gu, "'");
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}
