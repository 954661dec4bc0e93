/**
 * What is published as JavaScript: one file for each entry of `exports`, and chunks for what entries share, made of what the
 * compiler wrote to `build`. Hundreds of small files take a process four times as long to import. The declarations are not
 * bundled: the compiler writes them beside, file by file.
 */
import { readFileSync } from 'node:fs';

const { exports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'));
const targets = Object.values(exports).flatMap((target) => (typeof target === 'object' ? [target.default] : []));
const withoutFolder = (target) => target.slice('./dist/'.length, -'.js'.length);

/** Two classes of one name would get another name in one file, and it would stand in logs and in what Nest reports. */
const keepsClassNames = {
  name: 'keeps-class-names',
  renderChunk(code) {
    const renamed = /^(?:export )?class (\w+\$\d+)|^(?:let|const|var) (\w+\$\d+) = class\b/m.exec(code);
    if (renamed !== null)
      this.error(`Another class has the name of ${renamed[1] ?? renamed[2]}; rename one of the two.`);
    return null;
  },
};

export default {
  input: Object.fromEntries(targets.map((target) => [withoutFolder(target), `build/${withoutFolder(target)}.js`])),
  external: (id) => /^[a-z@]/.test(id),
  plugins: [keepsClassNames],
  onLog(level, log) {
    // A circle, an import of nothing, a name that is exported twice: each is ours to mend. What the compiler writes for a
    // decorator looks for an earlier one in `this`, which a module does not have.
    if (level === 'warn' && log.code !== 'THIS_IS_UNDEFINED') throw new Error(log.message);
  },
  output: { dir: 'dist', format: 'es', entryFileNames: '[name].js', chunkFileNames: 'chunks/[name].js' },
};
