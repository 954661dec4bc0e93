/** A private key in PEM form: its frame, and the body that the frame is put around. */
export interface PrivateKeyBlock {
  /** Where `-----BEGIN` starts. */
  readonly start: number;
  readonly bodyStart: number;
  readonly bodyEnd: number;
  /** What the frame says, such as `RSA PRIVATE KEY`. */
  readonly label: string;
}

const FRAME = /-{4,5} ?(BEGIN|END) ((?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?|OpenVPN Static key V1) ?-{4,5}/g;
const SEPARATOR = /(?:[\s"'+>|,]|\\{1,16}[nrt]?){1,4096}/y;
const HEADER = /(?:Proc-Type|DEK-Info|Comment|Version|Hash|Charset): [^\n\\]{0,200}/y;
const RUN = /[A-Za-z0-9+/=]{1,4096}/y;

// Shorter runs are words as well, so they count only where they stand alone on a line under a longer one.
const CERTAIN_RUN = 16;

/**
 * The private keys in a text. One whose end is missing reaches as far as what follows looks like a key, and never past
 * the next frame. Line ends may be escaped and lines indented.
 */
export function findPrivateKeyBlocks(text: string): readonly PrivateKeyBlock[] {
  if (!text.includes('PRIVATE KEY') && !text.includes('Static key')) return [];
  const frames = [...text.matchAll(FRAME)];
  return frames.flatMap((frame, index) => {
    if (frame[1] !== 'BEGIN') return [];
    const following = frames[index + 1];
    const limit = following?.index ?? text.length;
    const bodyStart = frame.index + frame[0].length;
    const bodyEnd = following?.[1] === 'END' ? limit : endOfKey(text, bodyStart, limit);
    if (bodyEnd > bodyStart && isPlaceholder(text.slice(bodyStart, Math.min(bodyEnd, bodyStart + 256)))) return [];
    return [{ start: frame.index, bodyStart, bodyEnd, label: frame[2] as string }];
  });
}

function endOfKey(text: string, from: number, limit: number): number {
  let at = from;
  let end = from;
  while (at < limit) {
    at = past(SEPARATOR, text, at);
    const header = past(HEADER, text, at);
    const next = header > at ? header : past(RUN, text, at);
    if (next === at || next > limit) break;
    const short = header === at && next - at < CERTAIN_RUN;
    if (short && !(end > from && /^[\n\r\\"',]?$/.test(text.charAt(next)))) break;
    end = next;
    at = next;
    if (short) break;
  }
  return Math.min(end, limit);
}

// `<your key here>`, `...`: a frame that shows where a key goes.
const isPlaceholder = (body: string): boolean =>
  body.length < 256 &&
  !/[A-Za-z0-9+/]{16}/.test(body) &&
  !body.includes('[REDACTED:') &&
  /^(?:\s|\\{1,16}[nrt])*(?:<[^<>]*>|\.{3}|…|\*+|x+)?(?:\s|\\{1,16}[nrt])*$/i.test(body);

function past(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : at;
}
