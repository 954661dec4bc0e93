import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import * as library from '@aimon/nestjs-memory';

import { FAILURE_REASONS, SKIP_REASONS } from '../../lib/agent/ingest/ingest-reasons.js';
import { DegradationKey } from '../../lib/assembly/degradations.js';
import { AimonError, StoreError } from '../../lib/domain/errors.js';
import { failureReason } from '../../lib/domain/failure.js';
import { DERIVATION_FAILURES } from '../../lib/reasoning/queue/derivation-failures.js';
import { headingAnchors, tables } from './support/markdown.js';
import { clausesOf, isSaidIn, libraryTexts, textsOf } from './support/library-messages.js';

const DOCS = join(import.meta.dirname, '../../docs');
const text = readFileSync(join(DOCS, 'troubleshooting.md'), 'utf8');
const sources = libraryTexts();
// What nobody is told in this version, or only by who puts a memory together by hand.
const NOT_YET = /^… is "remote"|^MemorySpec\./;
const NOT_OURS = /^## What Node, TypeScript and Nest say\n[\s\S]*?(?=^## )/m;

const quotedIn = (cell: string): string[] => [...cell.matchAll(/`([^`]+)`/g)].map(([, quoted = '']) => quoted);
const firstCells = (markdown: string, head: string): string[] =>
  tables(markdown)
    .filter(([columns]) => columns?.[0] === head)
    .flatMap(([, ...rows]) => rows.map((cells) => cells[0] ?? ''));
const messages = firstCells(text.replace(NOT_OURS, ''), 'message').flatMap((cell) => quotedIn(cell).slice(0, 1));

describe('the messages in docs/troubleshooting.md', () => {
  it('are many, each quoted once and by itself', () => {
    expect(messages.length).toBeGreaterThan(120);
    expect(messages.filter((message, index) => messages.indexOf(message) !== index)).toEqual([]);
    for (const cell of firstCells(text, 'message')) expect(cell).toMatch(/^`[^`]+`$/);
  });

  it.each(messages)('%s: the library says so', (message) => {
    const saying = sources.filter(({ texts }) => isSaidIn(message, texts)).map(({ file }) => file);
    expect(saying).not.toEqual([]);
  });

  it('have among them every line that the library logs', () => {
    const logged = sources.flatMap(({ file, logged: lines }) => lines.map((line) => ({ file, line })));
    expect(logged.length).toBeGreaterThan(15);
    const unexplained = logged.filter(({ line }) => !messages.some((message) => isSaidIn(message, [line])));
    // What is put behind a line.
    expect(unexplained).toEqual([{ file: 'domain/once-log.ts', line: ['', expect.any(String)] }]);
    expect(text).toContain(unexplained[0]?.line[1]?.trim());
  });

  it.each([
    'nest/application-faults.ts',
    'nest/registration-options.ts',
    'nest/supplied-part-rules.ts',
    'nest/supplied-parts.ts',
    'nest/health/registered-health.ts',
    'nest/settings/load-memory-settings.ts',
    'nest/settings/placeholders.ts',
    'nest/settings/settings-file.ts',
    'assembly/memory-maintenance.ts',
    'assembly/memory-spec.ts',
    'spi/refusals.ts',
  ])('have among them whatever %s refuses', (refusing) => {
    const refusals = sources
      .filter(({ file }) => file === refusing)
      .flatMap(({ texts }) => texts.filter((line) => /; .*\.$/.test(line.join('…'))));
    expect(refusals.length).toBeGreaterThan(0);
    const unexplained = refusals.filter((line) => !messages.some((message) => isSaidIn(message, [line])));
    expect(unexplained.map((line) => line.join('…')).filter((line) => !NOT_YET.test(line))).toEqual([]);
  });

  it('each say what they mean and what to do', () => {
    const rows = tables(text).flatMap(([head = [], ...all]) => (head.length === 3 ? all : []));
    expect(rows.filter((cells) => cells.length !== 3 || cells.some((cell) => cell === ''))).toEqual([]);
  });
});

describe('the keys in docs/troubleshooting.md', () => {
  const plain = (head: string): string[] => firstCells(text, head).flatMap(quotedIn);

  it('are those of every degradation', () => {
    expect(plain('key').sort()).toEqual(Object.values(DegradationKey).sort());
  });

  it('are every reason for which a message is skipped', () => {
    expect(plain('skipped, since').sort()).toEqual(Object.values(SKIP_REASONS).sort());
    expect(Object.values(SKIP_REASONS)).toContain(DERIVATION_FAILURES.ERASED);
  });

  it('are every reason for which a message fails, and what errors are called there', () => {
    const ofErrors = [
      new Error(),
      new DOMException('', 'TimeoutError'),
      new DOMException('', 'AbortError'),
      new StoreError(''),
      new AimonError('REDACTION_FAILED', ''),
    ].map(failureReason);
    const derivation = Object.values(DERIVATION_FAILURES).filter((reason) => reason !== DERIVATION_FAILURES.ERASED);
    const all = new Set([...Object.values(FAILURE_REASONS), ...derivation, ...ofErrors]);
    expect(plain('failed, since').sort()).toEqual([...all].sort());
  });

  it('are codes that errors of the library have, with their classes', () => {
    const rows =
      tables(text)
        .filter(([columns]) => columns?.[0] === 'code')[0]
        ?.slice(1) ?? [];
    expect(rows.length).toBeGreaterThan(8);
    const constants = sources.flatMap(({ texts }) => texts.flat());
    for (const [code = '', name = ''] of rows) {
      expect(constants).toContain(code.replaceAll('`', ''));
      expect(Object.keys(library)).toContain(name.replaceAll('`', ''));
    }
    const thrown = sources.flatMap(({ file, texts }) =>
      file === 'domain/errors.ts'
        ? []
        : texts.flat().filter((one) => /^[A-Z]{3,}_(?:CLOSED|DOWN|STOPPED|NOT_SETTLED)$/.test(one)),
    );
    expect(rows.map(([code = '']) => code.replaceAll('`', ''))).toEqual(expect.arrayContaining(thrown));
  });
});

describe('the links in docs/troubleshooting.md', () => {
  it('lead to documents that there are, and to headings in them', () => {
    const targets = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, target = '']) => target);
    expect(targets.length).toBeGreaterThan(8);
    for (const target of targets) {
      const [file = '', anchor] = target.split('#');
      const path = file === '' ? 'troubleshooting.md' : file;
      expect([path, existsSync(join(DOCS, path))]).toEqual([path, true]);
      if (anchor !== undefined) expect(headingAnchors(readFileSync(join(DOCS, path), 'utf8'))).toContain(anchor);
    }
  });
});

describe('a fault in docs/troubleshooting.md', () => {
  const { texts, logged } = textsOf(
    'example.ts',
    'const why = `${name} is ${kind}; it takes ${what}.`; logger.warn("kind", `The memory "${id}" is ` + "out.");',
  );

  it('is found when the library words a message otherwise', () => {
    expect(isSaidIn('The memory "…" is out.', texts)).toBe(true);
    expect(isSaidIn('The memory "…" is outside.', texts)).toBe(false);
    expect(isSaidIn('… is …; it takes …', texts)).toBe(true);
    expect(isSaidIn('… is …; it accepts …', texts)).toBe(false);
    expect(isSaidIn('…', texts)).toBe(false);
  });

  it('is found when a line of the log is not explained', () => {
    expect(logged).toEqual([['The memory "', '" is out.']]);
    expect(clausesOf('The memory "…" is out. What is …?')).toEqual(['The memory "', '" is out', 'What is']);
  });
});
