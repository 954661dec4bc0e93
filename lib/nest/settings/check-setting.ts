import type { GivenSetting } from './setting-source.js';
import type { SettingDefinition } from './setting-definition.js';
import { shownSetting } from './shown-setting.js';
import { nearest } from './suggestion.js';

/** What a setting's value is read as, or why it cannot be; a value that has no implementation yet is both. */
export interface CheckedSetting {
  readonly value?: unknown;
  readonly fault?: string;
}

/** Checks one setting by itself. */
export function checkSetting(definition: SettingDefinition, { value, spelling }: GivenSetting): CheckedSetting {
  const { key, schema, accepts, values, later, laterValues, verbatim } = definition;
  const candidate = typeof value === 'string' && verbatim !== true ? value.trim() : value;
  const { value: checked, error } = schema.required().validate(candidate) as { value: unknown; error?: Error };
  const given = shownSetting(key, value);
  if (error !== undefined) {
    const advice = definition.adviceFor?.(candidate);
    if (advice !== undefined) return { fault: ended(`${spelling} is ${given}, ${advice}`) };
    const suggestion = typeof value === 'string' && values !== undefined ? nearest(value, values) : undefined;
    const quotes = typeof value === 'number' && definition.verbatim === true ? ' In a file, put it in quotes.' : '';
    return {
      fault: `${spelling} is ${given}; it takes ${accepts}.${suggestion === undefined ? '' : ` Did you mean ${suggestion}?`}${quotes}`,
    };
  }
  if (later === true) {
    return {
      value: checked,
      fault: `${spelling} is set to ${given}, but it is not available in this version; remove it.`,
    };
  }
  if (laterValues?.includes(checked as string) === true) {
    const now = values?.filter((one) => !laterValues.includes(one)) ?? [];
    return {
      value: checked,
      fault: `${spelling} is ${given}, which is not available in this version; it takes one of ${now.join(', ')}.`,
    };
  }
  return { value: checked };
}

const ended = (sentence: string): string => (/[.?]$/.test(sentence) ? sentence : `${sentence}.`);
