/** A document without its fenced blocks, in which a `#` or a `|` means something else. */
const withoutCode = (markdown: string): string => markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');

/** The tables of a document, each as its rows, of which the first is the head, and each row as its cells. */
export function tables(markdown: string): readonly (readonly (readonly string[])[])[] {
  return [...withoutCode(markdown).matchAll(/(?:^\|.*\|$\n?)+/gm)].map(([table]) =>
    table
      .trimEnd()
      .split('\n')
      .filter((_, index) => index !== 1)
      .map((row) =>
        row
          .split('|')
          .slice(1, -1)
          .map((cell) => cell.trim()),
      ),
  );
}

/** The headings of a document: how deep each is, and its text. */
export function headings(markdown: string): readonly { readonly level: number; readonly text: string }[] {
  return [...withoutCode(markdown).matchAll(/^(#+) (.+)$/gm)].map(([, marks = '', text = '']) => ({
    level: marks.length,
    text,
  }));
}

/** What headings are linked by: in small letters, without punctuation, with `-` for a blank. */
export function headingAnchors(markdown: string): readonly string[] {
  return headings(markdown).map(({ text }) =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(/\s/g, '-'),
  );
}

/** Where the links of a document lead, and the pictures it shows, without those in code. */
export function linkTargets(markdown: string): readonly string[] {
  return [...withoutCode(markdown).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
}
