import { checkSetting } from './check-setting.js';
import type { GivenSetting } from './given-setting.js';
import { levenshtein } from './packages-on-demand.js';
import { settingOf } from './setting-definitions.js';
import type { SettingOrigin } from './setting-definition.js';
import { isKnownKey } from './setting-names.js';
import { shownSetting } from './shown-setting.js';
import { nearestSetting } from './nearest-setting.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What a source holds. */
export interface SettingSource {
  readonly given: ReadonlyMap<string, GivenSetting>;
  /** Given where it is not read from. */
  readonly misplaced: readonly GivenSetting[];
  /** What is wrong with the source itself: unknown keys, one key with two values, a group that is none. */
  readonly faults: readonly string[];
}

/** Collects what one source holds. */
export class SettingCollector implements SettingSource {
  readonly given = new Map<string, GivenSetting>();
  readonly misplaced: GivenSetting[] = [];
  readonly faults: string[] = [];
  readonly #origin: SettingOrigin;
  readonly #place: string;
  readonly #placeholders: Environment | undefined;

  /** @param place where the source is, such as the name of a file, to tell it from others in a message */
  constructor(origin: SettingOrigin, place?: string, placeholders?: Environment) {
    this.#origin = origin;
    this.#place = place === undefined ? '' : ` (${place})`;
    this.#placeholders = placeholders;
  }

  /** Takes a value of a known key. A second spelling of the same key may only repeat its value. */
  give(key: string, value: unknown, name: string): void {
    const placeholders = this.#placeholders === undefined ? {} : { placeholders: this.#placeholders };
    const setting = { key, value, spelling: this.#spelled(name), origin: this.#origin, ...placeholders };
    if (settingOf(key)?.onlyFrom?.includes(this.#origin) === false) {
      this.misplaced.push(setting);
      return;
    }
    const earlier = this.given.get(key);
    if (earlier === undefined) this.given.set(key, setting);
    else if (!sayTheSame(earlier, setting)) {
      this.faults.push(
        `${earlier.spelling} and ${setting.spelling} are one setting with two values, ${shownSetting(key, earlier.value)} and ${shownSetting(key, value)}; leave one out.`,
      );
    }
  }

  /** Takes note of a name that is no setting. @param spelled how this source would spell a key */
  refuseUnknown(name: string, spelled: (key: string) => string): void {
    const { key, near } = nearestSetting(name);
    const advice = near
      ? `did you mean ${spelled(key)}? Otherwise remove it`
      : `remove it. The nearest name is ${spelled(key)}`;
    // A value that ran into its name, as in YAML without a blank after the colon, is not shown.
    const [shownName = ''] = /^[\w.-]*/.exec(name) ?? [];
    const cut = shownName === name ? '' : '… (is there a blank missing?)';
    this.faults.push(`${this.#spelled(shownName + cut)} is no setting of the memory; ${advice}.`);
  }

  refuse(name: string, why: string): void {
    this.faults.push(`${this.#spelled(name)} ${why}`);
  }

  #spelled(name: string): string {
    return name + this.#place;
  }
}

/** Whether two settings are read as the same, such as `"5"` in the environment and `5`. */
export function sayTheSame(one: GivenSetting, other: GivenSetting): boolean {
  if (one.value === other.value) return true;
  const definition = settingOf(one.key);
  if (definition === undefined) return false;
  const [first, second] = [checkSetting(definition, one), checkSetting(definition, other)];
  return first.value !== undefined && JSON.stringify(first.value) === JSON.stringify(second.value);
}

/**
 * Whether a name is one of ours but for a slip in the prefix, such as `AIMON_MEMROY_BACKEND`: the prefix is nearly ours,
 * letters exchanged or one too many or too few, and what follows is a setting.
 */
export function hasNearlyOurPrefix(prefix: string, ours: string, key: string | undefined): boolean {
  return (
    prefix !== ours &&
    key !== undefined &&
    isKnownKey(key) &&
    levenshtein().distance(prefix, ours) <= 2 - Math.abs(prefix.length - ours.length)
  );
}
