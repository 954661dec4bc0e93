/** The blocks of data in a text of a prompt: the name of each, and its records. */
export function blocksIn(content: string): ReadonlyMap<string, readonly Readonly<Record<string, unknown>>[]> {
  const blocks = new Map<string, Readonly<Record<string, unknown>>[]>();
  let open: string | undefined;
  for (const line of content.split('\n')) {
    if (open === undefined) {
      open = /^<([a-z-]+)>$/.exec(line)?.[1];
      if (open !== undefined) blocks.set(open, []);
    } else if (line === `</${open}>`) open = undefined;
    else if (line !== '(none)') blocks.get(open)?.push(JSON.parse(line) as Record<string, unknown>);
  }
  if (open !== undefined) throw new Error(`The block <${open}> does not end.`);
  return blocks;
}

/** A text of a prompt with what its blocks hold left out: what must not vary with data. */
export function withoutRecords(content: string): string {
  return content.replaceAll(/^(?:\{.*\}|\(none\))\n/gm, '');
}
