import { redactionMarker } from '../domain/redaction-marker.js';
import { scanJson, type JsonScan, type JsonToken } from './json-scanner.js';
import { PolicyCaller } from './policy-caller.js';
import type { RedactionBudget } from './redaction-budget.js';
import type { RedactionPolicy, RedactionResult } from './redaction-policy.js';
import { TextRedactor } from './text-redactor.js';
import { POLICY_UNITS } from './text-slices.js';

/** A text after masking, and the categories of what was masked in it: as many entries as there were matches. */
export interface RedactedContent {
  readonly content: string;
  readonly categories: readonly string[];
}

// JSON in a string in JSON: each level needs more escapes than the one before, so real documents stay far below.
const MAX_EMBEDDED_DEPTH = 8;

// A key and a value are judged together while both fit in what a policy takes, also when every unit has to be escaped.
const MAX_KEYED_UNITS = POLICY_UNITS / 8;

// A longer key is text that somebody put there, not a name.
const MAX_NAME_UNITS = 256;

// What says something about a secret rather than being one: it does not inherit the name of the object around it.
const DESCRIBING_KEY =
  /^(?:type|kind|format|title|description|required|min|max|minLength|maxLength|minimum|maximum|pattern|\$ref|id|name|user(?:_?name)?|login|host(?:name)?|port|scheme|scope|count|length|size|version|index|status|role|enabled|provider|source|(?:created|updated|expires?|issued|rotated)(?:_?(?:at|in|on))?|expir(?:y|ation)|ttl|region|path|file|(?:public|client|tenant|key|account)_?id)$/i;

