import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Degradation,
  DegradationKey,
  Degradations,
  IngestOutcomes,
  MEMORY_CAPABILITIES,
  MemoryHealth,
} from '@aimon/nestjs-memory';
import { assemblyDegradations } from '../../../lib/assembly/assembly-degradations.js';
import { SETTING_DEFINITIONS } from '../../../lib/nest/settings/setting-definitions.js';
import { codeBlocks, namedSources, promisedOutput, tableRows } from '../../readme/readme-blocks.js';
import { ReadmeProject } from '../../readme/readme-project.js';

const ROOT = join(import.meta.dirname, '../../..');
const text = readFileSync(join(ROOT, 'docs/health.md'), 'utf8');
const blocks = codeBlocks(text);

const code = (cell = ''): string => /^`([^`]+)`$/.exec(cell)?.[1] ?? cell;

describe('the page about health', () => {
  const rows = tableRows(text, 'key');

  it('explains every key of a degradation, and no other', () => {
    expect(rows.map(([key]) => code(key)).sort()).toEqual(Object.values(DegradationKey).sort());
    for (const row of rows) expect(row.map((cell) => cell.length > 0)).toEqual([true, true, true, true, true]);
  });

  it('says of each whether it is a choice or a fault', () => {
    // Of what an assembly raises, a redaction that is missing is the one fault; what comes later is one.
    const shape = { backendId: 'test', supplied: false, ingest: 'off', perCaller: true, masked: false } as const;
    const raised = [[], MEMORY_CAPABILITIES].flatMap((capabilities) =>
      assemblyDegradations({ ...shape, auditWindow: false, capabilities: new Set(capabilities) }),
    );
    const kinds = new Map<string, Degradation['kind']>(raised.map(({ key, kind }) => [key, kind]));
    expect(kinds.size).toBe(8);
    for (const [key, kind] of rows) expect([key, kind]).toEqual([key, kinds.get(code(key)) ?? 'fault']);
  });

  it('names every field of the detail, and no other', async () => {
    const health = new MemoryHealth({
      ...{ backendId: 'test', capabilities: new Set(MEMORY_CAPABILITIES), outcomes: new IngestOutcomes() },
      degradations: new Degradations(),
      queue: { stats: () => ({ pending: 0, inFlight: 0, deadLettered: 0 }) },
      ping: () => Promise.reject(new Error('no')),
    });
    const { detail } = await health.check();
    const fields = tableRows(text, 'field');
    expect(fields.map(([field]) => code(field)).sort()).toEqual(Object.keys(detail).sort());
    for (const name of ['queue', 'ingest'] as const) {
      const [, figures = ''] = fields.find(([field]) => code(field) === name) ?? [];
      const named = [...(figures.split(';')[0] ?? '').matchAll(/`(\w+)`/g)].map(([, figure]) => figure);
      expect(named).toEqual(Object.keys(detail[name] ?? {}));
    }
  });

  it('names the settings of health, all of them, and no setting that there is not', () => {
    const known = SETTING_DEFINITIONS.map(({ key }) => key);
    const named = tableRows(text, 'setting').map(([setting]) => code(setting).replace('aimon.memory.', ''));
    expect(named.sort()).toEqual(known.filter((key) => key.startsWith('health.')).sort());
    const mentioned = [...text.matchAll(/`((?:queue|maintenance|health)\.[a-z-]+)`/g)].map(([, key = '']) => key);
    for (const key of mentioned) {
      if (!/^queue\.(?:pending|inFlight|deadLettered)$/.test(key)) expect(known).toContain(key);
    }
  });
});

describe('the code on the page about health', () => {
  const sources = namedSources(blocks);
  const visit = `import 'reflect-metadata';

import { NestFactory } from '@nestjs/core';

import { AppModule } from './app.module.js';
import { TwoMemoriesModule } from './two-memories.module.js';

for (const [module, ...paths] of [[AppModule, 'health', 'health/live', 'health/ready'], [TwoMemoriesModule, 'health']] as const) {
  const application = await NestFactory.create(module, { logger: false });
  await application.listen(0, '127.0.0.1');
  const address = await application.getUrl();
  for (const path of paths) {
    const response = await fetch(\`\${address}/\${path}\`);
    console.log(JSON.stringify({ path, http: response.status, body: await response.json() }));
  }
  await application.close();
}
`;
  let project: ReadmeProject;
  beforeAll(() => {
    if (!existsSync(join(ROOT, 'dist/nest/health/index.d.ts'))) {
      throw new Error('The library is not built: npm run build');
    }
    project = new ReadmeProject({ ...sources, 'visit.ts': visit });
  });

  it('compiles, strictly, against the library as it is published', () => {
    expect(project.compile()).toEqual([]);
  });

  it('prints what stands beside it', async () => {
    const promised = promisedOutput(sources['check-health.ts'] ?? '');
    expect(promised).toHaveLength(1);
    expect((await project.run('check-health.ts')).trimEnd().split('\n')).toEqual(promised);
  });

  it('serves the endpoints, with the answer that is shown', async () => {
    const printed = (await project.run('visit.ts')).trimEnd().split('\n');
    const answers = printed.map((line) => JSON.parse(line) as { path: string; http: number; body: Answer });
    expect(answers.map(({ path, http, body }) => [path, http, Object.keys(body.details)])).toEqual([
      ['health', 200, ['memory']],
      ['health/live', 200, []],
      ['health/ready', 200, []],
      ['health', 200, ['memory', 'memory-audit']],
    ]);
    const shown = JSON.parse(blocks.find(({ language }) => language === 'json')?.text ?? '') as Answer;
    const { status, details } = answers[0]?.body ?? { status: '', details: {} };
    expect(status).toBe(shown.status);
    const { degradations, ...rest } = details.memory ?? {};
    const { degradations: shownDegradations, ...shownRest } = shown.details.memory ?? {};
    expect(rest).toEqual(shownRest);
    const keys = (list: unknown): unknown[] => (list as { readonly key: string }[]).map(({ key }) => key);
    expect(keys(degradations)).toEqual(keys(shownDegradations));
  });
});

interface Answer {
  readonly status: string;
  readonly details: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
