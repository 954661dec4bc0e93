import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { FIRST_SESSION } from '../../sample-app/demo-conversation.js';
import { codeBlocks, readme, shellCommands } from '../readme/readme-blocks.js';
import { memoryModel, questionOf, recordsIn } from '../support/scripted-memory-model.js';
import { ScriptedLlmServer } from '../support/scripted-llm-server/scripted-llm-server.js';

const DEMO = join(import.meta.dirname, '../../sample-app/dist/demo.js');
const SECRET = 'Winter!Harbour-4471';

interface Run {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const started: ChildProcess[] = [];

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}): ChildProcess {
  // Neither a model nor a memory of whoever runs the tests.
  const own = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^(?:OPENAI_|AIMON_|PORT$|NODE_OPTIONS$)/.test(name)),
  );
  const child = spawn(process.execPath, [DEMO, ...args], { env: { ...own, ...environment } });
  started.push(child);
  return child;
}

/** Runs the demo to its end; `onStdout` sees all of the output so far, each time that there is more. */
async function run(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  onStdout: (stdout: string, child: ChildProcess) => void = () => undefined,
): Promise<Run> {
  const child = start(args, environment);
  let [stdout, stderr] = ['', ''];
  child.stdout?.setEncoding('utf8').on('data', (text: string) => onStdout((stdout += text), child));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}

/** What stands under the heading that starts with `title`. */
function section(stdout: string, title: string): string {
  const sections = stdout.split(/^== /m);
  const found = sections.find((text) => text.startsWith(title));
  if (found === undefined) throw new Error(`The demo printed no section "${title}":\n${stdout}`);
  return found.slice(found.indexOf('\n') + 1);
}

beforeAll(() => {
  if (!existsSync(DEMO)) throw new Error('sample-app/dist/demo.js is not built: npm run build && npm run build:sample');
});

afterAll(() => {
  for (const child of started) child.kill('SIGKILL');
});

describe('npm run demo -- --once', () => {
  let demo: Run;
  beforeAll(async () => {
    demo = await run(['--once']);
  }, 90_000);

  it('ends with 0, without a key or a complaint', () => {
    expect(demo).toMatchObject({ code: 0, stderr: '' });
  });

  it('shows that no language model answers', () => {
    expect(section(demo.stdout, 'The first session')).toContain('agent: offline responder, no language model: noted.');
  });

  it('remembers each message of the first session', () => {
    const remembered = section(demo.stdout, 'What was remembered');
    expect(remembered.match(/^- \[\d{4}-\d\d-\d\d \d\d:\d\d UTC\] Mina: /gm)).toHaveLength(4);
    expect(remembered).toContain('We deploy on Tuesdays at 14:00 KST, never on Fridays. (EXPLICIT, 0.9)');
  });

  it('starts the prompt of the second session with what was said in the first', () => {
    const prompt = section(demo.stdout, 'How the prompt of the second session');
    expect(prompt).toMatch(/^You are the assistant of an operations engineer\..+\n\n<aimon-memory>\n/);
    expect(prompt).toContain('Mina: Hi! I run operations for the payments team. We deploy on Tuesdays');
    expect(prompt).toContain('Mina: 어젯밤에 결제 서버를 재시작했습니다.');
    expect(prompt.trimEnd()).toMatch(/<\/aimon-memory>$/);
  });

  it('finds a Korean sentence by its words', () => {
    const [first] = section(demo.stdout, 'A search for "서버 재시작"').split('\n');
    expect(first).toMatch(/결제 서버를 재시작했습니다\. .+ \(score 0\.\d\d\)$/);
  });

  it('answers the questions of the second session out of memory', () => {
    const second = section(demo.stdout, 'The second session');
    expect(second).toMatch(/결제 서버를 왜 재시작했죠\?\nagent: .+\n +1\. .+커넥션 풀이 고갈된 것이 원인이었어요/);
    expect(second).toMatch(/Which day is deploy day\?\nagent: .+\n +1\. .+We deploy on Tuesdays at 14:00 KST/);
  });

  it('shows a tool call with its arguments and its result', () => {
    expect(section(demo.stdout, 'A tool call')).toMatch(
      /^MemorySearch \{"query":"결제 서버를 왜 재시작했죠\?","top_k":3\}\n.*\n? *1 observation about Mina/,
    );
  });

  it('shows the capabilities, and each degradation with its consequence and its remedy', () => {
    expect(section(demo.stdout, 'What this memory can do').trim()).toBe('in-memory: SNAPSHOT, SEARCH, OBSERVE, INGEST');
    expect(section(demo.stdout, 'What it does not do')).toMatch(
      /^- memory-chat \(choice\)\n {2}consequence: The memory "in-memory" has no CHAT tier.+\n {2}remedy: .+aimon\.memory\..+\n/,
    );
  });

  it('accounts for every message', () => {
    expect(section(demo.stdout, 'What became of the messages')).toMatch(
      /^stored 4, nothingFound \d+, accepted 0, failed 0, skipped \d+, pending 0\n/,
    );
  });

  it('masks the password that was said, and shows it nowhere', () => {
    expect(FIRST_SESSION.messages.join('\n')).toContain(SECRET);
    for (const title of ['The first session', 'What was remembered', 'How the prompt of the second session']) {
      expect(section(demo.stdout, title)).toContain('The password is [REDACTED:SECRET], it changes every quarter.');
    }
    expect(demo.stdout + demo.stderr).not.toContain(SECRET);
  });
});

