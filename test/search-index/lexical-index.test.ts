import fc from 'fast-check';

import type { Observation } from '../../lib/domain/observation.js';
import type { PeerView } from '../../lib/domain/peer-view.js';
import type { IndexHit } from '../../lib/ports/observation-index.js';
import { LexicalIndex } from '../../lib/search-index/lexical-index.js';
import { fact, KIM, peer, said } from './facts.js';

async function indexOf(...facts: readonly Observation[]): Promise<LexicalIndex> {
  const index = new LexicalIndex();
  for (const each of facts) await index.index(each);
  return index;
}

async function found(
  index: LexicalIndex,
  query: string,
  options: { subject?: PeerView; topK?: number; sessionId?: string } = {},
): Promise<string[]> {
  const { subject = KIM, topK = 10, sessionId } = options;
  return (await index.search(subject, query, { topK, sessionId })).map(({ id }) => id.localId);
}

describe('a lexical index', () => {
  it('finds a Korean fact through its particles and endings', async () => {
    const index = await indexOf(fact('a', '서버를 재시작했습니다'), fact('b', '점심은 김치찌개였다'));
    expect(await found(index, '서버 재시작')).toEqual(['a']);
    expect(await found(index, '서버')).toEqual(['a']);
  });

  it('puts the fact that holds the whole code above those that share a part of it', async () => {
    const index = await indexOf(
      fact('a', 'db-prod-02 was restarted'),
      fact('b', 'db-prod-01 was restarted'),
      fact('c', 'db-stg-01 was restarted'),
    );
    expect((await found(index, 'db-prod-01'))[0]).toBe('b');
  });

  it('finds a fact by its speaker, whether or not the text names them', async () => {
    const index = await indexOf(
      said('a', { speaker: 'Caroline', at: '2023-05-08T13:56:00Z', text: 'I adopted a dog' }),
      said('b', { speaker: 'Melanie', at: '2023-05-08T13:56:00Z', text: 'I adopted a dog' }),
    );
    const hits = await index.search(KIM, 'What did Melanie adopt?', { topK: 5 });
    expect(hits.map(({ id }) => id.localId)).toEqual(['b', 'a']);
    expect(hits[0]?.signals).toMatchObject({ speaker: 1 });
    expect(hits[1]?.signals).not.toHaveProperty('speaker');
  });

  it('is not found by the digits of the time in front of a statement', async () => {
    const index = await indexOf(said('a', { speaker: 'Kim', at: '2023-05-08T13:56:00Z', text: 'I adopted a dog' }));
    expect(await found(index, '13:56 UTC')).toEqual([]);
  });

  it('prefers what was said around a date that the query names', async () => {
    const at = (day: string): string => `2023-05-${day}T10:00:00Z`;
    const index = await indexOf(
      said('a', { speaker: 'Kim', at: at('08'), text: 'painted a lake' }),
      said('b', { speaker: 'Kim', at: at('28'), text: 'painted a lake' }),
    );
    expect((await found(index, 'painted on 8 May 2023'))[0]).toBe('a');
    expect((await found(index, 'painted on May 28'))[0]).toBe('b');
  });

  it('prefers a fact whose neighbours in the session match too', async () => {
    const index = await indexOf(
      fact('a', 'pottery', { sessionId: 's', sourceMessageIds: ['m9'] }),
      fact('b', 'workshop on Friday', { sessionId: 's', sourceMessageIds: ['m10'] }),
      fact('c', 'nothing else', { sessionId: 's', sourceMessageIds: ['m11'] }),
      fact('d', 'workshop on Monday', { sessionId: 't' }),
    );
    const hits = await index.search(KIM, 'pottery workshop', { topK: 9 });
    expect(hits.map(({ id }) => id.localId)).toEqual(['a', 'b', 'd']);
    expect(hits[1]?.signals).toHaveProperty('neighbour');
    expect(hits[2]?.signals).not.toHaveProperty('neighbour');
  });

  it('lets function words alone make no hit, unless the query holds nothing else', async () => {
    const index = await indexOf(fact('a', 'it is in the garden'), fact('b', 'cats sleep'));
    expect(await found(index, 'where is the cat')).toEqual(['b']);
    expect(await found(index, 'where is it')).toEqual(['a']);
  });

  it.each(['🙂', '!!! … ???', '\ud800', '[REDACTED:EMAIL]', '\u0000'])('answers %j with nothing', async (query) => {
    expect(await found(await indexOf(fact('a', 'a fact of words')), query)).toEqual([]);
  });

  it('orders equal scores by newer first, then by id', async () => {
    const at = (day: number): { createdAt: Date } => ({ createdAt: new Date(Date.UTC(2025, 0, day)) });
    const index = await indexOf(fact('b', 'tea', at(1)), fact('c', 'tea', at(2)), fact('a', 'tea', at(1)));
    expect(await found(index, 'tea')).toEqual(['c', 'a', 'b']);
    expect(await found(index, 'tea', { topK: 2 })).toEqual(['c', 'a']);
  });

  it('scores a poor match low also when it is the best there is', async () => {
    const index = await indexOf(fact('a', 'the cat sleeps'), fact('b', 'tea'));
    const [hit] = await index.search(KIM, 'quarterly revenue forecast of the cat division', { topK: 1 });
    expect(hit?.score).toBeGreaterThan(0);
    expect(hit?.score).toBeLessThan(0.3);
  });

  it('narrows to a session, and neither hits nor signals come from another one', async () => {
    const index = await indexOf(
      fact('a', 'pottery class', { sessionId: 's' }),
      fact('b', 'pottery', { sessionId: 't' }),
      fact('c', 'pottery', { sessionId: 't' }),
    );
    const [hit, ...others] = await index.search(KIM, 'pottery', { topK: 9, sessionId: 's' });
    expect(hit?.id.localId).toBe('a');
    expect(Object.keys(hit?.signals ?? {})).toEqual(['lexical']);
    expect(others).toEqual([]);
    expect(await found(index, 'pottery', { sessionId: 'unknown' })).toEqual([]);
  });

  it('takes a fact in the place of an earlier one of the same id, also about somebody else', async () => {
    const index = await indexOf(fact('a', 'likes tea'), fact('a', 'likes coffee'));
    expect(await found(index, 'tea')).toEqual([]);
    expect(await found(index, 'coffee')).toEqual(['a']);
    await index.index(fact('a', 'likes coffee', { subject: peer('lee') }));
    expect(await found(index, 'coffee')).toEqual([]);
    expect(await found(index, 'coffee', { subject: peer('lee') })).toEqual(['a']);
  });

  it('keeps subjects and workspaces apart, also where local ids are the same', async () => {
    const elsewhere = peer('kim', 'other');
    const index = await indexOf(fact('a', 'likes tea'), fact('a', 'likes green tea', { subject: elsewhere }));
    expect(await index.search(KIM, 'tea', { topK: 9 })).toHaveLength(1);
    await index.delete(fact('a', 'x', { subject: elsewhere }).id);
    expect(await found(index, 'tea')).toEqual(['a']);
    expect(await found(index, 'tea', { subject: elsewhere })).toEqual([]);
    await index.eraseSubject(elsewhere);
    expect(await found(index, 'tea')).toEqual(['a']);
  });

  it('holds a subject from its filling or its first fact on, until it is erased', async () => {
    const index = new LexicalIndex();
    expect(index.holds(KIM)).toBe(false);
    await index.fill(KIM, []);
    expect(index.holds(KIM)).toBe(true);
    await index.eraseSubject(KIM);
    expect(index.holds(KIM)).toBe(false);
    await index.index(fact('a', 'tea'));
    expect(index.holds(KIM)).toBe(true);
    await index.delete(fact('a', 'tea').id);
    expect(index.holds(KIM)).toBe(true);
    expect(await found(index, 'tea')).toEqual([]);
  });

  it('puts a filling in the place of what was there', async () => {
    const index = await indexOf(fact('a', 'tea'), fact('b', 'tea'));
    await index.fill(KIM, [fact('b', 'tea'), fact('c', 'tea')]);
    expect((await found(index, 'tea')).sort()).toEqual(['b', 'c']);
    await index.delete(fact('a', 'x').id);
    await index.delete(fact('b', 'x').id);
    expect(await found(index, 'tea')).toEqual(['c']);
  });

  it('refuses to be filled with facts about somebody else', async () => {
    const index = new LexicalIndex();
    await expect(index.fill(KIM, [fact('a', 'tea'), fact('b', 'tea', { subject: peer('lee') })])).rejects.toThrow(
      'LexicalIndex.fill was given observation "w:b" about "w:USER:lee"; it takes those about "w:USER:kim" only.',
    );
    expect(index.holds(KIM)).toBe(false);
    expect(index.holds(peer('lee'))).toBe(false);
  });

  it('stops at an aborted signal', async () => {
    const index = await indexOf(fact('a', 'tea'));
    const search = index.search(KIM, 'tea', { topK: 1, signal: AbortSignal.abort(new Error('enough')) });
    await expect(search).rejects.toThrow('enough');
  });

  it('takes texts of 100 kB and identifiers of any kind', async () => {
    const index = await indexOf(fact('__proto__', `${'blah '.repeat(20_000)}needle`), fact('constructor', 'needle'));
    expect((await found(index, 'needle')).sort()).toEqual(['__proto__', 'constructor']);
    expect(await found(index, 'constructor __proto__ toString')).toEqual([]);
  });
});

