/** One property of a tool's input, as JSON Schema. */
export interface ToolInputProperty {
  readonly type: 'string' | 'integer' | 'number';
  readonly description: string;
  readonly enum?: readonly string[];
  readonly default?: string | number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
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
