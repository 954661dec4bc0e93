import { readFileSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { Properties } from 'properties-file/parser';
import { LineCounter, parseDocument } from 'yaml';

import { shown } from '../../domain/checks.js';
import { readTree } from './object-source.js';
import { resolveSettings } from './resolved-placeholders.js';
import { KEY_PREFIX, knownKeys } from './setting-names.js';
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
  const collector = new SettingCollector('file', basename(path));
  const refuse = (why: string): SettingSource => {
    collector.faults.push(`${spelling} is ${shown(path)}, ${why}`);
    return collector;
  };
  const parse = PARSERS[extname(path).toLowerCase()];
  if (parse === undefined)
    return refuse('which is of no kind that can be read; it takes a .properties, .yaml, .yml or .json file.');
  const content = contentOf(path);
  if ('fault' in content) return refuse(content.fault);
  const parsed = parse(content.text);
  if ('fault' in parsed) return refuse(parsed.fault);
  readTree(collector, parsed.tree);
  if (collector.given.size === 0 && collector.faults.length === 0) return refuse(nothingIn(parsed.tree));
  return resolveSettings(collector, environment);
}

function contentOf(path: string): { readonly text: string } | { readonly fault: string } {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const { code = 'an unknown error' } = error as NodeJS.ErrnoException;
    return {
      fault: `which cannot be read (${code}); give the path of a file that this process may read, or remove it.`,
    };
  }
  if (bytes.length > MAX_BYTES) {
    return {
      fault: `which has ${bytes.length} bytes; a file of settings has at most ${MAX_BYTES}. Is it the right one?`,
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

function propertiesTree(text: string): Parsed {
  const properties = new Properties(text);
  for (const { key, nodes } of properties.getKeyCollisions()) {
    if (new Set(nodes.map(({ value }) => value)).size > 1) {
      const lines = nodes.map(({ startingLineNumber }) => startingLineNumber);
      return { fault: `which gives ${shown(key)} two values, in the lines ${lines.join(' and ')}; leave one out.` };
    }
  }
  return { tree: properties.toObject() };
}

function yamlTree(text: string): Parsed {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, merge: true });
  // The messages quote the file, and so may show a secret; the code and the place do not.
  const [error] = [...document.errors, ...document.warnings];
  if (error !== undefined) {
    const { line, col } = lines.linePos(error.pos[0]);
    const what = error.code === 'DUPLICATE_KEY' ? 'where a key stands for the second time' : `with ${error.code}`;
    return { fault: `which cannot be read at line ${line}, column ${col}, ${what}; mend it there.` };
  }
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

function jsonTree(text: string): Parsed {
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
