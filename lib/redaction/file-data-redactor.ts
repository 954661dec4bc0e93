import type { ContentRedactor } from './content-redactor.js';
import type { RedactionBudget } from './redaction-budget.js';

const DATA_URI =
  /^(data:(?:text\/[\w.+-]{1,64}|application\/(?:[\w.-]{1,48}\+)?(?:json|xml|yaml|x-yaml|javascript|x-sh|toml))(?:;[\w-]{1,32}=[\w."-]{1,64}){0,4};base64,)/i;
const BASE64 = /^[A-Za-z0-9+/\s]*={0,2}\s*$/;

/**
 * The data of a file, masked where it is text: as it is, in base64, or in a `data:` URI of a textual type. A picture or
 * any other binary file stays as it is.
 */
export async function redactFileData(
  data: string,
  contents: ContentRedactor,
  budget: RedactionBudget,
): Promise<string> {
  const head = DATA_URI.exec(data)?.[1];
  if (head === undefined && /^data:[^,]{0,256};base64,/i.test(data)) return data;
  const encoded = head === undefined ? data : data.slice(head.length);
  const decoded = head !== undefined || BASE64.test(encoded) ? textOf(encoded) : undefined;
  if (decoded === undefined) return (await contents.redact(data, budget)).content;
  const { content } = await contents.redact(decoded, budget);
  return content === decoded ? data : (head ?? '') + Buffer.from(content, 'utf8').toString('base64');
}

// The text that is encoded, or `undefined` where the bytes are no text.
function textOf(encoded: string): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(encoded, 'base64'));
    // eslint-disable-next-line no-control-regex -- what has them is binary
    return /[\u0000-\u0008\u000e-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}
