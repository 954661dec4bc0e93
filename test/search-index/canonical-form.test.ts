import fc from 'fast-check';

import { formatStatement } from '../../lib/domain/statement.js';
import { canonicalForm, sameFact, type ComparedFact } from '../../lib/search-index/canonical-form.js';
import { canonicalText } from '../../lib/search-index/canonical-text.js';
import { fact, said } from './facts.js';
import { NEAR_MISSES, TRUE_DUPLICATES } from './fact-pairs.js';

const at = (time: string) => new Date(time);
const told = (content: string, time = '2025-01-01T10:00:00Z'): ComparedFact => ({
  content,
  metadata: {},
  occurredAt: at(time),
});

describe('two facts', () => {
  it.each(NEAR_MISSES)('are not one: %s | %s', (a, b) => {
    expect(sameFact(told(a), told(b))).toBe(false);
  });

  it.each(TRUE_DUPLICATES)('are one: %s | %s', (a, b) => {
    expect(sameFact(told(a), told(b))).toBe(true);
    expect(canonicalForm(told(a))).toBe(canonicalForm(told(b)));
  });

  it('are not one when a secret was masked in them, however alike they read', () => {
    const masked = told('the host [REDACTED:IP_ADDRESS] is down');
    expect(canonicalForm(masked)).toBeUndefined();
    expect(sameFact(masked, masked)).toBe(false);
    expect(canonicalForm({ content: 'is down', metadata: { speaker: '[REDACTED:NAME]' } })).toBeUndefined();
  });

  const statement = (speaker: string, text: string, time = '2025-01-01T10:00:00Z'): ComparedFact =>
    said('a', { speaker, at: time, text });

  it('are one when the same speaker said the same at another time', () => {
    expect(sameFact(statement('Kim', 'I like tea.'), statement('Kim', 'I like tea', '2025-02-03T04:05:06Z'))).toBe(
      true,
    );
  });

  it('are not one when somebody else said it, or nobody is named', () => {
    expect(sameFact(statement('Kim', 'I like tea'), statement('Lee', 'I like tea'))).toBe(false);
    expect(sameFact(statement('Kim', 'I like tea'), told('I like tea'))).toBe(false);
  });

  it('compare what looks like a front, where no metadata says that it is one', () => {
    const [a, b] = ['2025-01-01T10:00:00Z', '2025-01-02T10:00:00Z'].map((time) =>
      told(formatStatement({ speaker: 'Kim', saidAt: at(time), text: 'I like tea' })),
    ) as [ComparedFact, ComparedFact];
    expect(sameFact(a, b)).toBe(false);
  });

  it.each([
    'The release is tomorrow',
    'Meets Lee today',
    'Was in Seoul yesterday',
    'Moves next week',
    'The deadline was last month',
    'Has a party this weekend',
    'The interview is on Monday',
    'Started two days ago',
    'Flies home in three weeks',
    'The server is down now',
    'Currently in Busan',
    'The backup ran an hour ago',
    'Calls back in 10 minutes',
    '오늘 서버를 재시작했다',
    '내일 출장이다',
    '어제 배포했다',
    '다음 주에 이사한다',
    '지난달에 결혼했다',
    '금요일에 회의가 있다',
    '3일 전에 입사했다',
    '방금 재시작했다',
    '지금 부산에 있다',
    '明日は休みです',
    '昨日サーバーを再起動した',
    '来週引っ越す',
    '三日前に入社した',
    '明天开会',
    '昨天重启了服务器',
    '下周搬家',
    '星期五开会',
  ])('are one only when said at the same time, where the text is relative to it: %s', (text) => {
    expect(sameFact(told(text), told(text))).toBe(true);
    expect(sameFact(told(text), told(text, '2025-01-02T10:00:00Z'))).toBe(false);
    expect(sameFact(told(text, '2025-01-01T14:55:00Z'), told(text, '2025-01-01T15:05:00Z'))).toBe(false);
    expect(canonicalForm({ content: text, metadata: {} })).toBeUndefined();
    expect(canonicalForm({ content: text, metadata: {}, createdAt: at('2025-01-01T10:00:00Z') })).toBe(
      canonicalForm(told(text)),
    );
  });

  it.each([
    'Deploys every Monday',
    'Likes tea',
    'Her last name is Kim',
    'Uses Next.js',
    '매주 월요일에 회의한다',
    '차를 좋아한다',
    '毎週金曜日に会議がある',
    '每周五开会',
  ])('are one whenever they were said, where the text is not relative: %s', (text) => {
    expect(sameFact(told(text), told(text, '2025-03-02T10:00:00Z'))).toBe(true);
  });

  it('told again on the same day are one, where only the day matters', () => {
    const text = 'The release is tomorrow';
    expect(sameFact(told(text, '2025-01-01T10:01:00Z'), told(text, '2025-01-01T10:09:00Z'))).toBe(true);
    expect(sameFact(told('Down now', '2025-01-01T10:01:00Z'), told('Down now', '2025-01-01T10:09:00Z'))).toBe(false);
  });

  it('are compared as observations too', () => {
    expect(sameFact(fact('a', 'Likes tea.'), fact('b', 'likes  tea'))).toBe(true);
  });

  it('have a short key, also where the text is long, and long texts stay apart', () => {
    const long = 'a long text '.repeat(5_000);
    expect(canonicalForm(told(long))?.length).toBeLessThanOrEqual(300);
    expect(sameFact(told(`${long}1`), told(`${long}2`))).toBe(false);
    expect(sameFact(told(`${long}1`), told(` ${long}1.`))).toBe(true);
  });
});

describe('the canonical text', () => {
  const texts = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          ...['A', 'I', 'The', 'POLISH', 'Server', 'IT', 'is', 'down', '.', '。', '…', '-', '–', '5', '1.5', '１', '²'],
          ...[' ', '  ', '\n', '"', '”', "'s", 'ﬁ', 'ﾊﾟ', '서버', '(', ')', ',', 'MB/s', 'it', '10', 'DOWN', 'ＡＢＣ'],
        ),
        { maxLength: 14 },
      )
      .chain((words) => fc.constantFrom(words.join(''), words.join(' '))),
  );

  it('of a canonical text is that text', () => {
    fc.assert(
      fc.property(texts, (text) => {
        expect(canonicalText(canonicalText(text))).toBe(canonicalText(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps every digit and its place among the others', () => {
    const digits = (text: string): string =>
      text.replace(/[０-９]/g, (digit) => digit.normalize('NFKC')).replace(/[^0-9]/g, '');
    fc.assert(
      fc.property(texts, (text) => {
        expect(digits(canonicalText(text))).toBe(digits(text));
      }),
      { numRuns: 1_000 },
    );
  });

  it('differs where the digits do', () => {
    const number = fc.stringMatching(/^[0-9][0-9.,:-]{0,6}[0-9]$/);
    fc.assert(
      fc.property(texts, number, number, texts, (before, a, b, after) => {
        fc.pre(a !== b);
        expect(canonicalText(`${before}${a}${after}`)).not.toBe(canonicalText(`${before}${b}${after}`));
      }),
    );
  });
});
