/** Where an optional package is not installed, what needs it says which, and nothing else is the worse for it. */
const assert = require('node:assert/strict');

const NEEDED = {
  health: '@nestjs/terminus',
  config: '@nestjs/config',
  'class-validator': 'class-',
};

async function main() {
  for (const [subpath, name] of Object.entries(NEEDED)) {
    await assert.rejects(import(`@aimon/nestjs-memory/${subpath}`), (error) => {
      assert.equal(error.code, 'ERR_MODULE_NOT_FOUND');
      assert.ok(error.message.includes(`'${name}`), error.message);
      return true;
    });
  }
  await import('@aimon/nestjs-memory');
  await import('@aimon/nestjs-memory/testing');
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
