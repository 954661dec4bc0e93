import type Joi from 'joi';

/** A setting: its key below `aimon.memory`, what it takes, and what it is for. */
export interface SettingDefinition {
  readonly key: string;
  /** What its value must be, made with Joi once a setting is read. */
  readonly schema: (joi: Joi.Root) => Joi.Schema;
  /** In words, for a person who must correct it. */
  readonly accepts: string;
  /** What it does, and when it is refused, for the documentation. */
  readonly about: string;
  /** The values of a selector, for a suggestion. */
  readonly values?: readonly string[];
  /** Known, and without an implementation in this version. */
  readonly later?: boolean;
  /** Values that are known, and have no implementation in this version. */
  readonly laterValues?: readonly string[];
  readonly fallback?: unknown;
  /** The default as it would be written; absent where there is none, or it depends. */
  readonly shownFallback?: string;
  /** Whether white space around the value belongs to it. */
  readonly verbatim?: boolean;
  /** Whether its value is shown in no message. */
  readonly secret?: boolean;
  /** Whether it may name a server, so that a user name and password in it are shown in no message. */
  readonly url?: boolean;
  /** Whether what was given is read as it was written once more, and so handed on unread: a duration, a size. */
  readonly handedOnAsText?: boolean;
  /** The answer to a value that is a known mistake; `undefined` for any other. */
  readonly adviceFor?: (value: unknown) => string | undefined;
  /** Which sources it is read from, where it is not all of them. */
  readonly onlyFrom?: readonly SettingOrigin[];
}

/** Where a setting can come from, strongest first. */
export const SETTING_ORIGINS = ['options', 'environment', 'ConfigService', 'file'] as const;
export type SettingOrigin = (typeof SETTING_ORIGINS)[number];
