import { DefaultRedactionPolicy, type Degradation, type MemoryHit } from '@aimon/nestjs-memory';

import { DEMO_QUERY, DEMO_QUESTION, FIRST_SESSION, SECOND_SESSION } from './demo-conversation.js';
import type { DemoResult, Exchange } from './demo-play.js';

/**
 * The demo in words, section by section. All of it goes through the mask that stands in front of memory, so that a secret
 * that was said does not end up on a screen either.
 */
export function demoReport({ first, remembered, secondPrompt, second, hits, answer, status }: DemoResult): string {
  const { capabilities, degradations, outcomes } = status;
  const sections = [
    section(`The first session, "${FIRST_SESSION.id}" (answers come from: ${status.model})`, conversation(first)),
    section(
      'What was remembered',
      remembered.map(({ observation: { content, type, confidence } }) => `- ${content} (${type}, ${confidence})`),
    ),
    section(`How the prompt of the second session, "${SECOND_SESSION.id}", starts`, [secondPrompt]),
    section(`The second session, "${SECOND_SESSION.id}"`, conversation(second)),
    section(`A search for "${DEMO_QUERY}"`, hits.map(foundLine)),
    section('A tool call', toolCall(second)),
    ...(answer === undefined
      ? []
      : [
          section(`The memory's own answer to "${DEMO_QUESTION}"`, [
            `${answer.answer} (rests on ${answer.observationsConsidered?.length ?? 0} observations)`,
          ]),
        ]),
    section('What this memory can do', [`${status.backend}: ${capabilities.join(', ')}`]),
    section('What it does not do, and what would change that', degradations.flatMap(degradationLines)),
    section('What became of the messages', [
      Object.entries(outcomes)
        .map(([outcome, count]) => `${outcome} ${count}`)
        .join(', '),
    ]),
  ];
  return new DefaultRedactionPolicy().redact(sections.join('\n')).redactedContent;
}

function section(title: string, lines: readonly string[]): string {
  return `\n== ${title} ==\n${lines.length === 0 ? '(nothing)' : lines.join('\n')}`;
}

function conversation(exchanges: readonly Exchange[]): string[] {
  return exchanges.flatMap(({ said, answered }) => [`Mina:  ${said}`, `agent: ${indented(answered.reply)}`]);
}

function foundLine({ observation, score }: MemoryHit): string {
  return `- ${observation.content} (score ${score.toFixed(2)})`;
}

function toolCall(exchanges: readonly Exchange[]): string[] {
  const call = exchanges.flatMap(({ answered }) => answered.toolCalls)[0];
  if (call === undefined) return ['The model answered without calling a tool.'];
  return [`${call.name} ${call.arguments}`, `  ${indented(call.result, 2)}`];
}

function degradationLines({ key, kind, consequence, remedy }: Degradation): string[] {
  return [`- ${key} (${kind})`, `  consequence: ${consequence}`, `  remedy: ${remedy}`];
}

function indented(text: string, by = 7): string {
  return text.replaceAll('\n', `\n${' '.repeat(by)}`);
}
