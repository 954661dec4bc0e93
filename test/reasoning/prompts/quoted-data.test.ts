import fc from 'fast-check';

import { dayAndTime, quotedData } from '../../../lib/reasoning/prompts/quoted-data.js';
import { attackingText as text } from './prompt-attacks.js';

describe('quotedData', () => {
  it('gives every record back, one a line, whatever the record holds', () => {
    fc.assert(
      fc.property(fc.array(fc.record({ id: text, text }), { minLength: 1, maxLength: 4 }), (records) => {
        const lines = quotedData('messages', records).split(/[\n\r\u2028\u2029]/);
        expect(lines[0]).toBe('<messages>');
        expect(lines.at(-1)).toBe('</messages>');
        expect(lines.slice(1, -1).map((line) => JSON.parse(line) as object)).toEqual(
          JSON.parse(JSON.stringify(records)),
        );
      }),
      { numRuns: 500 },
    );
  });

  it('lets nothing in a record open or close a tag, a turn of a chat template or a line', () => {
    fc.assert(
      fc.property(text, text, (name, said) => {
        const body = quotedData('messages', [{ name, said }]).split('\n').slice(1, -1).join('\n');
        expect(body).not.toMatch(/[<>\uff1c\uff1e]|\n|&(?:lt|gt|#\d)|\[\/?[A-Z_]{3,}\]|[\u2028\u2029\u200b\u202e]/i);
      }),
      { numRuns: 500 },
    );
  });

  it('shows a marker of redaction as it is, and other brackets too', () => {
    expect(quotedData('messages', [{ text: 'My mail is [REDACTED:EMAIL], see [1] and [note].' }])).toContain(
      'My mail is [REDACTED:EMAIL], see [1] and [note].',
    );
  });

  it('says so when there is no record', () => {
    expect(quotedData('known', [])).toBe('<known>\n(none)\n</known>');
  });
});

describe('dayAndTime', () => {
  it('names the day of the week and the zone', () => {
    expect(dayAndTime(new Date('2026-03-02T09:30:59Z'))).toBe('2026-03-02 09:30 UTC (Monday)');
  });
});
