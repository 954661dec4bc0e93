import { readFileSync } from 'node:fs';
import { settingsDocument } from '../../lib/nest/settings/settings-document.js';
import { SETTING_DEFINITIONS } from '../../lib/nest/settings/setting-definitions.js';

const written = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8');

describe('docs/settings.md', () => {
  it('is what the table of settings says; npm run docs:settings writes it anew', () => {
    expect(written).toBe(settingsDocument());
  });

  it('has a link to the part about each setting', () => {
    const anchors = [...written.matchAll(/^### (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replaceAll(/[^a-z\d -]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = [...written.matchAll(/\]\(#([^)]*)\)/g)].map(([, target]) => target);
    expect(links).toEqual(anchors);
    expect(links).toHaveLength(SETTING_DEFINITIONS.length);
  });
});
