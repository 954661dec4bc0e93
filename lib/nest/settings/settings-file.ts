import { readFileSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import type { Document } from 'yaml';

import { shown } from '../../domain/checks.js';
import { readTree } from './object-source.js';
import { propertiesParser, yaml } from './packages-on-demand.js';
import { ENVIRONMENT_PREFIX, KEY_PREFIX, knownKeys } from './setting-names.js';
import { SettingCollector, type SettingSource } from './setting-source.js';

type Environment = Readonly<Record<string, string | undefined>>;

// A file of settings has a few hundred lines; one of many megabytes is something else.
const MAX_BYTES = 1_000_000;

/**
 * Reads the settings in a file of Java properties, YAML or JSON, with `${NAME}` and `${NAME:-default}` resolved from the
 * environment. Never throws: what is wrong with the file is among the faults. No content of the file is shown in one.
 *
 * @param spelling how the setting that names the file is spelt, for a message
 */
export function settingsFromFile(path: string, spelling: string, environment: Environment): SettingSource {
  const collector = new SettingCollector('file', basename(path), environment);
  const refuse = (why: string): SettingSource => {
    const shownPath = JSON.stringify(path.length > 80 ? `...${path.slice(-77)}` : path);
    collector.faults.push(`${spelling} is ${shownPath}, ${why}`);
    return collector;
  };
  const parse = PARSERS[extname(path).toLowerCase()];
  if (parse === undefined) {
    return refuse('which is of no kind that can be read; it takes a .properties, .yaml, .yml or .json file.');
  }
  const content = contentOf(path);
  if ('fault' in content) return refuse(content.fault);
  const parsed = parse(content.text);
  if ('fault' in parsed) return refuse(parsed.fault);
  readTree(collector, parsed.tree);
  const { given, misplaced, faults } = collector;
  return given.size + misplaced.length + faults.length === 0 ? refuse(nothingIn(parsed.tree)) : collector;
}

function contentOf(path: string): { readonly text: string } | { readonly fault: string } {
  let bytes: Buffer;
  try {
    const { size } = statSync(path);
    if (size > MAX_BYTES) {
      return { fault: `which has ${size} bytes; a file of settings has at most ${MAX_BYTES}. Is it the right one?` };
    }
    bytes = readFileSync(path);
  } catch (error) {
    const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
    return {
      fault: `which cannot be read (${code}); give the path of a file that this process may read, or remove it.`,
    };
  }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    return { fault: 'which is not in UTF-8; save it as UTF-8.' };
  }
}

type Parsed = { readonly tree: object } | { readonly fault: string };

const PARSERS: Readonly<Record<string, (text: string) => Parsed>> = {
  '.properties': propertiesTree,
  '.yaml': yamlTree,
  '.yml': yamlTree,
  '.json': jsonTree,
};

// Four hexadecimal digits follow \u, unless the backslash is itself one that was written twice.
const BROKEN_ESCAPE = /(?<!\\)(?:\\\\)*\\u(?![\da-f]{4})/i;

