/** Finds what must not be kept and masks it. Synchronous, deterministic and idempotent. */
export interface RedactionPolicy {
  /** What the policy is called in errors, such as `default`. */
  readonly name: string;

  /** Masks `content`, which the gate keeps to 64 KiB at most. Masking the result again changes nothing. */
  redact(content: string): RedactionResult;
}

/** A text after masking, and where something was masked. */
export interface RedactionResult {
  /** The text with markers in the place of what was masked. */
  readonly redactedContent: string;
  /** What was masked, in the order of the text; they do not overlap. */
  readonly matches: readonly RedactionMatch[];
  /** Whether anything was masked. */
  readonly modified: boolean;
}

/** Where something was masked; never what. */
export interface RedactionMatch {
  /** What was masked: upper snake, such as `EMAIL`. */
  readonly category: string;
  /** Where it begins in the **original** text, in UTF-16 units. */
  readonly start: number;
  /** Where it ends in the **original** text, in UTF-16 units, exclusive. */
  readonly end: number;
  /** What stands there now, such as `[REDACTED:EMAIL]`. */
  readonly replacement: string;
}
