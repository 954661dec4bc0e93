import { resolvePlaceholders } from './placeholders.js';
import type { GivenSetting, SettingSource } from './setting-source.js';

/** The same source with the placeholders in its texts resolved; what cannot be is among the faults, and not given. */
export function resolveSettings(
  source: SettingSource,
  environment: Readonly<Record<string, string | undefined>>,
): SettingSource {
  const given = new Map<string, GivenSetting>();
  const faults = [...source.faults];
  const resolved = (text: unknown, spelling: string): unknown => {
    if (typeof text !== 'string') return text;
    const result = resolvePlaceholders(text, environment);
    if ('text' in result) return result.text;
    faults.push(`${spelling} ${result.fault}`);
    return undefined;
  };
  for (const [key, setting] of source.given) {
    const { value, spelling } = setting;
    const known = faults.length;
    const text: unknown = Array.isArray(value)
      ? value.map((one: unknown) => resolved(one, spelling))
      : resolved(value, spelling);
    if (faults.length === known) given.set(key, { ...setting, value: text });
  }
  return { given, faults };
}
