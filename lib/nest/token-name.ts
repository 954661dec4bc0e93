import type { InjectionToken } from '@nestjs/common';

import { MODULE_OPTIONS_TOKEN } from './memory-core-module-definition.js';

/** A token as people write it. */
export function tokenName(token: InjectionToken): string {
  if (token === MODULE_OPTIONS_TOKEN) return 'the options';
  if (typeof token === 'function') return token.name;
  const name = typeof token === 'symbol' ? (token.description ?? 'a symbol') : String(token);
  return name.replace(/^@aimon\/nestjs-memory:/, '');
}
