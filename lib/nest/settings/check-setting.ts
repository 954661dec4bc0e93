import type { GivenSetting } from './given-setting.js';
import { joi } from './packages-on-demand.js';
import { resolvePlaceholders } from './placeholders.js';
import type { SettingDefinition } from './setting-definition.js';
import { shownSetting } from './shown-setting.js';
import { nearest } from './suggestion.js';

/** What a setting's value is read as, or why it cannot be; a value that has no implementation yet is both. */
export interface CheckedSetting {
  readonly value?: unknown;
  readonly fault?: string;
  /** What was given, with the placeholders in it resolved. */
  readonly given?: unknown;
}

/** Checks one setting by itself. */
export function checkSetting(definition: SettingDefinition, setting: GivenSetting): CheckedSetting {
  const { spelling } = setting;
  const resolved = withoutPlaceholders(definition, setting);
  if ('fault' in resolved) return { fault: `${spelling} ${resolved.fault}` };
  const { given } = resolved;
  const { key, schema, later, laterValues = [], verbatim } = definition;
  const candidate = typeof given === 'string' && verbatim !== true ? given.trim() : given;
  const { value, error } = schema(joi()).required().validate(candidate) as { value: unknown; error?: Error };
  if (error !== undefined) return { fault: wrongValue(definition, { ...setting, value: given }, candidate) };
  if (later === true) {
    const fault = `${spelling} is set to ${shownSetting(key, given)}, but it is not available in this version; remove it.`;
    return { given, value, fault };
  }
  if (laterValues.includes(value as string)) {
    const fault = `${spelling} is ${shownSetting(key, given)}, which is not available in this version; it takes one of ${now(definition).join(', ')}.`;
    return { given, value, fault };
  }
  return { given, value };
}

function withoutPlaceholders(
  { secret }: SettingDefinition,
  { value, placeholders }: GivenSetting,
): { readonly given: unknown } | { readonly fault: string } {
  if (placeholders === undefined) return { given: value };
  const given: unknown[] = [];
  for (const one of Array.isArray(value) ? (value as readonly unknown[]) : [value]) {
    const resolved = typeof one === 'string' ? resolvePlaceholders(one, placeholders, { secret }) : { text: one };
    if ('fault' in resolved) return resolved;
    given.push(resolved.text);
  }
  return { given: Array.isArray(value) ? given : given[0] };
}

function wrongValue(
  definition: SettingDefinition,
  { value, spelling, origin }: GivenSetting,
  candidate: unknown,
): string {
  const shown = shownSetting(definition.key, value);
  const advice = definition.adviceFor?.(candidate);
  if (advice !== undefined) return ended(`${spelling} is ${shown}, ${advice}`);
  // YAML and JSON know numbers and more, and take `0042` for one.
  const unquoted =
    (origin === 'file' || origin === 'ConfigService') && takesText(definition) && typeof value !== 'string';
  const hint = unquoted ? ' Put it in quotes.' : suggestion(definition, value);
  return `${spelling} is ${shown}; it takes ${taken(definition)}.${hint}`;
}

const takesText = ({ schema }: SettingDefinition): boolean => schema(joi()).type === 'string';

function suggestion(definition: SettingDefinition, value: unknown): string {
  if (typeof value !== 'string') return '';
  const found = nearest(value, now(definition)) ?? nearest(value, definition.laterValues ?? []);
  if (found === undefined) return '';
  return ` Did you mean ${found}?${now(definition).includes(found) ? '' : ' It is not available in this version.'}`;
}

/** What it takes in this version; of a selector also what a later one will. */
function taken(definition: SettingDefinition): string {
  const { accepts, laterValues = [] } = definition;
  if (laterValues.length === 0) return accepts;
  return `one of ${now(definition).join(', ')} (not in this version: ${laterValues.join(', ')})`;
}

/** The values of a selector that this version has. */
const now = ({ values = [], laterValues = [] }: SettingDefinition): readonly string[] =>
  values.filter((one) => !laterValues.includes(one));

const ended = (sentence: string): string => (/[.?]$/.test(sentence) ? sentence : `${sentence}.`);
