/**
 * The delimited block in which memory stands in a prompt and in a tool's result. It is written by the agent side and
 * recognised by whatever takes conversations in, so that remembered facts are not derived a second time.
 */
const TAG = 'aimon-memory';
const CLOSE = `</${TAG}>`;
// The name, then the end of the tag, its attributes, or nothing more: a block may have been cut inside its first tag.
const OPEN = new RegExp(`<${TAG}(?=[\\s>]|$)`, 'gu');

/** Wraps lines of memory in the block. Nothing inside can open or close it: what looks like its tag is defused. */
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
 * `text` without the memory blocks in it, and whether there were any. A block that does not end takes the rest with it:
 * half a block is still memory, not something that was said.
 */
export function stripMemoryBlocks(text: string): { readonly text: string; readonly found: boolean } {
  if (!text.includes(`<${TAG}`)) return { text, found: false };
  let rest = '';
  let at = 0;
  let found = false;
  OPEN.lastIndex = 0;
  for (let open = OPEN.exec(text); open !== null; open = OPEN.exec(text)) {
    found = true;
    rest += text.slice(at, open.index);
    const end = text.indexOf(CLOSE, OPEN.lastIndex);
    at = end < 0 ? text.length : end + CLOSE.length;
    if (end < 0) break;
    OPEN.lastIndex = at;
  }
  return { text: rest + text.slice(at), found };
}

// A less-than sign in any form that a model, or a step that decodes or normalises text, may take for one.
const SIGN = /[<\u02c2\u2039\u2329\u27e8\u276e\u3008\ufe64\uff1c]|&lt;?|&#0*60;?|&#x0*3c;?|\\u003c|\\x3c/giu;
const INVISIBLE = /^[\s\p{Cc}\p{Cf}\p{M}\p{Default_Ignorable_Code_Point}]$/u;
const SLASH = /^[/\\\u2044\u2215\u2571\u29f8]$/u;
const DASH = /^[\p{Pd}_\u2212\u2043]$/u;
const LETTERS = TAG.replace('-', '');

/** `text` with every sign that would open something like the block's tag made harmless; idempotent, linear in time. */
export function defuse(text: string): string {
  return text.replace(SIGN, (sign: string, offset: number) => (readsAsTag(text, offset + sign.length) ? '(' : sign));
}

// Whether what stands at `from` reads as the tag's name, opening or closing, however it is spaced, cased, hyphenated,
// written in full width or interrupted by characters that do not show.
function readsAsTag(text: string, from: number): boolean {
  let matched = 0;
  let slashAllowed = true;
  for (let at = from; matched < LETTERS.length;) {
    const code = text.codePointAt(at);
    if (code === undefined) return false;
    const written = String.fromCodePoint(code);
    at += written.length;
    if (INVISIBLE.test(written)) continue;
    for (const character of written.normalize('NFKC').toLowerCase()) {
      if (DASH.test(character)) continue;
      if (slashAllowed && SLASH.test(character)) {
        slashAllowed = false;
        continue;
      }
      slashAllowed = false;
      if (character !== LETTERS[matched]) return matched >= LETTERS.length;
      matched += 1;
    }
  }
  return true;
}

// Attributes stand on one line and in quotes; angle brackets would end the tag.
function attribute(value: string): string {
  const plain = value.replace(/[\s\p{Cc}]+/gu, ' ').replace(/["<>\uff1c\uff1e&]/gu, "'");
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}
