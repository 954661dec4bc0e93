/**
 * The delimited block in which memory stands in a prompt. It is written by the context provider and recognised by
 * whatever takes conversations in, so that remembered facts are not derived a second time.
 */
const TAG = 'aimon-memory';

// A less-than sign in any of the forms that a model or a normalisation may read as one, and the tag however it is
// spaced, cased or interrupted by invisible characters.
const INVISIBLE = '[\\s\\u00ad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u2064\\ufeff]{0,8}';
const LETTERS = [...TAG]
  .map((letter) => (letter === '-' ? '[-\\u2010-\\u2015\\u2212\\uff0d]' : letter))
  .join(INVISIBLE);
const TAG_LIKE = new RegExp(
  `[<\\uff1c\\ufe64\\u2039\\u3008](?=${INVISIBLE}[/\\uff0f\\u2215]?${INVISIBLE}${LETTERS})`,
  'giu',
);

const OPEN = new RegExp(`<${TAG}(?:\\s[^<>]{0,600})?>`, 'gu');
const CLOSE = `</${TAG}>`;

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
  OPEN.lastIndex = 0;
  for (let open = OPEN.exec(text); open !== null; open = OPEN.exec(text)) {
    rest += text.slice(at, open.index);
    const end = text.indexOf(CLOSE, OPEN.lastIndex);
    at = end < 0 ? text.length : end + CLOSE.length;
    if (end < 0) break;
    OPEN.lastIndex = at;
  }
  return { text: rest + text.slice(at), found: at > 0 };
}

/** `text` with every sign that would open something like the block's tag made harmless. */
export function defuse(text: string): string {
  return text.replace(TAG_LIKE, '(');
}

// Attributes stand on one line and in quotes; angle brackets would end the tag.
function attribute(value: string): string {
  const plain = value.replace(/\s+/gu, ' ').replace(/["<>\uff1c\uff1e&]/gu, "'");
  return plain.length > 200 ? `${plain.slice(0, 199)}…` : plain;
}
