import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { codeBlocks, namedSources } from '../readme/readme-blocks.js';
import { ReadmeProject } from '../readme/readme-project.js';

const ROOT = join(import.meta.dirname, '../..');
const sources = namedSources(codeBlocks(readFileSync(join(ROOT, 'docs/testing.md'), 'utf8')));
const tests = Object.keys(sources).filter((name) => name.endsWith('.test.ts'));

describe('the code in docs/testing.md', () => {
  let project: ReadmeProject;
  beforeAll(() => {
    if (!existsSync(join(ROOT, 'dist/testing/index.d.ts'))) throw new Error('The library is not built: npm run build');
    project = new ReadmeProject(sources);
  });

  it('compiles, strictly, against the library as it is published', () => {
    expect(project.compile()).toEqual([]);
  }, 60_000);

  it('has a test for each thing that it tells', () => {
    expect(tests).toEqual([
      'assistant.test.ts',
      'app.test.ts',
      'settled.test.ts',
      'clock.test.ts',
      'chat.test.ts',
      'outage.test.ts',
    ]);
  });

  it.each(tests)(
    '%s passes',
    async (name) => {
      const printed = await project.run(name);
      expect(printed).toMatch(/^# pass 1$|^ℹ pass 1$/m);
      expect(printed).toMatch(/^# fail 0$|^ℹ fail 0$/m);
    },
    30_000,
  );
});
