import { Observation, ObservationId, PeerView, Principal, Workspace } from '../../../lib/index.js';
import { type DerivationAnswer, readDerivationAnswer } from '../../../lib/reasoning/deriver/derivation-answer.js';
import { type DerivationPrompt, derivationPrompt } from '../../../lib/reasoning/deriver/derivation-prompt.js';
import { spokenMessages } from '../../../lib/reasoning/deriver/spoken-messages.js';
import { SAID_AT, says } from './support/derivation-memory.js';

const alice = PeerView.of(Workspace.of({ id: 'ops' }), Principal.user('alice'));
const PORTO = Observation.of({
  ...{ id: ObservationId.of({ workspaceId: 'ops', localId: 'o1' }), subject: alice, observer: alice },
  ...{ content: 'Alice lives in Porto.', type: 'DEDUCTIVE' as const, createdAt: SAID_AT, confidence: 0.6 },
});

function promptOf(...texts: readonly string[]): DerivationPrompt {
  const messages = says(...texts);
  const hits = [{ observation: PORTO, score: 1, confidenceAvailable: true, signals: {} }];
  return derivationPrompt({ subject: alice, messages }, spokenMessages(messages, new Set()), hits, SAID_AT);
}

const PROMPT = promptOf('I moved to Porto.', 'I have a cat.');
const read = (answer: unknown, prompt = PROMPT): DerivationAnswer =>
  readDerivationAnswer(typeof answer === 'string' ? answer : JSON.stringify(answer), prompt);
/** The facts, each as its words, its type and the ids of what it rests on. */
const factsIn = (answer: unknown, prompt = PROMPT): readonly (readonly unknown[])[] =>
  read(answer, prompt).facts.map(({ content, type, sources }) => [
    content,
    type,
    sources.map(({ message }) => message.id).join(' '),
  ]);

const CAT = { content: 'Alice has a cat.', type: 'EXPLICIT', sources: ['m2'], repeats: null };
const READ = ['Alice has a cat.', 'EXPLICIT', 'm2'];