const WORDS = ['tea', 'coffee', 'garden', 'dog', 'the', 'db-prod-01', '서버를', '재시작', 'Kim', 'Lee', '8 May 2023'];
const SUBJECTS = [KIM, peer('lee'), peer('kim', 'other')];
const text = fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 6 }).map((words) => words.join(' '));
const anyFact = fc
  .record({
    localId: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'),
    subject: fc.constantFrom(...SUBJECTS),
    text,
    speaker: fc.option(fc.constantFrom('Kim', 'Lee Min')),
    session: fc.option(fc.constantFrom('s', 't')),
    day: fc.integer({ min: 1, max: 20 }),
    source: fc.integer({ min: 1, max: 12 }),
  })
  .map(({ localId, subject, text: words, speaker, session, day, source }) => {
    const at = new Date(Date.UTC(2023, 4, day));
    const init = { subject, sessionId: session ?? undefined, createdAt: at, sourceMessageIds: [`m${source}`] };
    return speaker === null
      ? fact(localId, words, init)
      : said(localId, { speaker, at: at.toISOString(), text: words }, init);
  });
const operation = fc.oneof(
  { weight: 4, arbitrary: anyFact.map((observation) => ({ kind: 'index' as const, observation })) },
  { weight: 2, arbitrary: anyFact.map(({ id }) => ({ kind: 'delete' as const, id })) },
  { weight: 1, arbitrary: fc.constantFrom(...SUBJECTS).map((subject) => ({ kind: 'erase' as const, subject })) },
);

