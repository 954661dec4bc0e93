import { distance } from 'fastest-levenshtein';

import { settingOf } from './setting-definitions.js';
import type { SettingOrigin } from './setting-definition.js';
import { isKnownKey, knownKeys } from './setting-names.js';
import { nearest } from './suggestion.js';
import { shownSetting } from './shown-setting.js';

/** A value as a source gave it, with the name that it has there. */
export interface GivenSetting {
  readonly key: string;
  readonly value: unknown;
  /** The key in the spelling of its source, for messages; with the place, where there may be several. */
  readonly spelling: string;
  readonly origin: SettingOrigin;
}

/** What a source holds. */
export interface SettingSource {
  readonly given: ReadonlyMap<string, GivenSetting>;
  /** What is wrong with the source itself: unknown keys, one key with two values, a group that is none. */
  readonly faults: readonly string[];
}

/** Collects what one source holds. */
export class SettingCollector implements SettingSource {
  readonly given = new Map<string, GivenSetting>();
  readonly faults: string[] = [];
  readonly #origin: SettingOrigin;
  readonly #place: string;

  /** @param place where the source is, such as the name of a file, to tell it from others in a message */
  constructor(origin: SettingOrigin, place?: string) {
    this.#origin = origin;
    this.#place = place === undefined ? '' : ` (${place})`;
  }

  /** Takes a value of a known key. A second spelling of the same key may only repeat its value. */
  give(key: string, value: unknown, name: string): void {
    const spelling = this.spelled(name);
    const { onlyFrom } = settingOf(key) ?? {};
    if (onlyFrom !== undefined && !onlyFrom.includes(this.#origin)) {
      this.faults.push(
        `${spelling} is set to ${shownSetting(key, value)}, but it is read from options in code and from the environment only; set it there, or remove it.`,
      );
      return;
    }
    const earlier = this.given.get(key);
    if (earlier !== undefined && !same(earlier.value, value)) {
      this.faults.push(
        `${earlier.spelling} and ${spelling} are one setting with two values, ${shownSetting(key, earlier.value)} and ${shownSetting(key, value)}; leave one out.`,
      );
      return;
    }
    this.given.set(key, { key, value, spelling, origin: this.#origin });
  }

  /** Takes note of a name that is no setting. @param nearestOf how this source would spell a key */
  refuseUnknown(name: string, nearestOf: (key: string) => string): void {
    const suggestion = nearest(name, knownKeys().map(nearestOf));
    this.faults.push(
      `${this.spelled(name)} is no setting of the memory; ${suggestion === undefined ? 'remove it' : `did you mean ${suggestion}? Otherwise remove it`}.`,
    );
  }

  refuse(name: string, why: string): void {
    this.faults.push(`${this.spelled(name)} ${why}`);
  }

  spelled(name: string): string {
    return name + this.#place;
  }
}

/** A text in the environment or a file and the value that it stands for are the same. */
function same(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return one.join() === other.join();
  return one === other;
}

/**
 * Whether a name is one of ours but for a slip in the prefix, such as `AIMON_MEMROY_BACKEND`: the prefix is nearly ours,
 * and what follows is a setting.
 */
export function hasNearlyOurPrefix(prefix: string, ours: string, key: string | undefined): boolean {
  return prefix !== ours && key !== undefined && isKnownKey(key) && distance(prefix, ours) <= 2;
}