function propertiesTree(text: string): Parsed {
  const broken = text.split(/\r\n|[\n\r]/).findIndex((line) => !/^\s*[#!]/.test(line) && BROKEN_ESCAPE.test(line));
  if (broken >= 0) {
    return {
      fault: `which cannot be read at line ${broken + 1}: after \\u four hexadecimal digits are missing. A backslash is written twice, as in C:\\\\users.`,
    };
  }
  const tree: Record<string, string> = Object.create(null) as Record<string, string>;
  const lines = new Map<string, number>();
  const { Properties } = propertiesParser();
  for (const { key, value, startingLineNumber: line } of new Properties(text).getProperties()) {
    const earlier = lines.get(key);
    if (earlier !== undefined && tree[key] !== value && isOurs(key)) {
      return { fault: `which gives ${shown(key)} two values, in the lines ${earlier} and ${line}; leave one out.` };
    }
    tree[key] = value;
    lines.set(key, line);
  }
  return { tree };
}

const isOurs = (key: string): boolean => key.startsWith(`${KEY_PREFIX}.`) || key.startsWith(ENVIRONMENT_PREFIX);

function yamlTree(text: string): Parsed {
  if (deepest(text) > MAX_DEPTH) return { fault: `which is nested more than ${MAX_DEPTH} levels deep; no setting is.` };
  const { LineCounter, parseDocument } = yaml();
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true, logLevel: 'silent' });
  // The messages quote the file, and so may show a secret; the code and the place do not.
  const refused = (at: number, why: string): Parsed => {
    const { line, col } = lines.linePos(at);
    return { fault: `which cannot be read at line ${line}, column ${col}, ${why}; mend it there.` };
  };
  const [error] = document.errors;
  if (error !== undefined) {
    return refused(
      error.pos[0],
      error.code === 'DUPLICATE_KEY' ? 'where a key stands for the second time' : `with ${error.code}`,
    );
  }
  const odd = oddNode(document);
  if (odd !== undefined) return refused(odd.at, odd.why);
  let tree: unknown;
  try {
    tree = document.toJS({ maxAliasCount: 100 });
  } catch {
    return { fault: 'which cannot be read, because of an alias (*name) in it; write its value out.' };
  }
  if (tree === null) return { tree: {} };
  return typeof tree === 'object' && !Array.isArray(tree)
    ? { tree }
    : { fault: `which holds no names with values; write ${KEY_PREFIX}.… in it.` };
}

/** What YAML can hold and a setting cannot: a key that is no text, as `{{ value }}` makes one, and, below our name, a tag. */
function oddNode(document: Document): { readonly at: number; readonly why: string } | undefined {
  const { isPair, isScalar, visit } = yaml();
  let found: { readonly at: number; readonly why: string } | undefined;
  visit(document, {
    Pair: (_, { key }) => {
      if (isScalar(key)) return undefined;
      found = { at: startOf(key), why: 'where a name is no text' };
      return visit.BREAK;
    },
    Value: (_, node, path) => {
      const ours = path.some(
        (above) => isPair(above) && isScalar(above.key) && /^aimon/i.test(String(above.key.value)),
      );
      if (!ours || node.tag === undefined || node.tag.startsWith('tag:yaml.org,2002:')) return undefined;
      found = { at: startOf(node), why: 'with a tag that is not known here' };
      return visit.BREAK;
    },
  });
  return found;
}

const startOf = (node: unknown): number =>
  (node as { readonly range?: readonly number[] | null } | null)?.range?.[0] ?? 0;

// No setting is deeper than five; parsers of deep nesting recurse.
const MAX_DEPTH = 64;

/** How deep brackets are nested, at most. Those in texts count too, which does no harm. */
function deepest(text: string): number {
  let depth = 0;
  let most = 0;
  for (const character of text) {
    if (character === '[' || character === '{') most = Math.max(most, ++depth);
    else if (character === ']' || character === '}') depth--;
  }
  return most;
}

function jsonTree(text: string): Parsed {
  if (deepest(text) > MAX_DEPTH) return yamlTree(text);
  try {
    JSON.parse(text);
  } catch (error) {
    const [, place = ''] = /(\(line \d+ column \d+\))/.exec(String(error)) ?? [];
    return { fault: `which is no valid JSON${place === '' ? '' : ` ${place}`}; mend it.` };
  }
  // JSON.parse takes the last of two values for one name without a word; as YAML, which JSON is, that is refused.
  return yamlTree(text);
}

function nothingIn(tree: object): string {
  const known = Object.keys(tree).filter((name) => knownKeys().includes(name) || name === 'memory');
  return known.length === 0
    ? `which holds nothing below ${KEY_PREFIX}; write the settings there, such as ${KEY_PREFIX}.backend, or remove it.`
    : `which holds nothing below ${KEY_PREFIX}, but ${known.join(', ')} beside it; write ${KEY_PREFIX} in front.`;
}
