import 'reflect-metadata';

import { ConsoleLogger, type INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';

import { AppModule } from './app.module.js';
import { chatModelFrom } from './chat-model.provider.js';
import { ChatClient } from './chat-client.js';
import { demoArguments, UsageError } from './demo-arguments.js';
import { playDemo } from './demo-play.js';
import { demoReport } from './demo-report.js';

/** `node demo.js [--once]`: plays two sessions, prints what came of them, and serves. */
async function main(): Promise<void> {
  const { once, port } = demoArguments(process.argv.slice(2), process.env);
  // Here a wrong address of a model is one sentence; inside Nest's start it would be a stack trace.
  chatModelFrom(process.env);
  const application = await NestFactory.create(AppModule, {
    logger: new ConsoleLogger({ logLevels: ['warn', 'error', 'fatal'], colors: process.stdout.isTTY === true }),
    abortOnError: false,
    // A browser that is still connected does not hold the shutdown up.
    forceCloseConnections: true,
  });
  // Ctrl-C closes the application, and with it the memory: without this, what waits to be derived is lost.
  application.enableShutdownHooks();
  try {
    const url = await listen(application, port);
    const result = await playDemo(application, new ChatClient(url));
    process.stdout.write(`${demoReport(result)}\n`);
    if (once) await application.close();
    else process.stdout.write(invitation(url));
  } catch (error) {
    await application.close();
    throw error;
  }
}

/** On this machine alone: the sample asks nobody who they are. */
async function listen(application: INestApplication, port: number): Promise<string> {
  try {
    await application.listen(port, '127.0.0.1');
    return await application.getUrl();
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'EADDRINUSE') throw error;
    throw new Error(`Port ${port} is in use by another program; set PORT to a free one, such as PORT=${port + 1}.`, {
      cause: error,
    });
  }
}

function invitation(url: string): string {
  return `
== Now it is your turn ==
Open ${url} in a browser, or talk to it with curl:

  curl -s ${url}/chat -H 'content-type: application/json' -d '{"sessionId": "mine", "message": "Which day is deploy day?"}'
  curl -s ${url}/memory

Set AIMON_MEMORY_LLM_MODEL, with AIMON_MEMORY_LLM_BASE_URL or AIMON_MEMORY_LLM_API_KEY, to have a language model answer and
derive; OPENAI_API_KEY or OPENAI_BASE_URL, with OPENAI_MODEL, to have one that only answers.
Ctrl-C ends it, and this memory with it.
`;
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = error instanceof UsageError ? 2 : 1;
});
