import { createHash } from 'node:crypto';

/**
 * A digest of parts of text, 43 characters of `A-Z a-z 0-9 _ -`. Different parts give different digests, lone surrogates
 * included: encoded as UTF-8 all of these would be one character.
 */
export function textDigest(...parts: readonly string[]): string {
  const hash = createHash('sha256');
  // The length in front, so that where one part ends and the next begins counts.
  for (const part of parts) hash.update(`${part.length}:`).update(Buffer.from(part, 'utf16le'));
  return hash.digest('base64url');
}
