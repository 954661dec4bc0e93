import { BenchError } from './bench-error.mjs';
import { distinctIds, groupRecall, percent, percentile, RECALL_AT, recallOf } from './recall.mjs';

const DEEPEST = RECALL_AT.at(-1);
const MAX_TOP_K = 200;

/**
 * Ingests the conversations, asks SEARCH each question that has evidence, and tells how much of it was found.
 *
 * @param {object} memory
 * @param {import('../../lib/spi/peer-memory.js').PeerMemory} memory.peerMemory with INGEST and SEARCH
 * @param {(id: string) => import('../../lib/domain/peer-view.js').PeerView} memory.peerOf the GROUP peer of that id
 * @param {(listener: (outcome: import('../../lib/domain/ingest-outcome.js').IngestOutcome) => void) => () => void} memory.onOutcome
 * @param {() => Promise<unknown>} memory.settled settles when every outcome is known
 * @param {readonly import('./conversations.mjs').Conversation[]} conversations
 * @param {{ onePeer?: boolean, progress?: (line: string) => void, now?: () => number }} options
 *   `onePeer`: everything under one peer, instead of one for each conversation; `now`: milliseconds, for the query times
 */
export async function measureRetrieval(memory, conversations, options = {}) {
  const { onePeer = false, progress = () => {}, now = () => performance.now() } = options;
  const placed = conversations.map((conversation) => place(conversation, onePeer));
  const stored = await ingestAll(memory, placed, progress);

  const answers = [];
  const times = [];
  for (const { peerId, questions } of placed) {
    const subject = memory.peerOf(peerId);
    for (const { text, category, evidence } of questions) {
      const started = now();
      const ids = await searchDistinct(memory.peerMemory.searcher, subject, text);
      times.push(now() - started);
      answers.push({ category, recall: recallOf(ids, evidence) });
    }
  }
  if (answers.length === 0)
    throw new BenchError('No question of the data has evidence, so there is nothing to measure.');
  progress(`asked ${answers.length} questions`);

  const evidenceTurns = placed.flatMap(({ turns, questions }) => {
    const cited = new Set(questions.flatMap(({ evidence }) => evidence));
    return turns.filter(({ id }) => cited.has(id));
  });
  const dropped = evidenceTurns.filter((turn) => !stored.has(turn.key));
  return {
    groups: groupRecall(answers),
    queryMs: { p50: rounded(percentile(times, 0.5)), p95: rounded(percentile(times, 0.95)) },
    evidenceDroppedPercent: percent(dropped.length, evidenceTurns.length),
  };
}

/** A conversation under its peer; under one peer ids carry the conversation's, as `D1:1` stands in many. */
function place(conversation, onePeer) {
  const idOf = (id) => (onePeer ? `${conversation.id}/${id}` : id);
  return {
    id: conversation.id,
    peerId: onePeer ? 'everything' : conversation.id,
    turns: conversation.turns.map((turn) => {
      const sessionId = `${conversation.id}/${turn.session}`;
      const id = idOf(turn.id);
      return { ...turn, id, sessionId, key: outcomeKey(sessionId, id) };
    }),
    questions: conversation.questions
      .filter(({ evidence }) => evidence.length > 0)
      .map((question) => ({ ...question, evidence: question.evidence.map(idOf) })),
  };
}

const outcomeKey = (sessionId, messageId) => JSON.stringify([sessionId, messageId]);

/** The turns that observations rest on, by their outcome's key. */
async function ingestAll({ peerMemory, peerOf, onOutcome, settled }, placed, progress) {
  const stored = new Set();
  const lost = [];
  const unsubscribe = onOutcome(({ messageId, sessionId, outcome, reason }) => {
    if (outcome === 'stored') stored.add(outcomeKey(sessionId, messageId));
    if (outcome === 'failed' || outcome === 'skipped') lost.push(reason);
  });
  for (const { id, peerId, turns } of placed) {
    const observer = peerOf(peerId);
    const sessions = groupBySession(turns);
    for (const [sessionId, members] of sessions) {
      const messages = members.map(messageOf);
      const { accepted } = await peerMemory.ingestor.ingest({ observer, sessionId, messages, waitForDerivation: true });
      if (accepted < messages.length) lost.push('not accepted');
    }
    progress(`${id}: ingested ${turns.length} turns in ${sessions.size} sessions`);
  }
  await settled();
  unsubscribe();
  if (lost.length > 0) {
    throw new BenchError(`${lost.length} turns were lost on the way in (${[...new Set(lost)].join(', ')}).`);
  }
  return stored;
}

/** In the order in which the sessions begin. */
function groupBySession(turns) {
  const sessions = new Map();
  for (const turn of turns) sessions.set(turn.sessionId, [...(sessions.get(turn.sessionId) ?? []), turn]);
  return sessions;
}

function messageOf({ id, speaker, text, saidAt }) {
  return {
    role: 'user',
    content: text,
    id,
    ...(speaker === undefined ? {} : { name: speaker }),
    ...(saidAt === undefined ? {} : { createdAt: saidAt }),
  };
}

/** As many distinct ids as recall is told of; hits that cite the same turns make the search ask for more. */
async function searchDistinct(searcher, subject, query) {
  for (let topK = DEEPEST; ; topK = Math.min(2 * topK, MAX_TOP_K)) {
    const hits = await searcher.search({ subject, query, topK });
    const ids = distinctIds(hits, DEEPEST);
    if (ids.length === DEEPEST || hits.length < topK || topK === MAX_TOP_K) return ids;
  }
}

const rounded = (milliseconds) => Number(milliseconds.toFixed(2));
