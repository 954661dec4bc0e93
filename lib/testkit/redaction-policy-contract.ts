import assert from 'node:assert/strict';
import { performance } from 'node:perf_hooks';

import { InvalidArgumentError } from '../domain/errors.js';
import { redactionMarker } from '../domain/redaction-marker.js';
import type { RedactionPolicy, RedactionResult } from '../redaction/redaction-policy.js';
import { checkedMaker } from './checked-options.js';
import { declareContract, type ContractOptions, type ContractTest } from './contract.js';
import { HOSTILE_TEXTS } from './hostile-texts.js';

/** A text that a policy promises to mask a part of. */
export interface RedactionExample {
  /** Upper snake, as in the marker. */
  readonly category: string;
  /** The whole text. */
  readonly text: string;
  /** What must not be left of the text; stands in it once. */
  readonly secret: string;
}

/** What is tested by `describeRedactionPolicyContract`, and what it promises. */
export interface RedactionPolicyContractOptions extends ContractOptions {
  /** Called before each test. */
  readonly makePolicy: () => RedactionPolicy | Promise<RedactionPolicy>;
  /** At least one for each category of the policy, each with a secret that was made up. */
  readonly masks: readonly RedactionExample[];
  /** Texts that the policy promises to leave as they are; default none. */
  readonly leaves?: readonly string[];
}

/** The policy in the hands of a test. */
export interface RedactionPolicyUnderTest {
  readonly policy: RedactionPolicy;
  readonly masks: readonly RedactionExample[];
  readonly leaves: readonly string[];
}

/** What makes expressions that are badly bounded look again and again. */
const REPEATED: readonly (readonly [string, string])[] = [
  ['letters', 'a'],
  ['digits', '1'],
  ['digits and dashes', '1-'],
  ['spaces', ' '],
  ['line ends', '\n'],
  ['quotes', '"'],
  ['backslashes', '\\'],
  ['at signs', 'a@'],
  ['dots', 'a.'],
  ['keywords', 'password '],
  ['keywords with a colon', 'password: '],
  ['equal signs', 'password=='],
  ['the beginnings of keys', '-----BEGIN '],
  ['the beginnings of addresses', 'https://a:'],
  ['Hangul', '비밀번호는 '],
];

const SMALL = 16_384;
const LARGE = 65_536;
const PARTS = LARGE / SMALL;
// As much text at once as in four parts: the same time where it grows with the length, four times it with the square.
const MOST_GROWTH = 9 / PARTS;
// Below that a machine's noise is larger than what is measured.
const LEAST_MS = 8;
const TURNS = 12;

