/**
 * How often each deriver asks a model for 100 messages, and with how many tokens: a conversation of 50 exchanges, handed over
 * exchange by exchange as `ingest: execution-end` does, and all at once as `session-end` does. The model is scripted: it
 * writes one fact for every second statement, so what is measured is how much is asked, not how well it is answered.
 *
 *   npm run bench -- model-calls [--json]
 */
import { parseArgs } from 'node:util';

import {
  EstimatingTokenCounter,
  ExtractiveDeriver,
  InMemoryDerivationQueue,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  IndexedObservationStore,
  LexicalIndex,
  LlmDeriver,
  PeerView,
  Principal,
  ReActLlmDeriver,
  SessionRepresentations,
  StoreBackedPeerMemory,
  Workspace,
} from '@aimon/nestjs-memory';

const { values: options } = parseArgs({ options: { json: { type: 'boolean', default: false } } });

const EXCHANGES = 50;
const mina = PeerView.of(Workspace.of({ id: 'bench' }), Principal.user('mina', 'Mina'));
const counter = new EstimatingTokenCounter();
const TOPICS = [
  'database',
  'deploy',
  'holiday',
  'allergy',
  'printer',
  'budget',
  'review',
  'garden',
  'train',
  'dentist',
];

// About 25 words each, as people write to an assistant; the replies are twice as long.
const statement = (n) =>
  `About the ${TOPICS[n % TOPICS.length]}, number ${n}: we have moved it to the week of March ${1 + (n % 28)}, since Jonas is away until then and nobody else knows how it was set up.`;
const reply = (n) =>
  `Understood. I have noted that the ${TOPICS[n % TOPICS.length]} with the number ${n} moves to that week because Jonas is away. If you want, I can draft a short message to the team, put a reminder in the calendar for the Monday before, and list what has to be ready by then so that nobody is surprised.`;

const exchange = (n) => [
  { role: 'user', id: `u${n}`, content: statement(n), createdAt: new Date(Date.UTC(2026, 2, 2, 9, n)) },
  { role: 'assistant', id: `a${n}`, content: reply(n), createdAt: new Date(Date.UTC(2026, 2, 2, 9, n, 20)) },
];

/** A model that counts what it is asked and what it answers. */
function countingModel() {
  const cost = { calls: 0, inputTokens: 0, outputTokens: 0 };
  const complete = async (request) => {
    const asked = request.messages.map(
      (one) => one.content + (one.toolCalls ?? []).map((call) => call.argumentsJson).join(''),
    );
    const declared = [request.tools, request.responseSchema].map((one) =>
      one === undefined ? '' : JSON.stringify(one),
    );
    const response = answerTo(request);
    const written = response.text + response.toolCalls.map((call) => call.name + call.argumentsJson).join('');
    const usage = {
      inputTokens: counter.count([...asked, ...declared].join('\n')),
      outputTokens: counter.count(written),
    };
    cost.calls++;
    cost.inputTokens += usage.inputTokens;
    cost.outputTokens += usage.outputTokens;
    return { ...response, finishReason: 'stop', usage };
  };
  return { cost, llm: { complete, stream: (request) => complete(request) } };
}

function answerTo({ messages, tools }) {
  const [system] = messages;
  const said = (text) => ({ text, toolCalls: [] });
  if (system.content.startsWith('You write the summary')) {
    return said('Mina plans many things around the absence of Jonas. '.repeat(12));
  }
  const lines = messages[1].content.split('\n').filter((line) => line.startsWith('{"id":"m'));
  const facts = lines
    .map((line) => JSON.parse(line))
    .filter(({ text }) => Number(/number (\d+)/.exec(text)?.[1]) % 2 === 0)
    .map(({ id, text }) => ({ content: text.slice(0, 120), type: 'EXPLICIT', sources: [id] }));
  if (tools === undefined)
    return said(JSON.stringify({ observations: facts.map((one) => ({ ...one, repeats: null })) }));
  // One lookup, then all at once, then done.
  const rounds = messages.filter(({ role }) => role === 'assistant').length;
  const search = { id: 's', name: 'deriver_memory_search', argumentsJson: '{"query":"Jonas away March"}' };
  if (rounds === 0) return { text: '', toolCalls: [search] };
  if (rounds > 1 || facts.length === 0) return said('DONE');
  const name = 'deriver_observation_create';
  const toolCalls = facts.map((one, at) => ({ id: `c${at}`, name, argumentsJson: JSON.stringify(one) }));
  return { text: '', toolCalls };
}

function deriverOf(kind, memory, stores, llm) {
  const common = { recorder: memory.observationRecorder };
  if (kind === 'extractive') return new ExtractiveDeriver(common);
  const representations = new SessionRepresentations({ ...stores, llm, redactionPolicy: undefined });
  const parts = { ...common, llm, searcher: memory.searcher, representations };
  return kind === 'react' ? new ReActLlmDeriver(parts) : new LlmDeriver(parts);
}

async function measure(kind, atOnce) {
  const { llm, cost } = countingModel();
  const observationStore = new IndexedObservationStore(new InMemoryObservationStore(), new LexicalIndex());
  const stores = { observationStore, representationStore: new InMemoryRepresentationStore() };
  const memory = new StoreBackedPeerMemory({
    ...stores,
    derivationQueue: (own) =>
      new InMemoryDerivationQueue({ deriver: deriverOf(kind, own, stores, llm), redactionPolicy: undefined }),
  });
  memory.derivationQueue.start();
  const all = Array.from({ length: EXCHANGES }, (_, n) => exchange(n));
  for (const messages of atOnce ? [all.flat()] : all) {
    const request = { subject: mina, observer: mina, sessionId: 'bench', messages, waitForDerivation: true };
    const { derived } = await memory.ingestor.ingest(request);
    if (!derived) throw new Error(`${kind}: not everything was derived.`);
  }
  const observations = await observationStore.count(mina);
  await memory.derivationQueue.stop({ drainMs: 0 });
  return { deriver: kind, handedOver: atOnce ? 'at once' : 'by exchange', ...cost, observations };
}

const rows = [];
for (const atOnce of [false, true]) {
  for (const kind of ['extractive', 'llm', 'react']) rows.push(await measure(kind, atOnce));
}
if (options.json) process.stdout.write(`${JSON.stringify(rows)}\n`);
else {
  process.stdout.write('For 100 messages; tokens are estimated:\n\n');
  for (const row of rows) {
    const { deriver, handedOver, calls, inputTokens, outputTokens, observations } = row;
    const figures = [calls, inputTokens, outputTokens, observations]
      .map((figure) => String(figure).padStart(9))
      .join('');
    process.stdout.write(`${deriver.padEnd(12)}${handedOver.padEnd(13)}${figures}\n`);
  }
  process.stdout.write('\ncolumns: deriver, handed over, calls, tokens in, tokens out, observations\n');
}
