import type { RedactionPolicy, RedactionResult } from './redaction-policy.js';

/**
 * A policy that can judge a value together with the name it stands under, as in JSON or an observation's metadata. One
 * that cannot is shown `"key": "value"` as text instead.
 */
export interface KeyedRedactionPolicy extends RedactionPolicy {
  /** Masks `value`, which stands under `key`; matches index `value`. The gate keeps both together to 64 KiB at most. */
  redactValue(key: string, value: string): RedactionResult;
}

/** Whether `policy` judges values together with their keys by itself. */
export function isKeyedPolicy(policy: RedactionPolicy): policy is KeyedRedactionPolicy {
  return typeof (policy as Partial<KeyedRedactionPolicy>).redactValue === 'function';
}
