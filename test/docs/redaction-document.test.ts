import { readFileSync } from 'node:fs';

import { defaultRules } from '../../lib/redaction/rules/default-rules.js';
import { codeBlocks, namedSources, promisedOutput } from '../readme/readme-blocks.js';
import { ReadmeProject } from '../readme/readme-project.js';

const text = readFileSync(new URL('../../docs/redaction.md', import.meta.url), 'utf8');
const sources = namedSources(codeBlocks(text));

describe('docs/redaction.md', () => {
  it('names every category, and those to opt into as such', () => {
    const masked = /## What is masked\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
    const [, optIn = ''] = /^Opt-in[^:]*: (.*)\.$/m.exec(masked) ?? [];
    const named = (part: string): string[] => [...part.matchAll(/`([A-Z_]{3,})`/g)].map(([, name = '']) => name);
    const categories = (wanted: boolean): string[] => [
      ...new Set(defaultRules.filter((rule) => (rule.optIn === true) === wanted).map(({ category }) => category)),
    ];
    const table = masked
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) => line.split('|')[1] ?? '');
    expect(named(table.join()).sort()).toEqual(categories(false).sort());
    expect(named(optIn).sort()).toEqual(categories(true).sort());
  });

  describe('the code in it', () => {
    let project: ReadmeProject;
    beforeAll(() => {
      project = new ReadmeProject(sources);
    });

    it('compiles, strictly, against the library as it is published', () => {
      expect(project.compile()).toEqual([]);
    }, 60_000);

    it.each(Object.keys(sources))(
      '%s prints what stands beside it',
      async (name) => {
        expect((await project.run(name)).trimEnd().split('\n')).toEqual(promisedOutput(sources[name] ?? ''));
      },
      30_000,
    );
  });
});
