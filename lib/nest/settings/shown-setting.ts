import { shown } from '../../domain/checks.js';
import { settingOf } from './setting-definitions.js';

/** The value of a setting for a message: a secret is not shown, nor the credentials in an address. */
export function shownSetting(key: string, value: unknown): string {
  const { secret, url } = settingOf(key) ?? {};
  if (secret === true) return 'a value that is not shown';
  if (url === true && typeof value === 'string') return shown(value.replace(/^([^/]*\/\/)?[^/]*@/, '$1…@'));
  if (Array.isArray(value)) return JSON.stringify(value.map((one: unknown) => (typeof one === 'string' ? one : '?')));
  return shown(value);
}
