import { expectLinearGrowth } from '../../support/growth.js';
import fc from 'fast-check';

import { defuse, formatMemoryBlock, stripMemoryBlocks } from '../../../lib/domain/memory-block.js';

// Pieces from which somebody could put the tag together, in the ways that a model may read as one.
const piece = fc.constantFrom(
  ...[
    '<',
    '＜',
    '﹤',
    '‹',
    '〈',
    '&lt;',
    '&lt',
    '&#60;',
    '&#x3C;',
    '\\u003c',
    '/',
    '／',
    '∕',
    'aimon',
    'AIMON',
    'ａｉｍｏｎ',
  ],
  ...[
    '-',
    '‐',
    '－',
    '_',
    '−',
    'memory',
    'Memory',
    'ｍｅｍｏｒｙ',
    '𝐦𝐞𝐦𝐨𝐫𝐲',
    '>',
    '＞',
    ' ',
    '\n',
    '\r\n',
    '\t',
    '\u2028',
  ],
  ...['\u200b', '\u200d', '\ufeff', '\u00ad', '\u2060', '\u180e', '\u034f', '\ufe0f', '\u0301', '\u{e0061}', 'x', '"'],
  ...['<aimon-memory', '</aimon-memory>', '</aimon-memory\u200b>', '< / aimon - memory >', 'm\u200be\u200bmory'],
);
const hostile = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(''));

// How a lenient reader sees a text: entities decoded, widths folded, what does not show gone, case ignored.
function readLeniently(text: string): string {
  return text
    .replace(/&lt;?|&#0*60;?|&#x0*3c;?|\\u003c|[‹〈❮⟨]/giu, '<')
    .normalize('NFKC')
    .replace(/[\s\p{Cc}\p{Cf}\p{M}\p{Pd}_−]/gu, '')
    .replace(/[∕⁄]/gu, '/')
    .toLowerCase();
}

describe('a memory block', () => {
  it('is closed by nothing inside it, however the tag is spelt', () => {
    fc.assert(
      fc.property(hostile, (body) => {
        const block = formatMemoryBlock({ attributes: { about: body }, body });
        const inside = readLeniently(block.slice(block.indexOf('>') + 1, -'</aimon-memory>'.length));
        expect(inside).not.toMatch(/<\/?aimonmemory/);
        expect(block.indexOf('</aimon-memory>')).toBe(block.length - '</aimon-memory>'.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('is taken out whole, whatever it holds and wherever it stands', () => {
    const words = fc.string().filter((text) => !text.includes('<'));
    fc.assert(
      fc.property(words, fc.string({ unit: 'grapheme' }), hostile, words, (before, inside, more, after) => {
        const block = formatMemoryBlock({ attributes: { about: more }, body: inside + more });
        expect(stripMemoryBlocks(before + block + after)).toEqual({ text: before + after, found: true });
      }),
    );
  });

  it('is recognised when it was cut, also inside its first tag', () => {
    const block = formatMemoryBlock({ attributes: { about: 'alice', tool: 'x'.repeat(200) }, body: 'likes tea' });
    for (let length = '<aimon-memory'.length; length <= block.length; length += 1) {
      expect(stripMemoryBlocks(`Hello. ${block.slice(0, length)}`)).toEqual({ text: 'Hello. ', found: true });
    }
  });

  it('is recognised with several long attributes', () => {
    const long = 'x'.repeat(500);
    const block = formatMemoryBlock({ attributes: { a: long, b: long, c: long, d: long }, body: 'likes tea' });
    expect(stripMemoryBlocks(`A${block}B`)).toEqual({ text: 'AB', found: true });
  });

  it('leaves text without a tag as it is', () => {
    for (const text of ['if (a < b && c > d) {}', 'List<Memory>', '<aimon-memories', '1 < 2', '<b>bold</b>', '']) {
      expect(defuse(text)).toBe(text);
      expect(stripMemoryBlocks(text)).toEqual({ text, found: false });
    }
  });

  it('is written in linear time, whatever it holds', () => {
    const hostile = (n: number) => '<'.repeat(n) + '\u200b'.repeat(n) + '<aimon-'.repeat(n / 8) + ' '.repeat(n);
    expectLinearGrowth(24_000, (size) => {
      const text = hostile(size);
      return () => void defuse(text);
    });
  });
});
