import { LlmAnswerError } from '../../domain/errors.js';
import { isObject } from '../llm/json-value.js';
import type { ServerLabel } from '../llm/server-label.js';

/**
 * The vectors of an embeddings response, in the order of the `count` texts that were sent.
 * @throws LlmAnswerError when one is missing, is there twice, is empty or all zeros, or holds what is no finite number
 */
export function embeddingVectors(body: unknown, count: number, label: ServerLabel): readonly Float32Array[] {
  const data: unknown = isObject(body) ? body.data : undefined;
  if (!Array.isArray(data)) throw unusable(label, 'with JSON that is no list of embeddings');
  if (data.length !== count) throw unusable(label, `${count} texts with ${data.length} embeddings`);
  const vectors = new Array<Float32Array | undefined>(count).fill(undefined);
  for (const [position, item] of (data as readonly unknown[]).entries()) {
    if (!isObject(item)) throw unusable(label, 'with JSON that is no list of embeddings');
    // Some servers leave the index out; then the order is all there is.
    const index = item.index ?? position;
    if (typeof index !== 'number' || !(index in vectors) || vectors[index] !== undefined) {
      throw unusable(label, `with embeddings whose indexes are not 0 to ${count - 1}, each once`);
    }
    vectors[index] = vectorOf(item.embedding, label);
  }
  return vectors as readonly Float32Array[];
}

function vectorOf(embedding: unknown, label: ServerLabel): Float32Array {
  if (!Array.isArray(embedding)) throw unusable(label, 'with an embedding that is no list of numbers');
  if (embedding.length === 0) throw unusable(label, 'with an empty embedding');
  const vector = new Float32Array(embedding.length);
  let nothing = true;
  for (const [position, value] of (embedding as readonly unknown[]).entries()) {
    vector[position] = typeof value === 'number' ? value : NaN;
    if (!Number.isFinite(vector[position]))
      throw unusable(label, 'with an embedding that holds what is no finite number');
    if (vector[position] !== 0) nothing = false;
  }
  // It lies in no direction, so nothing can be near to it.
  if (nothing) throw unusable(label, 'with an embedding of zeros alone');
  return vector;
}

const unusable = (label: ServerLabel, what: string): LlmAnswerError =>
  new LlmAnswerError(`${label.name} answered ${what}.`);
