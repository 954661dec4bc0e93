import type { RecordedRequest } from './scripted-llm-server/recorded-request.js';
import type { ScriptedAnswer } from './scripted-llm-server/scripted-answer.js';
import { forever, type LastingReply, type ScriptedReply } from './scripted-llm-server/scripted-llm-server.js';

/** What the memory asks a model for. */
export type MemoryQuestion = 'derivation' | 'representation' | 'answer';

/** What a request is for, by the beginning of its instructions. */
export function questionOf({ body }: RecordedRequest): MemoryQuestion {
  const [system] = body.messages;
  if (system?.content?.startsWith('You keep the long-term memory') === true) return 'derivation';
  return system?.content?.startsWith('You write the summary of a memory') === true ? 'representation' : 'answer';
}

/** The records between the tags of `name` in all that a request says. */
export function recordsIn(request: RecordedRequest, name: string): readonly Readonly<Record<string, unknown>>[] {
  const said = request.body.messages
    .slice(1)
    .map(({ content }) => content ?? '')
    .join('\n');
  const blocks = [...said.matchAll(new RegExp(`^<${name}>\\n(.*?)\\n</${name}>$`, 'gms'))].map(
    ([, body]) => body ?? '',
  );
  return blocks
    .flatMap((body) => body.split('\n'))
    .filter((line) => line !== '(none)')
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

/** An answer to a derivation. */
export const observations = (...found: readonly object[]): ScriptedAnswer => ({
  content: JSON.stringify({ observations: found }),
});

/**
 * A model that answers each kind of question in its own way: by default it writes down every statement as it was said, sums up
 * by the number of facts, and does not know.
 */
export function memoryModel(
  answers: Partial<Record<MemoryQuestion, (request: RecordedRequest) => ScriptedReply>> = {},
): LastingReply {
  return forever((request) => {
    const asked = questionOf(request);
    const answer = answers[asked];
    if (answer !== undefined) return answer(request);
    if (asked === 'answer') return { content: 'I do not know.' };
    if (asked === 'representation') return { content: `${recordsIn(request, 'session').length} facts.` };
    return observations(
      ...recordsIn(request, 'messages')
        .filter(({ statement }) => statement === true)
        .map(({ id, text, by }) => ({
          content: `${String(by)} said: ${String(text)}`,
          type: 'EXPLICIT',
          sources: [id],
          repeats: null,
        })),
    );
  });
}
