/** One property of a tool's input, as JSON Schema. */
export interface ToolInputProperty {
  /** What it takes: text, a whole number, or any number. */
  readonly type: 'string' | 'integer' | 'number';
  /** For the model: what it means, and its default. */
  readonly description: string;
  /** The texts that are accepted; absent: any that is not blank. */
  readonly enum?: readonly string[];
  /** What stands in its place where it is left out or `null`; absent: nothing does. */
  readonly default?: string | number;
  /** The fewest characters of a text; absent: one. A blank text is refused in any case. */
  readonly minLength?: number;
  /** The most characters of a text, in UTF-16 units; absent: any number. A longer one is refused. */
  readonly maxLength?: number;
  /** The least number that is accepted; absent: any. */
  readonly minimum?: number;
  /** The greatest number; absent: any. Above it a `number` is refused, and an `integer` is taken for the greatest. */
  readonly maximum?: number;
}

/** A tool's input, as JSON Schema: a flat object without further properties. */
export interface ToolInputSchema {
  /** Always an object. */
  readonly type: 'object';
  /** The parameters, by name. */
  readonly properties: Readonly<Record<string, ToolInputProperty>>;
  /** Those that must be given. */
  readonly required: readonly string[];
  /** Always false: a parameter that is not listed is refused. */
  readonly additionalProperties: false;
}

/** A schema, frozen to the last property: adapters share it, and none may change another's. */
export function toolInputSchema(
  properties: Readonly<Record<string, ToolInputProperty>>,
  required: readonly string[],
): ToolInputSchema {
  const frozen = Object.entries(properties).map(([name, property]) => {
    const accepted = property.enum === undefined ? {} : { enum: Object.freeze([...property.enum]) };
    return [name, Object.freeze({ ...property, ...accepted })] as const;
  });
  return Object.freeze({
    type: 'object',
    properties: Object.freeze(Object.fromEntries(frozen)),
    required: Object.freeze([...required]),
    additionalProperties: false,
  });
}
