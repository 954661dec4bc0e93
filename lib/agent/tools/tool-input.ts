import { shown } from '../../domain/checks.js';
import type { ToolInputProperty, ToolInputSchema } from './tool-input-schema.js';

/** Something is wrong with what the model sent; the message tells it what to send instead. */
export class ToolInputError extends Error {}

/** An input that was checked against its schema, with the defaults filled in. */
export interface ToolInput {
  /** The property's text; of a property that the schema requires or gives a default. */
  text(name: string): string;
  /** The property's number; of a property that the schema requires or gives a default. */
  number(name: string): number;
}

/**
 * Checks what a model sent against the tool's schema. Own properties only; `undefined` counts as absent, and so does
 * `null` in an optional one, since strict function calling sends every property. A number above an integer's `maximum` is let through: the tool
 * cuts it and says so.
 *
 * @throws ToolInputError naming the property, what was given and what is accepted
 */
export function readToolInput(tool: string, schema: ToolInputSchema, input: unknown): ToolInput {
  const values = new Map<string, string | number>();
  for (const [name, value] of Object.entries(requireObject(tool, schema, input))) {
    if (value === undefined) continue;
    if (!Object.hasOwn(schema.properties, name)) {
      throw new ToolInputError(`${tool} has no input ${shown(name)}. ${acceptedBy(tool, schema)}`);
    }
    if (value === null && !schema.required.includes(name)) continue;
    values.set(name, checked(`${tool} input "${name}"`, schema.properties[name] as ToolInputProperty, value));
  }
  for (const name of schema.required) {
    if (!values.has(name)) throw new ToolInputError(`${tool} needs the input "${name}". ${acceptedBy(tool, schema)}`);
  }
  const read = (name: string): string | number | undefined => values.get(name) ?? schema.properties[name]?.default;
  return { text: (name) => String(read(name)), number: (name) => Number(read(name)) };
}

function requireObject(tool: string, schema: ToolInputSchema, input: unknown): object {
  if (typeof input === 'string') {
    throw new ToolInputError(
      `${tool} was given text; it takes an object, not JSON as text: parse it first. ${acceptedBy(tool, schema)}`,
    );
  }
  if (input === null || typeof input !== 'object' || Array.isArray(input)) {
    throw new ToolInputError(`${tool} was given ${shown(input)}; it takes an object. ${acceptedBy(tool, schema)}`);
  }
  return input;
}

function checked(field: string, property: ToolInputProperty, value: unknown): string | number {
  if (property.type === 'string') return checkedText(field, property, value);
  const { minimum, maximum, type } = property;
  const range = maximum === undefined ? `of at least ${minimum}` : `from ${minimum} to ${maximum}`;
  const accepted = `it takes a ${type === 'integer' ? 'whole number' : 'number'} ${range}`;
  if (typeof value !== 'number' || !Number.isFinite(value) || value < (minimum ?? -Infinity)) {
    throw new ToolInputError(`${field} is ${shown(value)}; ${accepted}.`);
  }
  if (type === 'integer' ? !Number.isInteger(value) : value > (maximum ?? Infinity)) {
    throw new ToolInputError(`${field} is ${shown(value)}; ${accepted}.`);
  }
  return type === 'integer' ? Math.min(value, Number.MAX_SAFE_INTEGER) : value;
}

function checkedText(field: string, property: ToolInputProperty, value: unknown): string {
  if (typeof value !== 'string') throw new ToolInputError(`${field} is ${shown(value)}; it takes text.`);
  if (property.enum !== undefined) {
    if (property.enum.includes(value)) return value;
    throw new ToolInputError(`${field} is ${shown(value)}; it takes one of ${property.enum.join(', ')}.`);
  }
  if (value.trim() === '') {
    throw new ToolInputError(`${field} is ${value === '' ? 'empty' : 'blank'}; it takes text that says something.`);
  }
  if (property.maxLength !== undefined && value.length > property.maxLength) {
    throw new ToolInputError(
      `${field} is ${value.length} characters long; it takes at most ${property.maxLength}. Shorten it.`,
    );
  }
  return value;
}

function acceptedBy(tool: string, schema: ToolInputSchema): string {
  const names = Object.keys(schema.properties).map((name) =>
    schema.required.includes(name) ? `"${name}" (required)` : `"${name}"`,
  );
  return `${tool} takes ${names.join(', ')}.`;
}
