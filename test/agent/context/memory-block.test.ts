import { expectLinearGrowth } from '../../support/growth.js';
import fc from 'fast-check';

import {
  defuse,
  formatMemoryBlock,
  stripMemoryBlocks,
  stripMemoryBlocksAcross,
} from '../../../lib/domain/memory-block.js';

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
    '\\u{3c}',
    '&amp;lt;',
    '&amp;amp;#60;',
    '%3C',
    '%253c',
    '≮',
    '%2F',
    '&#47;',
    '\\',
    'а',
    'аіmоn',
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
    .replace(/&(?:amp;)*(?:lt;?|#0*60;?|#x0*3c;?)|%(?:25)?3c|\\u003c|\\u\{3c\}|[≮‹〈❮⟨]/giu, '<')
    .replace(/&#47;|%2f/giu, '/')
    .replace(/[аіо]/gu, (letter) => ({ а: 'a', і: 'i', о: 'o' })[letter] as string)
    .normalize('NFKC')
    .replace(/[\s\p{Cc}\p{Cf}\p{M}\p{Pd}_−]/gu, '')
    .replace(/[∕⁄\\]+/gu, '/')
    .toLowerCase();
}

describe('a memory block', () => {
  it('is closed by nothing inside it, however the tag is spelt', () => {
    fc.assert(
      fc.property(hostile, (body) => {
        const block = formatMemoryBlock({ attributes: { about: body }, body });
        const inside = readLeniently(block.slice(block.indexOf('>') + 1, -'</aimon-memory>'.length));
        expect(inside).not.toMatch(/<\/*aimonmemory/);
        expect(block.indexOf('</aimon-memory>')).toBe(block.length - '</aimon-memory>'.length);
      }),
      { numRuns: 2000 },
    );
  });

  it('is closed neither by an escaped sign nor by an escaped slash, and not by letters that look the same', () => {
    for (const tag of [
      '<\\/aimon-memory>',
      '<//aimon-memory>',
      '<\\\\/aimon-memory>',
      '≮/aimon-memory>',
      '<\u0338/aimon-memory>',
      '\\u{3c}/aimon-memory>',
      '\\u{003C}\\u{2f}aimon-memory>',
      '\\u003c\\u002faimon-memory>',
      '\\x3c\\x2faimon-memory\\x3e',
      '&amp;lt;/aimon-memory&amp;gt;',
      '&amp;amp;amp;lt;/aimon-memory>',
      '&#38;lt;/aimon-memory>',
      '&lt;&sol;aimon-memory&gt;',
      '&lt;&#x2F;aimon-memory&gt;',
      '%3C/aimon-memory%3E',
      '%3C%2Faimon-memory%3E',
      '%25253c%252faimon-memory',
      '</аіmоn-mеmоrу>',
      '</αιmοn-mεmοry>',
      '</АІМОN-МЕМОRУ>',
      '</áimön-mémory>',
      '</aim0n-mem0ry>',
      '«aimon-memory»',
    ]) {
      const defused = defuse(tag);
      expect([tag, defused]).toEqual([tag, expect.stringMatching(/^\(/)]);
      expect(defuse(defused)).toBe(defused);
      const block = formatMemoryBlock({ attributes: { about: tag }, body: '' });
      expect(block.slice(1, block.indexOf('>'))).toContain('about="(');
    }
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

  it('is found across texts that are read as one, and each keeps what is its own', () => {
    const block = formatMemoryBlock({ attributes: { tool: 'x' }, body: 'likes tea' });
    const parts = fc.array(fc.oneof(fc.constant(block), fc.constantFrom('', 'a', 'bc ', '\n', '<b>')), {
      maxLength: 8,
    });
    fc.assert(
      fc.property(parts, fc.array(fc.nat(400), { maxLength: 8 }), (pieces, cuts) => {
        const text = pieces.join('');
        const at = [0, ...cuts.map((cut) => Math.min(cut, text.length)).sort((a, b) => a - b), text.length];
        const texts = at.slice(1).map((end, index) => text.slice(at[index], end));
        const stripped = stripMemoryBlocksAcross(texts);
        expect(stripped.texts).toHaveLength(texts.length);
        expect(stripped.texts.join('')).toBe(pieces.filter((piece) => piece !== block).join(''));
        expect(stripped.found).toBe(pieces.includes(block));
      }),
    );
    expect(stripMemoryBlocksAcross(['a<aimon-memory', 'b', '', 'c</aimon-memory>d'])).toEqual({
      texts: ['a', '', '', 'd'],
      found: true,
    });
    expect(stripMemoryBlocksAcross(['a', 'b'])).toEqual({ texts: ['a', 'b'], found: false });
  });

  it('leaves text without a tag as it is', () => {
    for (const text of ['if (a < b && c > d) {}', 'List<Memory>', '<aimon-memories', '1 < 2', '<b>bold</b>', '']) {
      expect(defuse(text)).toBe(text);
      expect(stripMemoryBlocks(text)).toEqual({ text, found: false });
    }
  });

  it('is written in linear time, whatever it holds', () => {
    const hostile = (n: number) => '<'.repeat(n) + '\u200b'.repeat(n) + '<aimon-'.repeat(n / 8) + ' '.repeat(n);
    const escaped = (n: number) =>
      `&${'amp;'.repeat(n / 4)}&${'#38;'.repeat(n / 4)}%${'25'.repeat(n / 2)}3c${'%2f'.repeat(n / 3)}` +
      `${'\\'.repeat(n)}${'\\x3c'.repeat(n / 4)}&#${'0'.repeat(n)}<${'//'.repeat(n / 2)}${'&lt;&#47;'.repeat(n / 9)}`;
    for (const text of [hostile, escaped]) {
      expectLinearGrowth(12_000, (size) => {
        const written = text(size);
        return () => void defuse(written);
      });
    }
    expectLinearGrowth(12_000, (size) => {
      const texts = Array.from({ length: size }, () => '<aimon-memoryx<aimon-memory></aimon-memory>');
      return () => void stripMemoryBlocksAcross(texts);
    });
  });
});
