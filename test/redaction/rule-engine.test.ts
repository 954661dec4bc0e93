import { linesAround, linesFrom } from '../../lib/redaction/line-windows.js';
import { patternRule, SPECIFICITY, type RedactionRule } from '../../lib/redaction/redaction-rule.js';
import { RuleEngine } from '../../lib/redaction/rule-engine.js';
import { defaultRules } from '../../lib/redaction/rules/default-rules.js';

const cut = (text: string, windows: readonly { start: number; end: number }[]): readonly string[] =>
  windows.map(({ start, end }) => text.slice(start, end));

describe('the lines that are looked at', () => {
  const text = 'one\ntwo\n\n  \nthree\nfour\nfive\nsix\n';

  it('are those of the hints and the next that is not blank', () => {
    expect(cut(text, linesFrom(text, [5]))).toEqual(['two\n\n  \nthree\n']);
    expect(cut(text, linesFrom(text, [0, 4, 5]))).toEqual(['one\ntwo\n\n  \nthree\n']);
    expect(cut(text, linesFrom(text, [0, text.indexOf('four')]))).toEqual(['one\ntwo\n', 'four\nfive\n']);
    expect(cut(text, linesFrom(text, [text.length]))).toEqual(['']);
  });

  it('are those of a change and one on either side', () => {
    const at = text.indexOf('three');
    expect(cut(text, linesAround(text, [{ start: at, end: at + 5 }]))).toEqual(['two\n\n  \nthree\nfour\n']);
    expect(cut(text, linesAround(text, [{ start: 0, end: 1 }]))).toEqual(['one\ntwo\n']);
  });
});

describe('the rule engine', () => {
  it.each(defaultRules.map((rule) => [rule.name, rule] as const))('misses nothing that %s finds', (_name, rule) => {
    for (const [before, after] of [
      ['', ''],
      ['a line\n\nanother: ', '\n\nand one more\n'],
      [`${rule.matches}\n${'x'.repeat(200)}\n`, ' and more'],
    ] as const) {
      const text = before + rule.matches + after;
      const spans = [...rule.find(text)].sort((a, b) => a.start - b.start);
      expect(spans).not.toEqual([]);
      const { matches } = new RuleEngine([rule], []).redact(text);
      expect(matches.map(({ start, end }) => ({ start, end }))).toEqual(
        spans.map(({ start, end }) => ({ start, end })),
      );
    }
  });

  const word = (name: string, pattern: RegExp, more: Partial<RedactionRule> = {}): RedactionRule =>
    patternRule({
      name,
      category: 'WORD',
      specificity: SPECIFICITY.VENDOR,
      pattern,
      matches: '',
      ignores: '',
      ...more,
    });

  it('looks again where masking made something stand free, and only there', () => {
    const seen: string[] = [];
    const free = word('free', /(?<!\w)bb(?!\w)/g, { hints: ['bb'], withinLines: true });
    const rule: RedactionRule = { ...free, find: (text) => (seen.push(text), free.find(text)) };
    const engine = new RuleEngine([word('a', /aa/g, { hints: ['aa'] }), rule], []);
    const far = 'far\n'.repeat(100);
    const { redactedContent } = engine.redact(`${far}x bbaa\n${far}`);
    expect(redactedContent).toBe(`${far}x [REDACTED:WORD][REDACTED:WORD]\n${far}`);
    expect(Math.max(...seen.map((text) => text.length))).toBeLessThan(60);
  });

  it('asks a rule without lines about the whole text, however far its hint is', () => {
    const engine = new RuleEngine([word('code', /\d{4}/g, { hints: ['codes follow'] })], []);
    expect(engine.redact(`codes follow\n${'-\n'.repeat(500)}4821`).matches).toHaveLength(1);
    expect(engine.redact('4821').modified).toBe(false);
  });
});
