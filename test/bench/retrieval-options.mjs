import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { BenchError } from './bench-error.mjs';

export const WHERE_TO_GET_DATA =
  'LoCoMo is at https://github.com/snap-research/locomo (data/locomo10.json, CC BY-NC 4.0: for measuring only).';
const USAGE = 'npm run bench:retrieval -- --data <file> [--embedding none|local] [--one-peer] [--json]';

/**
 * @param {readonly string[]} args without the interpreter and the script
 * @returns {{ data: string, onePeer: boolean, json: boolean }}
 * @throws {BenchError} for an option that is not there, has no value, or is not available
 */
export function readOptions(args) {
  const { data, embedding, onePeer, json } = parse(args);
  if (data === undefined || data === '') {
    throw new BenchError(`There is no data to measure with; name a file: ${USAGE}\n${WHERE_TO_GET_DATA}`);
  }
  if (embedding === 'local') {
    throw new BenchError('--embedding local is not available in this version; leave it out, or give none.');
  }
  if (embedding !== 'none') throw new BenchError(`--embedding is "${embedding}"; it takes none or local.`);
  return { data, onePeer, json };
}

function parse(args) {
  const options = {
    data: { type: 'string' },
    embedding: { type: 'string', default: 'none' },
    'one-peer': { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  };
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  for (const token of tokens) {
    if (token.kind === 'positional') throw new BenchError(`"${token.value}" belongs to no option. Usage: ${USAGE}`);
    if (token.kind !== 'option') continue;
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
    if (option === undefined) throw new BenchError(`There is no option ${token.rawName}. Usage: ${USAGE}`);
    const given = token.value !== undefined;
    if (option.type === 'string' && (!given || token.value.startsWith('--'))) {
      throw new BenchError(`${token.rawName} has no value. Usage: ${USAGE}`);
    }
    if (option.type === 'boolean' && given) throw new BenchError(`${token.rawName} takes no value. Usage: ${USAGE}`);
  }
  return { data: values.data, embedding: values.embedding, onePeer: values['one-peer'], json: values.json };
}

/**
 * @param {string} path
 * @returns {unknown} the parsed file
 * @throws {BenchError} when it cannot be read, or is no JSON
 */
export function readData(path) {
  let text;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const reason = error.code === 'ENOENT' ? 'there is no such file' : error.message;
    throw new BenchError(`${path} cannot be read: ${reason}. ${WHERE_TO_GET_DATA}`, { cause: error });
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new BenchError(`${path} is not JSON: ${error.message}. ${WHERE_TO_GET_DATA}`, { cause: error });
  }
}
