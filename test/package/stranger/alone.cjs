/** Each entry works when it is the first that is loaded, both ways. */
const { execFileSync } = require('node:child_process');
const { exports: entries } = require('@aimon/nestjs-memory/package.json');

for (const entry of Object.keys(entries).filter((path) => !path.endsWith('.json'))) {
  const name = `@aimon/nestjs-memory${entry.slice(1)}`;
  execFileSync(process.execPath, ['-e', `require(${JSON.stringify(name)})`], { stdio: 'inherit' });
  execFileSync(process.execPath, ['--input-type=module', '-e', `await import(${JSON.stringify(name)})`], {
    stdio: 'inherit',
  });
}
