/** Requiring the package and importing it must give the same classes and tokens: two copies would be two memories. */
const assert = require('node:assert/strict');
const required = require('@aimon/nestjs-memory');

async function main() {
  const imported = await import('@aimon/nestjs-memory');
  const names = (exports) =>
    Object.keys(exports).filter((name) => name !== 'default' && name !== 'module.exports' && name !== '__esModule');
  assert.deepEqual(names(required).sort(), names(imported).sort());
  for (const name of names(imported)) assert.equal(required[name], imported[name], `two of ${name}`);
  for (const name of ['MemoryModule', 'PEER_MEMORY', 'PeerView', 'Observation']) {
    assert.notEqual(imported[name], undefined, `there is no ${name}`);
  }
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
