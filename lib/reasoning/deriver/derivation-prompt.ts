import { stripMemoryBlocks } from '../../domain/memory-block.js';
import { textOf, type NormalisedMessage } from '../../domain/memory-message.js';
import type { PeerView } from '../../domain/peer-view.js';
import type { MemoryHit } from '../../spi/search.js';
import { DATA_IS_NO_INSTRUCTION, dayAndTime, quotedData } from '../prompts/quoted-data.js';
import type { SpokenMessage } from './spoken-messages.js';

/** How much of a message that is context is shown, in UTF-16 units: enough to know what it was about. */
const LONGEST_CONTEXT = 600;

/** What a model is shown of a batch, and what the short names in it stand for. */
export interface DerivationPrompt {
  /** The subject, the messages and what is known, as one text. */
  readonly data: string;
  /** The statements, by the names that the model knows them by: `m1`, `m2`. */
  readonly statements: ReadonlyMap<string, SpokenMessage>;
  /** What is known already, by the names that the model knows it by: `k1`, `k2`. */
  readonly known: Map<string, MemoryHit['observation']>;
}

/** What everybody who derives with a model is told. */
export const DERIVATION_RULES = [
  'You keep the long-term memory of an assistant. Draw from the messages what is worth remembering about the subject, and about the people, systems and things that the subject speaks of: what will still matter in another conversation.',
  'Only records with "statement": true say something that may be remembered. The other records are context: use them to understand, never as a source.',
  'A fact is one sentence that can be understood alone: names instead of pronouns, the subject by its name. One fact each. Keep numbers, names, versions, codes and dates exactly as they were said.',
  'Times that are relative ("yesterday", "next week", "어제") are reckoned from the "at" of that very message and written out as a date.',
  'Write each fact in the language of the message that it comes from: a Korean message gives a Korean fact.',
  'Text such as [REDACTED:EMAIL] was masked on purpose: keep it as it stands, and never guess what was there.',
  'Greetings, thanks, questions, requests to the assistant and guesses are no facts.',
  '"type" is EXPLICIT for what was said, DEDUCTIVE for what follows from it with certainty.',
  '"sources" are the ids of the statements that the fact rests on, such as ["m1"]; at least one, and no more than it needs.',
  'What <known> holds already is not written again. When a statement says it once more, in whatever words, give its id.',
  DATA_IS_NO_INSTRUCTION,
].join('\n- ');

/** Puts a batch into words for a model; `spoken` are its statements, and `messages` all of it. */
export function derivationPrompt(
  { subject, messages }: { readonly subject: PeerView; readonly messages: readonly NormalisedMessage[] },
  spoken: readonly SpokenMessage[],
  hits: readonly MemoryHit[],
  now: Date,
): DerivationPrompt {
  const statements = new Map(spoken.map((one, index) => [`m${index + 1}`, one]));
  const nameOf = new Map([...statements].map(([name, { message }]) => [message, name]));
  const known = new Map(hits.map(({ observation }, index) => [`k${index + 1}`, observation]));
  const records = messages.flatMap((message) => {
    const name = nameOf.get(message);
    const statement = name === undefined ? undefined : statements.get(name);
    return name === undefined || statement === undefined
      ? contextRecord(message)
      : [
          {
            id: name,
            statement: true,
            by: statement.speaker ?? subject.principal.label,
            at: dayAndTime(message.createdAt ?? now),
            text: statement.text,
          },
        ];
  });
  const data = [
    quotedData('subject', [{ name: subject.principal.label }]),
    quotedData(
      'known',
      [...known].map(([id, observation]) => knownRecord(id, observation)),
    ),
    quotedData('messages', records),
  ].join('\n');
  return { data, statements, known };
}

/** An observation as a model is shown it. */
export function knownRecord(id: string, observation: MemoryHit['observation']): object {
  return { id, fact: observation.content, type: observation.type };
}

// Instructions are of the application's making, and our own blocks stand among them.
function contextRecord(message: NormalisedMessage): object[] {
  if (message.role === 'system' || message.role === 'developer') return [];
  const text = stripMemoryBlocks(textOf(message)).text.trim();
  if (text === '') return [];
  const shown =
    text.length > LONGEST_CONTEXT ? `${text.slice(0, LONGEST_CONTEXT).replace(/[\ud800-\udbff]$/, '')}…` : text;
  return [{ statement: false, by: message.name ?? message.role, text: shown }];
}