describe('a lexical index after any sequence of changes', () => {
  it('answers exactly as one that was built anew, and never with a fact of another subject or session', async () => {
    const session = fc.option(fc.constantFrom('s', 't'), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { maxLength: 40 }), text, session, async (operations, query, sessionId) => {
        const index = new LexicalIndex();
        const live = new Map<string, Observation>();
        for (const step of operations) {
          if (step.kind === 'index') {
            await index.index(step.observation);
            live.set(step.observation.id.toString(), step.observation);
          } else if (step.kind === 'delete') {
            await index.delete(step.id);
            live.delete(step.id.toString());
          } else {
            await index.eraseSubject(step.subject);
            for (const [key, each] of live) if (each.subject.equals(step.subject)) live.delete(key);
          }
        }
        for (const subject of SUBJECTS) {
          const facts = [...live.values()].filter((each) => each.subject.equals(subject));
          const anew = new LexicalIndex();
          await anew.fill(subject, facts.reverse());
          const options = { topK: 5, sessionId };
          const hits = await index.search(subject, query, options);
          expect(plain(hits)).toEqual(plain(await anew.search(subject, query, options)));
          for (const { id, score, signals } of hits) {
            const hit = facts.find((each) => each.id.equals(id));
            expect(hit).toBeDefined();
            if (sessionId !== undefined) expect(hit?.sessionId).toBe(sessionId);
            for (const value of [score ?? NaN, ...Object.values(signals ?? {})]) {
              expect(value).toBeGreaterThan(0);
              expect(value).toBeLessThanOrEqual(1);
            }
          }
        }
      }),
      { numRuns: 300 },
    );
  });
});

const plain = (hits: readonly IndexHit[]): unknown =>
  hits.map(({ id, score, signals }) => [id.toString(), score, signals]);
