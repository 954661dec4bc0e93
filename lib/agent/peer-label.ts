import type { PeerView } from '../domain/peer-view.js';

const LONGEST_LABEL = 200;

/** A peer as a model reads it, on one line: `Alice (USER "alice")`. Names are data and may hold anything. */
export function peerLabel({ principal }: PeerView): string {
  const identity = `${principal.type} ${JSON.stringify(principal.id)}`;
  return principal.displayName === undefined ? identity : `${oneLine(principal.displayName)} (${identity})`;
}

/** `text` on one line, without control characters, shortened. */
function oneLine(text: string): string {
  const line = text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim();
  return line.length > LONGEST_LABEL ? `${line.slice(0, LONGEST_LABEL - 1)}…` : line;
}
