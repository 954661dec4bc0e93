import type { SettingDefinition } from './setting-definition.js';
import { SETTING_DEFINITIONS } from './setting-definitions.js';
import { environmentName, KEY_PREFIX, optionName } from './setting-names.js';

const INTRODUCTION = `# Settings

Every setting is a key below \`aimon.memory\`. This page is written by \`npm run docs:settings\` from the table that the
settings are checked against.

## Where they come from

| strongest first | how a key is spelt there | \`queue.worker-count\` |
| --- | --- | --- |
| options in code, \`MemoryModule.forRoot({ … })\` | camelCase, nested where the key has a dot | \`{ queue: { workerCount: 2 } }\` |
| the environment | upper snake | \`AIMON_MEMORY_QUEUE_WORKER_COUNT=2\` |
| \`ConfigService\` of \`@nestjs/config\`, its namespace \`aimon.memory\` | kebab-case or camelCase, nested or in one name | \`aimon: { memory: { queue: { worker-count: 2 } } }\` |
| the file that \`settings-file\` names, \`.properties\`, \`.yaml\`, \`.yml\` or \`.json\` | the same | \`aimon.memory.queue.worker-count = 2\` |

They are merged key by key: a stronger source replaces the single value and nothing beside it. All spellings of a key are
one key; two values for it in one source are refused.

- A \`.env\` file that \`ConfigModule\` loads is part of the environment. \`ConfigModule\` need not be global.
- In a file, \`\${NAME}\` stands for a variable of the environment, and \`\${NAME:-default}\` for the
  default where it is unset or empty. An unset one without a default is refused. A plain \`\${\` is written \`$\${\`. Put a
  value with a placeholder in quotes in YAML. \`ConfigService\` hands on what your own code made, and is taken as it is; to
  have placeholders there, load the file with \`registerAs('aimon.memory', () => loadMemorySettings('memory.yaml'))\`.
- Where several configurations that \`ConfigModule\` loads hold settings, they are merged key by key too, and the one that
  is loaded last wins.
- What a file or \`ConfigService\` holds beside \`aimon.memory\` is left alone, as far as the file can be read at all, and so
  are the variables that Kubernetes
  announces for a Service called \`aimon-memory\` (\`AIMON_MEMORY_SERVICE_HOST\`, \`AIMON_MEMORY_PORT_8080_TCP\`, …).
- A named memory, \`forRoot({ name: 'ops', … })\`, reads its own options, and the file that they name, and nothing else.
- \`loadMemorySettings(path)\` and \`memorySettingsFrom(process.env)\` read a file or an environment as options in code.
  \`memoryConfig\` in \`@aimon/nestjs-memory/config\` is the environment as a namespace for \`ConfigModule\`;
  \`MemoryConfiguration\` in \`@aimon/nestjs-memory/class-validator\` are the options as a class, for class-validator.

## What is refused

The application does not start when a setting is unknown or misspelt, has a value that is not taken, lacks another that it
needs, contradicts one, or would not be read. All faults come in one error, each a sentence with the key as its source
spells it, the value, the reason and what to do:

\`\`\`text
AIMON_MEMORY_BACKNED is no setting of the memory; did you mean AIMON_MEMORY_BACKEND? Otherwise remove it.
\`\`\`

Values of \`llm.api-key\`, \`embedding.api-key\` and \`remote.token\` stand in no message and in no log.

The exception is \`backend = none\`, said in so many words: it switches memory off, and what else is set is checked only
one by one.

## All settings

Durations are \`300ms\`, \`10s\`, \`5m\`, \`6h\`, \`30d\`; booleans \`true\`, \`false\`, \`1\`, \`0\`; lists an array, or names with commas
in between. A key or value marked **later** is known and checked, and refused as not available in this version.
`;

/** \`docs/settings.md\`: every setting, its spellings, values, default and rule. */
export function settingsDocument(): string {
  const blocks = SETTING_DEFINITIONS.map((definition) => {
    const { key, about } = definition;
    const default_ = definition.shownFallback === undefined ? '–' : `\`${definition.shownFallback}\``;
    return [
      `### \`${key}\`${definition.later === true ? ' (later)' : ''}`,
      '',
      about,
      '',
      `- takes ${taken(definition)}`,
      `- default ${default_}`,
      `- in code \`${optionName(key)}\`, in the environment \`${environmentName(key)}\``,
      ...(definition.onlyFrom === undefined ? [] : [`- read from ${definition.onlyFrom.join(' and ')} only`]),
      '',
    ].join('\n');
  });
  return `${INTRODUCTION}\n${overview()}\n${blocks.join('\n')}`;
}

function overview(): string {
  const rows = SETTING_DEFINITIONS.map(
    ({ key, later, shownFallback }) =>
      `| [\`${key}\`](#${anchor(key, later)}) | ${shownFallback === undefined ? '–' : `\`${shownFallback}\``} | ${later === true ? 'later' : ''} |`,
  );
  return [`| \`${KEY_PREFIX}.\` | default | |`, '| --- | --- | --- |', ...rows, ''].join('\n');
}

/** As a heading is linked to: punctuation is dropped, blanks become hyphens. */
const anchor = (key: string, later = false): string => key.replaceAll('.', '') + (later ? '-later' : '');

function taken({ accepts, values, laterValues = [] }: SettingDefinition): string {
  if (values === undefined) return accepts;
  return values.map((value) => `\`${value}\`${laterValues.includes(value) ? ' (later)' : ''}`).join(', ');
}
