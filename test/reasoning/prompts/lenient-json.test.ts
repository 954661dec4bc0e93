import fc from 'fast-check';

import { jsonValuesIn } from '../../../lib/reasoning/prompts/lenient-json.js';
import { expectLinearGrowth } from '../../support/growth.js';

const first = (text: string): unknown => jsonValuesIn(text).next().value;

describe('jsonValuesIn', () => {
  it.each([
    ['as it is', '{"a":[1,2]}'],
    ['with a byte order mark and space around it', '\ufeff \n{"a":[1,2]}\n'],
    ['in a code fence', '```json\n{"a":[1,2]}\n```'],
    ['with prose around it', 'Sure! Here it is:\n{"a":[1,2]}\nAnything else?'],
    ['behind brackets that are prose', 'As you asked [see above] {so it goes}: {"a":[1,2]}'],
    ['with commas too many', '{"a":[1,2, ],\n}'],
    ['in a fence that was not closed', '```\n{"a":[1,2]}'],
  ])('finds JSON %s', (_, text) => {
    expect(first(text)).toEqual({ a: [1, 2] });
  });

  it('leaves commas and brackets in texts alone', () => {
    expect(first('{"a":"x,]","b":"\\",}",}')).toEqual({ a: 'x,]', b: '",}' });
  });

  it('finds null, which is not the same as nothing', () => {
    expect([...jsonValuesIn('null')]).toEqual([null]);
    expect([...jsonValuesIn('There is nothing.')]).toEqual([]);
    expect([...jsonValuesIn('{"a": [1, 2')]).toEqual([]);
  });

  it('finds any value again, with whatever prose around it', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { minKeys: 1 }),
        fc.string().map((text) => text.replaceAll(/[[{"\d]/g, '')),
        (value, prose) => {
          const wanted = JSON.parse(JSON.stringify(value)) as unknown;
          expect(first(`Look: ${prose} ${JSON.stringify(value)}\n${prose}`)).toEqual(wanted);
        },
      ),
    );
  });

  it('takes time linear in the text, also for brackets that never close', () => {
    expectLinearGrowth(2000, (size) => {
      const text = '[{"a":'.repeat(size);
      return () => void [...jsonValuesIn(text)];
    });
  });
});
