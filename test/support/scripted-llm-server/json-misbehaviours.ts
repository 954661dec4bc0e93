import type { ScriptedAnswer } from './scripted-answer.js';

/** The ways in which models write JSON that was asked of them, each as the answer that means `value`. */
export const JSON_MISBEHAVIOURS = {
  'as it should be': (value) => ({ content: JSON.stringify(value) }),
  'in a code fence': (value) => ({ content: `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\`` }),
  'with prose around it': (value) => ({ content: `Sure! Here you are:\n${JSON.stringify(value)}\nAnything else?` }),
  'with a trailing comma': (value) => ({ content: JSON.stringify(value).replace(/([\]}])$/, ',$1') }),
  'with types in capitals': (value) => ({ content: JSON.stringify(withTypes(value, (type) => type.toUpperCase())) }),
  'with types in lower case': (value) => ({ content: JSON.stringify(withTypes(value, (type) => type.toLowerCase())) }),
} satisfies Readonly<Record<string, (value: unknown) => ScriptedAnswer>>;

/** Answers that mean something else than `value`, or nothing. */
export const UNUSABLE_JSON = {
  null: () => ({ content: 'null' }),
  'nothing at all': () => ({ content: '' }),
  'prose alone': () => ({ content: 'I have found nothing of interest.' }),
  'types that there are not': (value) => ({ content: JSON.stringify(withTypes(value, () => 'opinion')) }),
  'JSON that is cut at the most tokens': (value) => ({
    content: JSON.stringify(value).slice(0, -Math.ceil(JSON.stringify(value).length / 3)),
    finishReason: 'length',
  }),
  'a refusal': () => ({ refusal: 'I cannot help with that.' }),
} satisfies Readonly<Record<string, (value: unknown) => ScriptedAnswer>>;

function withTypes(value: unknown, change: (type: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => withTypes(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'type' && typeof inner === 'string' ? change(inner) : withTypes(inner, change),
    ]),
  );
}
