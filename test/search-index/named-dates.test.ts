import { dateCloseness, type NamedDate, namedDates } from '../../lib/search-index/named-dates.js';

describe('the dates that a text names', () => {
  it.each([
    ['on 8 May, 2023', [{ day: 8, month: 5, year: 2023 }]],
    ['the 3rd of June', [{ day: 3, month: 6 }]],
    ['October 13, 2023', [{ month: 10, day: 13, year: 2023 }]],
    ['in July 2023', [{ month: 7, year: 2023 }]],
    ['late december', [{ month: 12 }]],
    ['in May', [{ month: 5 }]],
    ['2023-05-08', [{ year: 2023, month: 5, day: 8 }]],
    ['2023-05', [{ year: 2023, month: 5 }]],
    ['since 2022', [{ year: 2022 }]],
    ['2023년 5월 8일', [{ year: 2023, month: 5, day: 8 }]],
    ['３月２日の深夜', [{ month: 3, day: 2 }]],
    ['3월에는', [{ month: 3 }]],
    [
      'from May 3 to June 4',
      [
        { month: 5, day: 3 },
        { month: 6, day: 4 },
      ],
    ],
  ] as [string, NamedDate[]][])('are read from %s', (text, expected) => {
    expect(namedDates(text).map((date) => JSON.parse(JSON.stringify(date)) as unknown)).toEqual(
      expect.arrayContaining<NamedDate>(expected),
    );
    expect(namedDates(text)).toHaveLength(expected.length);
  });

  it.each(['may I go', 'march on', 'Decide', '10.2.3.4', 'port 8080', '99월', 'yesterday', '', '\ud800 13/45'])(
    'are none in %j',
    (text) => {
      expect(namedDates(text)).toEqual([]);
    },
  );
});

describe('the closeness of a time to a named date', () => {
  const time = Date.parse('2023-05-08T23:30:00Z');
  it('is 1 within it, falls over a week around a day, and is 0 outside', () => {
    expect(dateCloseness({ year: 2023, month: 5, day: 8 }, time)).toBe(1);
    expect(dateCloseness({ month: 5, day: 8 }, time)).toBe(1);
    expect(dateCloseness({ month: 5 }, time)).toBe(1);
    expect(dateCloseness({ year: 2023 }, time)).toBe(1);
    expect(dateCloseness({ month: 5, day: 10 }, time)).toBeCloseTo(0.75);
    expect(dateCloseness({ month: 5, day: 30 }, time)).toBe(0);
    expect(dateCloseness({ year: 2022, month: 5 }, time)).toBe(0);
    expect(dateCloseness({ month: 6 }, time)).toBe(0);
    expect(dateCloseness({ year: 2022 }, time)).toBe(0);
  });
});