// What JSON begins with.
const OPENING = /^\s{0,1024}[[{]/;

const NAME_KEY = /^(?:name|key|field|header|variable|env|property|label|parameter|option)$/i;
const VALUE_KEY = /^(?:value|val|content|data|default|defaultValue)$/i;

/**
 * Masks what a caller wrote. A JSON object or array is masked leaf by leaf, each leaf together with its key, in place:
 * what is not masked stays as it was written, to the byte. A number that has to go becomes the marker as a text.
 * Anything else is text.
 */
export class ContentRedactor {
  private readonly caller: PolicyCaller;
  private readonly texts: TextRedactor;

  constructor(policy: RedactionPolicy) {
    this.caller = new PolicyCaller(policy);
    this.texts = new TextRedactor(this.caller);
  }

  /** `content`, JSON or text, masked. @throws RedactionError, or the signal's reason */
  redact(content: string, budget: RedactionBudget): Promise<RedactedContent> {
    return this.redactUnder(undefined, content, undefined, budget, 0);
  }

  /** `value` masked as it stands under `key`; where it is JSON, what is in it is judged under its own keys too. */
  redactValue(key: string, value: string, budget: RedactionBudget): Promise<RedactedContent> {
    return this.redactUnder(key, value, undefined, budget, 0);
  }

  private async redactText(text: string, budget: RedactionBudget): Promise<RedactedContent> {
    return contentOf(await this.texts.redact(text, budget));
  }

  private async redactJson(
    text: string,
    scan: JsonScan,
    inherited: string | undefined,
    budget: RedactionBudget,
    depth: number,
  ): Promise<RedactedContent> {
    const secretNames = this.secretNames(scan, inherited);
    const names = siblingNames(scan);
    const keys = new Map<string, RedactedContent>();
    const categories: string[] = [];
    let masked = '';
    let at = 0;
    for (const token of scan.tokens) {
      if (budget.due) await budget.pause();
      let redacted: RedactedContent;
      if (token.kind === 'key') {
        const { value } = token;
        redacted =
          keys.get(value) ??
          (value.length <= MAX_KEYED_UNITS ? this.redactShort(value, budget) : await this.redactText(value, budget));
        keys.set(value, redacted);
      } else {
        const name = VALUE_KEY.test(token.key ?? '') ? names.get(token.container) : undefined;
        const secretName = name ?? secretNames[token.container];
        const leaf = this.redactLeaf(token, secretName, budget, depth);
        // Most leaves are short; a turn for each would take longer than masking it.
        redacted = leaf instanceof Promise ? await leaf : leaf;
      }
      if (redacted.content === token.value) continue;
      masked += text.slice(at, token.start) + JSON.stringify(redacted.content);
      at = token.end;
      categories.push(...redacted.categories);
    }
    return { content: at === 0 ? text : masked + text.slice(at), categories };
  }

  // A text that a policy takes at once, and with a key.
  private redactShort(text: string, budget: RedactionBudget): RedactedContent {
    budget.spend(text.length);
    return contentOf(this.caller.redact(text));
  }

  private redactLeaf(
    token: JsonToken,
    inherited: string | undefined,
    budget: RedactionBudget,
    depth: number,
  ): RedactedContent | Promise<RedactedContent> {
    const { kind, key, value } = token;
    const describes = key !== undefined && DESCRIBING_KEY.test(key);
    const around = describes ? undefined : inherited;
    if (kind === 'number') {
      const named = this.categoryOf(key) ?? this.categoryOf(around);
      const category = named ?? this.judge(key ?? '', value, budget).categories[0];
      return category === undefined
        ? { content: value, categories: [] }
        : { content: redactionMarker(category), categories: [category] };
    }
    return value.length > MAX_KEYED_UNITS || OPENING.test(value)
      ? this.redactUnder(key, value, around, budget, depth)
      : this.redactShortUnder(namesOf(key, around), value, budget);
  }

  private redactShortUnder(names: readonly string[], value: string, budget: RedactionBudget): RedactedContent {
    for (const name of names) {
      const judged = this.judge(name, value, budget);
      if (judged.categories.length === 0) continue;
      // Where only a part was masked, the rest may hold more that shows in a text by itself.
      const rest = this.redactShort(judged.content, budget);
      return { content: rest.content, categories: [...judged.categories, ...rest.categories] };
    }
    // Judged with its key, a short text was seen as a whole.
    return names.length > 0 ? { content: value, categories: [] } : this.redactShort(value, budget);
  }

  private async redactUnder(
    key: string | undefined,
    value: string,
    inherited: string | undefined,
    budget: RedactionBudget,
    depth: number,
  ): Promise<RedactedContent> {
    const names = namesOf(key, inherited);
    const scan = depth < MAX_EMBEDDED_DEPTH ? scanJson(value) : undefined;
    if (scan !== undefined) {
      const secret = names.find((name) => this.caller.secretCategory(name) !== undefined);
      return this.redactJson(value, scan, secret, budget, depth + 1);
    }
    if (value.length <= MAX_KEYED_UNITS && names.length > 0) return this.redactShortUnder(names, value, budget);
    for (const name of names) {
      const judged = this.judgeLongUnder(name, value, budget);
      if (judged !== undefined) return judged;
    }
    return this.redactText(value, budget);
  }

  // Too long to be shown with its key. A long text under a secret's name is masked whole when its beginning would be.
  private judgeLongUnder(name: string, value: string, budget: RedactionBudget): RedactedContent | undefined {
    if (this.caller.secretCategory(name) === undefined) return undefined;
    const category = this.judge(name, value.slice(0, 256), budget).categories[0];
    return category === undefined ? undefined : { content: redactionMarker(category), categories: [category] };
  }

  private judge(key: string, value: string, budget: RedactionBudget): RedactedContent {
    budget.spend(value.length + 16);
    return contentOf(this.caller.redactValue(key, value));
  }

  private categoryOf(key: string | undefined): string | undefined {
    return key === undefined || key.length > MAX_NAME_UNITS ? undefined : this.caller.secretCategory(key);
  }

  // For each container the nearest name around its items that is a secret's. Parents come before their children.
  private secretNames(scan: JsonScan, inherited: string | undefined): readonly (string | undefined)[] {
    const names: (string | undefined)[] = [];
    for (const { parent, key } of scan.containers) {
      const own = this.categoryOf(key) === undefined ? undefined : key;
      names.push(own ?? (parent === -1 ? inherited : names[parent]));
    }
    return names;
  }
}

const contentOf = ({ redactedContent, matches }: RedactionResult): RedactedContent => ({
  content: redactedContent,
  categories: matches.length === 0 ? [] : matches.map((match) => match.category),
});

// The names that a value is judged under, each once; a long one is none.
function namesOf(key: string | undefined, inherited: string | undefined): readonly string[] {
  const names = key === inherited ? [key] : [key, inherited];
  return names.filter((name): name is string => name !== undefined && name.length <= MAX_NAME_UNITS);
}

// `{"name": "DB_PASSWORD", "value": "…"}`: the value stands under what its sibling names.
function siblingNames(scan: JsonScan): ReadonlyMap<number, string> {
  const names = new Map<number, string>();
  for (const { kind, key, value, container } of scan.tokens) {
    if (kind === 'string' && key !== undefined && NAME_KEY.test(key) && value.length <= 128)
      names.set(container, value);
  }
  return names;
}
