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
  await import('reflect-metadata');
  const { MemoryModule } = await import('@aimon/nestjs-memory');
  const { NestFactory } = await import('@nestjs/core');
  const llm = { model: 'small', baseUrl: 'http://127.0.0.1:9/v1' };
  const module = MemoryModule.forRoot({ backend: 'in-memory', workspaceId: 'ops', peerId: 'alice', llm });
  await assert.rejects(
    NestFactory.createApplicationContext(module, { logger: false, abortOnError: false }),
    /aimon\.memory\.llm\.model is set, but the package "openai" cannot be loaded.+npm install openai@6\./,
  );
  await import('@aimon/nestjs-memory/testing');
}

main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