/** All tests of the contract, in the order in which they are declared. @internal */
export const REDACTION_POLICY_CONTRACT: readonly ContractTest<RedactionPolicyUnderTest>[] = Object.freeze([
  {
    name: 'has a name',
    run: async ({ policy }: RedactionPolicyUnderTest) => {
      assert.equal(typeof policy.name, 'string', 'name has to be a text.');
      assert.notEqual(policy.name.trim(), '', 'name has to say something.');
    },
  },
  {
    name: 'masks what its categories promise, wherever it stands in a text',
    run: async ({ policy, masks }: RedactionPolicyUnderTest) => {
      for (const { category, text, secret } of masks) {
        for (const around of [text, `\n${text}\n`, `안녕하세요.\n${text}\nGood bye.`]) {
          const { redactedContent, matches, modified } = policy.redact(around);
          assert.ok(!redactedContent.includes(secret), `${category}: a secret was left.`);
          assert.ok(modified, `${category}: something was masked, and modified is false.`);
          assert.ok(redactedContent.includes(redactionMarker(category)), `${category}: there is no marker of it.`);
          const start = around.indexOf(secret);
          const overlapping = matches.filter((one) => one.start < start + secret.length && one.end > start);
          assert.ok(
            overlapping.some((one) => one.category === category),
            `${category}: no match of that category is where the secret was.`,
          );
        }
      }
    },
  },
  {
    name: 'leaves alone what it promises to leave, and texts without any secret',
    run: async ({ policy, leaves }: RedactionPolicyUnderTest) => {
      for (const text of [...leaves, '', ' ', 'The lift stops on Fridays.', '엘리베이터는 금요일에 멈춥니다.']) {
        assert.deepEqual(policy.redact(text), { redactedContent: text, matches: [], modified: false });
      }
    },
  },
  {
    name: 'reports spans of the original text, in order and apart, of which the masked text is made',
    run: async ({ policy, masks }: RedactionPolicyUnderTest) => {
      for (const text of textsOf(masks)) assertSpans(text, policy.redact(text));
    },
  },
  {
    name: 'changes nothing of what it has masked when it masks it again',
    run: async ({ policy, masks }: RedactionPolicyUnderTest) => {
      for (const text of textsOf(masks)) {
        const { redactedContent } = policy.redact(text);
        assert.deepEqual(policy.redact(redactedContent), { redactedContent, matches: [], modified: false });
      }
    },
  },
  {
    name: 'leaves markers of its own as they are',
    run: async ({ policy, masks }: RedactionPolicyUnderTest) => {
      for (const { category } of masks) {
        const text = `before ${redactionMarker(category)} after, password=${redactionMarker(category)}`;
        assert.equal(policy.redact(text).redactedContent, text, category);
      }
    },
  },
  {
    name: 'is not kept from masking by a marker that somebody wrote around a secret',
    run: async ({ policy, masks }: RedactionPolicyUnderTest) => {
      for (const { category, text, secret } of masks) {
        for (const forged of [
          `[REDACTED:${category}] ${text}`,
          `${text} [REDACTED:${category}]`,
          `[REDACTED:\n${text}\n]`,
        ])
          assert.ok(!policy.redact(forged).redactedContent.includes(secret), `${category}: a secret was left.`);
      }
    },
  },
  {
    name: 'says the same of the same text, whatever it was asked before',
    run: async ({ policy, masks }: RedactionPolicyUnderTest) => {
      const texts = textsOf(masks);
      const first = texts.map((text) => policy.redact(text));
      for (const order of [[...texts.keys()].reverse(), [...texts.keys()]])
        for (const at of order) assert.deepEqual(policy.redact(texts[at] as string), first[at]);
    },
  },
  {
    name: 'carries nothing of a secret in its matches',
    run: async ({ policy, masks }: RedactionPolicyUnderTest) => {
      for (const { category, text, secret } of masks) {
        const { matches } = policy.redact(text);
        assert.ok(!JSON.stringify(matches).includes(secret), `${category}: a match holds the secret.`);
        for (const match of matches) {
          assert.match(match.category, /^[A-Z][A-Z0-9_]*$/, 'A category is in upper snake case.');
          assert.equal(match.replacement, redactionMarker(match.category));
        }
      }
    },
  },
  {
    name: 'takes any text',
    run: async ({ policy, masks }: RedactionPolicyUnderTest) => {
      for (const { what, text } of HOSTILE_TEXTS) {
        const result = policy.redact(text);
        assertSpans(text, result);
        for (const { text: example, secret } of masks)
          assert.ok(!policy.redact(`${text}\n${example}\n${text}`).redactedContent.includes(secret), `among ${what}`);
      }
    },
  },
  {
    name: 'takes time in proportion to the length of a text',
    run: async ({ policy, masks }: RedactionPolicyUnderTest) => {
      const repeated = [
        ...REPEATED,
        ...masks.map(({ category, text }) => [`examples of ${category}`, `${text}\n`] as const),
      ];
      for (const [what, unit] of repeated) {
        const filled = (length: number): string => unit.repeat(Math.ceil(length / unit.length)).slice(0, length);
        const [small, large] = [filled(SMALL), filled(LARGE)];
        const inParts = (): void => {
          for (let part = 0; part < PARTS; part++) policy.redact(small);
        };
        // Both take about as long and take turns, so that a busy machine is busy for both; the best of each counts.
        let [parts, whole] = [Infinity, Infinity];
        for (let turn = 0; turn < TURNS; turn++) {
          parts = Math.min(parts, timeOf(inParts));
          whole = Math.min(
            whole,
            timeOf(() => policy.redact(large)),
          );
          if (whole < LEAST_MS || whole <= MOST_GROWTH * parts) break;
        }
        assert.ok(
          whole < LEAST_MS || whole <= MOST_GROWTH * parts,
          `Four times as many ${what} take ${((PARTS * whole) / parts).toFixed(1)} times as long.`,
        );
      }
    },
  },
]);

/**
 * Declares the tests that every `RedactionPolicy` has to pass. Write secrets in parts (`'AK' + 'IA…'`), so that no file of yours
 * holds what a scanner takes for a live one.
 *
 * @param name what is tested, such as `our policy`
 * @throws InvalidArgumentError when there is no runner, no example, or the text of one does not hold its secret once
 */
export function describeRedactionPolicyContract(name: string, options: RedactionPolicyContractOptions): void {
  const { makePolicy, masks, leaves = [], runner, timeoutMs } = options;
  const examples = Array.isArray(masks) ? (masks as readonly RedactionExample[]) : [];
  if (examples.length === 0) {
    throw new InvalidArgumentError(
      'masks is empty; it takes at least one example for each category that the policy promises.',
    );
  }
  for (const { category, text, secret } of examples) {
    if (secret === '' || text.split(secret).length !== 2) {
      throw new InvalidArgumentError(
        `The example of ${category} does not hold its secret once; its text has to hold it once.`,
      );
    }
  }
  const make = checkedMaker('makePolicy', 'redact', makePolicy);
  declareContract({
    ...{ name, runner, timeoutMs },
    tests: REDACTION_POLICY_CONTRACT,
    abilities: [],
    make: async () => ({ subject: { policy: await make(), masks, leaves }, close: async () => undefined }),
  });
}

/** The examples, by themselves, twice, and each beside each other one. */
function textsOf(masks: readonly RedactionExample[]): readonly string[] {
  const texts = masks.map(({ text }) => text);
  return [
    ...texts.flatMap((text) => [text, `${text}${text}`, `${text} ${text}`, text.slice(0, -1), text.slice(1)]),
    ...texts.flatMap((one) => texts.map((other) => `${one}\n${other}`)),
    ...HOSTILE_TEXTS.map(({ text }) => text),
  ];
}

function assertSpans(text: string, { redactedContent, matches, modified }: RedactionResult): void {
  let masked = '';
  let end = 0;
  for (const match of matches) {
    assert.ok(
      match.start >= end && match.end > match.start && match.end <= text.length,
      'Spans overlap or lie outside.',
    );
    masked += text.slice(end, match.start) + match.replacement;
    end = match.end;
  }
  assert.equal(redactedContent, masked + text.slice(end), 'The spans do not say what was masked.');
  assert.equal(modified, matches.length > 0, 'modified has to say whether anything was masked.');
}

function timeOf(work: () => unknown): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