describe('an answer about a batch', () => {
  it.each<[string, unknown]>([
    ['as it was asked for', { observations: [CAT] }],
    ['as a list', [CAT]],
    ['as one object', CAT],
    ['as one object in the place of the list', { observations: CAT }],
    ['under another name', { facts: [CAT] }],
    ['under its name in capitals', { Observations: [CAT] }],
    ['in a code fence', `\`\`\`json\n${JSON.stringify({ observations: [CAT] }, null, 2)}\n\`\`\``],
    ['with prose around it', `As m1 [1] says:\n${JSON.stringify({ observations: [CAT] })}\nThat is all.`],
    [
      'with commas too many',
      '{"observations":[{"content":"Alice has a cat.","type":"EXPLICIT","sources":["m2",],},],}',
    ],
    ['with a type in lower case', [{ ...CAT, type: 'explicit' }]],
    ['with a type in mixed case and space around it', [{ ...CAT, type: ' Explicit ' }]],
    ['with its sources as a text', [{ ...CAT, sources: 'm2' }]],
    ['with its source in the singular', [{ content: CAT.content, type: CAT.type, source: 'm2' }]],
    ['with its source as a number', [{ ...CAT, sources: [2] }]],
    ['with its sources in brackets and capitals', [{ ...CAT, sources: '[M2]' }]],
    ['with the same source twice', [{ ...CAT, sources: ['m2', 'm2'] }]],
    ['with a source that there is not beside one that there is', [{ ...CAT, sources: ['m9', 'm2', 'k1'] }]],
    ['with its words under another name', [{ ...CAT, content: undefined, fact: CAT.content }]],
    ['with an id of a known fact that there is not', [{ ...CAT, repeats: 'k7' }]],
    ['with space around its words', [{ ...CAT, content: '  Alice has a cat.\n' }]],
  ])('is read %s', (_, answer) => {
    expect(factsIn(answer)).toEqual([READ]);
    expect(read(answer).fault).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['null', 'null'],
    ['an empty list', []],
    ['an empty list under its name', { observations: [] }],
    ['null under its name', { observations: null }],
  ])('that is %s finds nothing, and there is no fault in that', (_, answer) => {
    expect(read(answer)).toEqual({ facts: [] });
  });

  it.each<[string, unknown, RegExp]>([
    ['nothing', ' \n', /was empty.*\{"observations":\[\]\}/],
    ['prose alone', 'There is nothing [1].', /no JSON object with "observations"/],
    ['a number', '7', /no JSON object/],
    ['an object of another kind', { answer: 'yes' }, /no JSON object/],
    ['a list of numbers', [1, 2], /no JSON object/],
    ['a text under the name of the list', { observations: 'Alice has a cat.' }, /no JSON object/],
    ['a fact without words', [{ ...CAT, content: ' ' }], /had no "content"/],
    ['a fact without sources', [{ ...CAT, sources: [] }], /had no "sources"; the statements are m1, m2\./],
    ['a fact with unknown sources', [{ ...CAT, sources: ['m9'] }], /the statements are m1, m2\./],
    ['a fact with sources of another kind', [{ ...CAT, sources: { m2: true } }], /the statements are m1, m2\./],
    ['facts that are no objects', { observations: [7, null, ['m1']] }, /had no "content"/],
  ])('that is %s says what is wrong with it', (_, answer, fault) => {
    expect(read(answer).facts).toEqual([]);
    expect(read(answer).fault).toMatch(fault);
  });

  it('keeps the facts that can be used beside those that cannot, and names each fault once', () => {
    const answer = [CAT, { ...CAT, sources: [] }, { ...CAT, sources: ['m7'] }, { type: 'EXPLICIT', sources: ['m1'] }];
    expect(factsIn(answer)).toEqual([READ]);
    expect(read(answer).fault).toBe(
      'An observation had no "sources"; the statements are m1, m2. An observation had no "content".',
    );
  });

  it('takes a type that there is not for the weaker one', () => {
    for (const type of ['OPINION', 'INDUCTIVE', 'CONTRADICTION', '', 7, null, undefined])
      expect(factsIn([{ ...CAT, type }])).toEqual([['Alice has a cat.', 'DEDUCTIVE', 'm2']]);
  });

  it('takes several sources out of one text', () => {
    expect(factsIn([{ ...CAT, sources: 'm1, m2' }])).toEqual([['Alice has a cat.', 'EXPLICIT', 'm1 m2']]);
    expect(factsIn([{ ...CAT, sources: '["m1", "m2"]' }])).toEqual([['Alice has a cat.', 'EXPLICIT', 'm1 m2']]);
  });

  it('rests on the one statement that there is where it names no other', () => {
    const alone = promptOf('I have a cat.');
    expect(factsIn([{ ...CAT, sources: [] }], alone)).toEqual([['Alice has a cat.', 'EXPLICIT', 'm1']]);
    expect(factsIn(['Alice has a cat.', 'She feeds it.'], alone)).toEqual([
      ['Alice has a cat.', 'DEDUCTIVE', 'm1'],
      ['She feeds it.', 'DEDUCTIVE', 'm1'],
    ]);
  });

  it('that is a list of texts cannot be used where there are several statements to choose from', () => {
    expect(read(['Alice has a cat.']).fault).toMatch(/no "sources"/);
  });

  it('gives a known fact in the words in which it is known, whatever the answer writes', () => {
    const [repeated] = read([{ content: 'Porto!', type: 'DEDUCTIVE', sources: ['m1'], repeats: 'k1' }]).facts;
    expect(repeated).toMatchObject({ content: 'Alice lives in Porto.', type: 'DEDUCTIVE', repeats: PORTO });
  });

  it.each(['k1', 'K1', '[k1]', ' "k1" '])('knows the known fact by %j', (repeats) => {
    const [repeated] = read([{ content: '', type: 'EXPLICIT', sources: ['m1'], repeats }]).facts;
    // Said outright it is no conclusion any more.
    expect(repeated).toMatchObject({ content: 'Alice lives in Porto.', type: 'EXPLICIT', repeats: PORTO });
  });

  it('takes the first JSON that is an answer, past citations and other values', () => {
    const prose = `[1] and {"note":"mine"} and ${JSON.stringify([CAT])} and ${JSON.stringify([{ ...CAT, content: 'No.' }])}`;
    expect(factsIn(prose)).toEqual([READ]);
  });
});
