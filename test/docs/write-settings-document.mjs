/** Writes docs/settings.md from the built library. */
import { writeFileSync } from 'node:fs';
import { settingsDocument } from '../../build/nest/settings/settings-document.js';

writeFileSync(new URL('../../docs/settings.md', import.meta.url), settingsDocument());
