import type { SettingOrigin } from './setting-definition.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A value as a source gave it, with the name that it has there. */
export interface GivenSetting {
  readonly key: string;
  readonly value: unknown;
  /** The key in the spelling of its source, for messages; with the place, where there may be several. */
  readonly spelling: string;
  readonly origin: SettingOrigin;
  /** What the placeholders in it stand for; absent where it has none, whatever it looks like. */
  readonly placeholders?: Environment;
}
