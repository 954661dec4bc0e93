import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

import { codeBlocks } from '../readme/readme-blocks.js';
import { headingAnchors, headings, linkTargets, tables } from './support/markdown.js';

const ROOT = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Each Korean document, and the English one that it says the same as. */
const PAIRS = [
  ['README.ko.md', 'README.md'],
  ['docs/ko/getting-started.md', 'docs/getting-started.md'],
] as const;

/** What a cell shows: a link by its text. */
const shown = (cell: string): string => cell.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1');

/** Keys and names in the text, such as `aimon.memory`; a translation leaves none out and makes none up. */
const names = (markdown: string): string[] => {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return [...new Set([...prose.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name))].sort();
};

describe('the Korean documents', () => {
  it('are all compared with an English one', () => {
    const there = readdirSync(join(ROOT, 'docs/ko')).map((name) => `docs/ko/${name}`);
    expect(['README.ko.md', ...there].sort()).toEqual(PAIRS.map(([korean]) => korean).sort());
  });

  it('are linked from the first lines of the README, and lead back', () => {
    expect(read('README.md').split('\n').slice(0, 4)).toContain('[한국어](README.ko.md)');
    expect(read('README.ko.md').split('\n').slice(0, 4)).toContain('[English](README.md)');
    expect(linkTargets(read('README.ko.md'))).toContain('docs/ko/getting-started.md');
  });
});

describe.each(PAIRS)('%s', (korean, english) => {
  const [theirs, ours] = [read(korean), read(english)];

  it('has the code of the English document, to the letter and in its order', () => {
    expect(codeBlocks(theirs).length).toBeGreaterThan(10);
    expect(codeBlocks(theirs)).toEqual(codeBlocks(ours));
  });

  it('has as many headings, of the same levels', () => {
    expect(headings(theirs).map(({ level }) => level)).toEqual(headings(ours).map(({ level }) => level));
  });

  it('has the same tables, with the same first columns', () => {
    const columns = (markdown: string): string[][] =>
      tables(markdown).map(([, ...rows]) => rows.map(([first = '']) => shown(first)));
    expect(columns(theirs).length).toBeGreaterThan(0);
    expect(columns(theirs)).toEqual(columns(ours));
    const widths = (markdown: string): number[] => tables(markdown).flatMap((rows) => rows.map(({ length }) => length));
    expect(widths(theirs)).toEqual(widths(ours));
  });

  it('says as much: paragraphs, lists and tables between the same blocks of code', () => {
    const between = (markdown: string): number[] =>
      markdown
        .split(/^```[\s\S]*?^```$/m)
        .map((prose) => prose.split(/\n{2,}|\n(?=- )/).filter((paragraph) => paragraph.trim() !== '').length);
    expect(between(theirs)).toEqual(between(ours));
  });

  it('names every key, file and method that the English document names, and no other', () => {
    const own = (list: string[]): string[] => list.filter((name) => !name.startsWith('docs/'));
    expect(own(names(theirs))).toEqual(own(names(ours)));
  });

  it('is in Korean, and ends its sentences alike', () => {
    const prose = theirs.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/^\|.*$/gm, '');
    const sentences = [...prose.matchAll(/(\p{Script=Hangul}+)\./gu)].map(([, end = '']) => end);
    expect(sentences.length).toBeGreaterThan(20);
    expect(sentences.filter((end) => !/(?:니다|시오)$/.test(end))).toEqual([]);
  });

  it('leads to files that there are, and to headings in them', () => {
    const targets = linkTargets(theirs).filter((target) => !/^https?:/.test(target));
    expect(targets.length).toBeGreaterThan(5);
    for (const target of targets) {
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? join(ROOT, korean) : join(ROOT, dirname(korean), file);
      expect([target, existsSync(path)]).toEqual([target, true]);
      if (anchor !== undefined) expect(headingAnchors(readFileSync(path, 'utf8'))).toContain(anchor);
    }
  });

  it('leads to what the English document leads to, in Korean where that is there', () => {
    const resolved = (document: string): string[] =>
      linkTargets(read(document)).map((target) => {
        if (/^https?:/.test(target)) return target;
        const path = relative(ROOT, join(ROOT, dirname(document), target.split('#')[0] ?? ''));
        const [pair] = PAIRS.filter((one) => one.some((each) => each === path));
        return pair?.[1] ?? path;
      });
    expect(resolved(korean)).toEqual(resolved(english));
  });
});
