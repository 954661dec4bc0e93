import { ValidateBy, ValidateIf, type ValidationOptions } from 'class-validator';

import { InvalidArgumentError } from '../../domain/errors.js';
import { checkSetting } from '../settings/check-setting.js';
import { settingOf } from '../settings/setting-definitions.js';
import { optionName } from '../settings/setting-names.js';

/**
 * Checks a property as the setting of this key is checked when the application starts, with the same message; `undefined`
 * is as good as not given.
 *
 * @param key the key below `aimon.memory`, such as `queue.worker-count`
 * @throws InvalidArgumentError when there is no such setting
 */
export function IsMemorySetting(key: string, options?: ValidationOptions): PropertyDecorator {
  const definition = settingOf(key);
  if (definition === undefined) {
    throw new InvalidArgumentError(`IsMemorySetting was given "${key}", which is no setting of the memory.`);
  }
  const fault = (value: unknown): string | undefined =>
    checkSetting(definition, { key, value, spelling: optionName(key), origin: 'options' }).fault;
  const optional = ValidateIf((_, value) => value !== undefined, options);
  const valid = ValidateBy(
    {
      name: 'isMemorySetting',
      constraints: [key],
      validator: {
        validate: (value: unknown) => fault(value) === undefined,
        defaultMessage: (given) => fault(given?.value) ?? '',
      },
    },
    options,
  );
  return (target, property) => {
    optional(target, property);
    valid(target, property);
  };
}
