import { BenchError } from './bench-error.mjs';
import { parseSaidAt } from './said-at.mjs';

/**
 * @typedef {{ id: string, speaker?: string, text: string, saidAt?: Date, session: string }} Turn
 * `text` with the caption of what was shared; `session`: which of the conversation's sessions the turn belongs to.
 * @typedef {{ text: string, category?: string, evidence: string[] }} Question
 * @typedef {{ id: string, turns: Turn[], questions: Question[] }} Conversation
 */

/**
 * The conversations in a parsed data file, in either of two forms:
 * - `{conversations: [{id, turns: [{id, speaker?, text, img?, date?}], questions: [{q, category?, evidence}]}]}`;
 * - LoCoMo's own `locomo10.json`: `[{sample_id, conversation: {session_1: […], session_1_date_time, …}, qa: […]}]`.
 *
 * @param {unknown} data
 * @returns {Conversation[]}
 * @throws {BenchError} naming the conversation and the turn that cannot be read
 */
export function readConversations(data) {
  const listed = Array.isArray(data) ? data.map(fromLocomo) : data?.conversations;
  if (!Array.isArray(listed) || listed.length === 0) {
    throw new BenchError(
      'The data holds no conversations; it takes {"conversations": [{"id", "turns", "questions"}]} or LoCoMo\'s locomo10.json.',
    );
  }
  return listed.map((conversation, index) => readConversation(conversation, index));
}

function readConversation(conversation, index) {
  const id = conversation?.id ?? `conversation-${index + 1}`;
  const { turns, questions = [] } = conversation ?? {};
  if (!Array.isArray(turns) || turns.length === 0) throw new BenchError(`Conversation ${id} has no turns.`);
  if (!Array.isArray(questions)) throw new BenchError(`The questions of conversation ${id} are not a list.`);
  const seen = new Set();
  return {
    id: String(id),
    turns: turns.map((turn, at) => readTurn(turn, `Turn ${turn?.id ?? at + 1} of conversation ${id}`, seen)),
    questions: questions.map((question, at) => readQuestion(question, `Question ${at + 1} of conversation ${id}`)),
  };
}

function readTurn(turn, name, seen) {
  const { id, speaker, text, img, date } = turn ?? {};
  if (typeof id !== 'string' || id === '') throw new BenchError(`${name} has no id.`);
  if (seen.has(id)) throw new BenchError(`${name} has the id of another turn; evidence could not tell them apart.`);
  seen.add(id);
  if (typeof text !== 'string') throw new BenchError(`${name} has no text.`);
  const saidAt = date === undefined ? undefined : parseSaidAt(String(date));
  if (date !== undefined && saidAt === undefined) {
    throw new BenchError(
      `${name} has the date ${JSON.stringify(date)}; it takes one like "1:56 pm on 8 May, 2023", or ISO 8601.`,
    );
  }
  const numbered = /^D\d+(?=:)/.exec(id)?.[0];
  return {
    id,
    ...(speaker === undefined || speaker === '' ? {} : { speaker }),
    text: img === undefined || img === '' ? text : `${text} and shared ${img}`,
    ...(saidAt === undefined ? {} : { saidAt }),
    session: numbered ?? saidAt?.toISOString().slice(0, 10) ?? 'undated',
  };
}

function readQuestion(question, name) {
  const { q, category, evidence = [] } = question ?? {};
  if (typeof q !== 'string' || q.trim() === '') throw new BenchError(`${name} has no text.`);
  if (!Array.isArray(evidence)) throw new BenchError(`${name} has evidence that is not a list of turn ids.`);
  return {
    text: q,
    ...(category === undefined ? {} : { category: String(category) }),
    evidence: [...new Set(evidence.map(String))],
  };
}

function fromLocomo(sample) {
  const { sample_id: id, conversation = {}, qa = [] } = sample ?? {};
  const sessions = Object.keys(conversation).filter((key) => /^session_\d+$/.test(key));
  return {
    id,
    turns: sessions.flatMap((session) =>
      conversation[session].map((turn) => ({
        id: turn.dia_id,
        speaker: turn.speaker,
        text: turn.text,
        img: turn.blip_caption,
        date: conversation[`${session}_date_time`],
      })),
    ),
    // Some of its evidence lists hold several ids in one text.
    questions: qa.map(({ question, category, evidence = [] }) => ({
      q: question,
      category,
      evidence: evidence.flatMap((ids) => ids.split(/[\s;,]+/)).filter((turnId) => turnId !== ''),
    })),
  };
}
