import { shown } from '../domain/checks.js';
import { InvalidArgumentError } from '../domain/errors.js';

/** Makes an opaque cursor of the parts that say where a page ended. */
export function writeCursor(parts: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The parts of a cursor that {@link writeCursor} made. @throws InvalidArgumentError for any other text. */
export function readCursor(cursor: string): readonly unknown[] {
  try {
    const parts: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(parts)) return parts;
  } catch {
    // Said below, as for every other text that is no cursor.
  }
  throw new InvalidArgumentError(
    `The cursor ${shown(cursor)} is not one that this store gave out; pass a page's cursor on unchanged.`,
  );
}
