import { join } from 'node:path';

import { temporaryFolder } from '../support/temporary-folder.js';
import { ENTRIES, isDocumented, publicNames } from './support/public-surface.js';

/** The names that `entries` export and whose hover shows no word beside the declaration itself. */
function undocumented(entries: readonly string[]): readonly string[] {
  return publicNames(entries)
    .filter(({ symbol, checker }) => !isDocumented(symbol, checker))
    .map(({ name }) => name);
}

describe('a public name', () => {
  it('says in its documentation what it is, in every entry', () => {
    expect(ENTRIES.length).toBeGreaterThan(4);
    expect(undocumented(ENTRIES)).toEqual([]);
  }, 120_000);

  it('is found when it says nothing', () => {
    const folder = temporaryFolder({
      'names.d.ts': '/** Says something. */\nexport interface Said {}\n/** @internal */\nexport interface Bare {}\n',
    });
    expect(undocumented([join(folder, 'names.d.ts')])).toEqual(['Bare']);
  });
});
