import { DefaultRedactionPolicy, type DefaultRedactionPolicyOptions } from './default-redaction-policy.js';
import { misspeltKeyKind } from './misspelt-key.js';
import { misspeltKeywordValues } from './rules/misspelt-keyword-values.js';
import type { SecretKeyKind } from './secret-key.js';

/**
 * Masks what {@link DefaultRedactionPolicy} masks, and values after a secret's name that is misspelt: `passwrod=`,
 * `pasword:`, `tokne`, `비밀번허`. It looks at more of a text, and takes longer.
 */
export class StrictRedactionPolicy extends DefaultRedactionPolicy {
  override readonly name: string = 'strict';

  /**
   * @param options what it masks more and less than by itself; default: neither
   * @throws InvalidArgumentError when `remove` or `optIn` names what there is not
   */
  constructor(options: DefaultRedactionPolicyOptions = {}) {
    super({ ...options, add: [...misspeltKeywordValues, ...(options.add ?? [])] });
  }

  /** A misspelt key says what the key that was meant says. @internal */
  protected override kindOfKey(key: string): SecretKeyKind | undefined {
    const kind = super.kindOfKey(key);
    return kind === undefined || kind === 'key' || kind === 'named-key' ? (misspeltKeyKind(key) ?? kind) : kind;
  }
}