describe('the demo', () => {
  it('refuses an argument that it does not know, with 2', async () => {
    const { code, stdout, stderr } = await run(['--once', '--fast']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toBe(
      '--fast is no argument of the demo; it takes --once, to print and end, or nothing, to serve afterwards.\n',
    );
  });

  it('refuses a port that is none, with 2', async () => {
    const { code, stderr } = await run([], { PORT: '70000' });
    expect(code).toBe(2);
    expect(stderr).toBe('PORT is "70000"; it takes a number from 0 (any free port) to 65535.\n');
  });

  it('says so in a sentence when the address of a model is none', async () => {
    const { code, stderr } = await run(['--once'], { OPENAI_BASE_URL: 'localhost:8080' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/^OPENAI_BASE_URL is "localhost:8080"; it takes the address of .+\n$/);
  });

  it('says which port is in use, and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stderr } = await run([], { PORT: String(port) });
    other.close();
    expect(code).toBe(1);
    expect(stderr).toContain(`Port ${port} is in use by another program; set PORT to a free one`);
  }, 60_000);

  it('serves after printing, at the address that it prints, until Ctrl-C', async () => {
    let answered: Promise<{ status: number; capabilities?: unknown }> | undefined;
    const { stderr } = await run([], { PORT: '0' }, (stdout, child) => {
      const url = /curl -s (http:\/\/127\.0\.0\.1:\d+\/memory)\n/.exec(stdout)?.[1];
      if (url === undefined || answered !== undefined) return;
      answered = fetch(url).then(async (response) => {
        const body = (await response.json()) as object;
        return { status: response.status, ...body };
      });
      void answered.finally(() => child.kill('SIGINT'));
    });
    expect(await answered).toMatchObject({ status: 200, capabilities: ['SNAPSHOT', 'SEARCH', 'OBSERVE', 'INGEST'] });
    expect(stderr).toBe('');
  }, 60_000);

  it('plays with a language model where one is configured', async () => {
    const answers = Array.from({ length: 6 }, (_, index) => ({ content: `Answer ${index + 1}, ${SECRET}.` }));
    const model = await ScriptedLlmServer.start(...answers);
    const { code, stdout } = await run(['--once'], { OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'scripted' });
    await model.close();
    expect(code).toBe(0);
    expect(stdout).toContain('answers come from: scripted at 127.0.0.1:');
    expect(stdout).toContain('agent: Answer 6');
    expect(section(stdout, 'A tool call')).toBe('The model answered without calling a tool.\n\n');
    expect(model.request(4).body.messages[0]?.content).toContain('Mina: 어젯밤에 결제 서버를 재시작했습니다.');
  }, 60_000);

  // As the README has it, with another address, since neither server is to be had here.
  const withModel = shellCommands(codeBlocks(readme())).filter((command) =>
    command.startsWith('AIMON_MEMORY_LLM_MODEL='),
  );
  it('is shown in the README for a local server and for OpenAI', () => {
    expect(withModel).toHaveLength(2);
  });

  it.each(withModel)(
    'derives and answers with a model: %s',
    async (command) => {
      const assignments = [...command.matchAll(/(AIMON_MEMORY_LLM_[A-Z_]+)=(\S+)/g)];
      const server = await ScriptedLlmServer.start(
        memoryModel({
          answer: (request) => {
            const [first] = recordsIn(request, 'observations');
            return { content: first === undefined ? 'Noted.' : `On Tuesdays [${String(first['id'])}].` };
          },
        }),
      );
      const environment = {
        ...Object.fromEntries(assignments.map(([, name, value]) => [name, value])),
        AIMON_MEMORY_LLM_BASE_URL: server.baseUrl,
      };
      const { code, stdout, stderr } = await run(['--once'], environment as Record<string, string>);
      await server.close();
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(section(stdout, 'What was remembered')).toContain('- Mina said: Hi! I run operations');
      expect(section(stdout, 'How the prompt of the second session')).toContain('Mina said: 어젯밤에 결제 서버를');
      expect(section(stdout, "The memory's own answer")).toMatch(/^On Tuesdays\. \(rests on 1 observations\)/);
      expect(section(stdout, 'What this memory can do').trim()).toBe(
        'in-memory: SNAPSHOT, SEARCH, CHAT, OBSERVE, INGEST',
      );
      expect(section(stdout, 'What it does not do')).toBe('(nothing)\n\n');
      expect(section(stdout, 'What became of the messages')).toMatch(/^stored 4, .* failed 0, .* pending 0\n/);
      expect(new Set(server.requests.map(questionOf))).toEqual(new Set(['derivation', 'representation', 'answer']));
      expect(new Set(server.requests.map(({ body }) => body.model))).toEqual(
        new Set([environment['AIMON_MEMORY_LLM_MODEL' as never]]),
      );
      expect(stdout + JSON.stringify(server.requests.filter((one) => questionOf(one) !== 'answer'))).not.toContain(
        SECRET,
      );
    },
    90_000,
  );

  it('ends with the reason when the language model fails', async () => {
    const model = await ScriptedLlmServer.start({ status: 401, body: '{"error": {"message": "No such key."}}' });
    const { code, stderr } = await run(['--once'], { OPENAI_BASE_URL: model.baseUrl, OPENAI_MODEL: 'scripted' });
    await model.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /^\/chat answered 502: The language model scripted at 127\.0\.0\.1:\d+ answered 401: No such key\.\n$/,
    );
  }, 60_000);
});
