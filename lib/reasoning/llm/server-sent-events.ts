/** One event of a stream. */
export interface ServerSentEvent {
  /** Its name; empty where it has none. */
  readonly event: string;
  readonly data: string;
}

/**
 * The events in the bytes of a `text/event-stream`, wherever these are cut. What stands at the end without an empty line is an
 * event too, since servers forget that line.
 *
 * @param notUtf8 what is thrown when the bytes are no UTF-8
 */
export async function* serverSentEvents(
  bytes: AsyncIterable<Uint8Array>,
  notUtf8: () => Error,
): AsyncGenerator<ServerSentEvent> {
  let event = '';
  let data: string[] = [];
  for await (const line of linesOf(bytes, notUtf8)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') };
      event = '';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
  }
  if (data.length > 0) yield { event, data: data.join('\n') };
}

async function* linesOf(bytes: AsyncIterable<Uint8Array>, notUtf8: () => Error): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (piece?: Uint8Array): string => {
    try {
      return decoder.decode(piece, { stream: piece !== undefined });
    } catch {
      throw notUtf8();
    }
  };
  // In pieces, each looked through once: a long line in many pieces costs no more than a short one.
  let line: string[] = [];
  let endedWithReturn = false;
  for await (const piece of bytes) {
    let text = decoded(piece);
    if (text === '') continue;
    if (endedWithReturn && text.startsWith('\n')) text = text.slice(1);
    endedWithReturn = text === '' ? false : text.endsWith('\r');
    const [rest = '', ...more] = text.split(/\r\n|\n|\r/u);
    line.push(rest);
    for (const next of more) {
      yield line.join('');
      line = [next];
    }
  }
  line.push(decoded());
  if (line.some((part) => part !== '')) yield line.join('');
}
