import { shown } from '../../domain/checks.js';
import { settingOf } from './setting-definitions.js';

/** The value of a setting for a message: a secret is not shown, nor what an address may hold of one. */
export function shownSetting(key: string, value: unknown): string {
  const { secret, url } = settingOf(key) ?? {};
  if (secret === true) return `a ${typeof value === 'string' ? 'value' : typeof value} that is not shown`;
  if (url === true && typeof value === 'string') return shown(withoutCredentials(value));
  if (Array.isArray(value)) return JSON.stringify(value.map((one: unknown) => (typeof one === 'string' ? one : '?')));
  return shown(value);
}

/** An address up to its query, with `…` for all that may be a user name and password, however the address is broken. */
function withoutCredentials(address: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z\d+.-]*:\/*)?(.*)$/is.exec(address) ?? [];
  const [, credentials, host = ''] = /^(.*(?:@|%40))?(.*)$/is.exec(rest.replace(/[?#].*$/s, '?…')) ?? [];
  return `${scheme}${credentials === undefined ? '' : '…@'}${host}`;
}
