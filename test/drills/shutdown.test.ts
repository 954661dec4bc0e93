import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

import { temporaryFolder } from '../support/temporary-folder.js';
import { ChildProgram, type ProgramEnd } from './support/child-program.js';

const SESSIONS = 100;

/** What a request is told that comes too late. */
const REFUSED = /memory (?:was closed|shuts down)(?:; it takes no new work)?\.$/;

interface Drill {
  readonly ingest: 'session-end' | 'execution-end';
  readonly deadline: string;
  readonly hooks: boolean;
  /** A session whose execution never ends. */
  readonly hanging?: boolean;
}

/** Whether the application did what it was asked; false also when it is gone. */
function post(url: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asked = request(url, { method: 'POST', agent: false }, (response) => {
      response.resume().on('end', () => resolve((response.statusCode ?? 500) < 300));
      response.on('error', () => resolve(false));
    });
    asked.on('error', () => resolve(false)).end();
  });
}

/** A hundred sessions talk at once; in the middle of it the process is told to end, twice. */
async function drill({ ingest, deadline, hooks, hanging = false }: Drill) {
  const journal = join(temporaryFolder({ journal: '' }), 'journal');
  const program = new ChildProgram('talking-application', {
    ...{ JOURNAL: journal, INGEST: ingest, DEADLINE: deadline },
    HOOKS: hooks ? 'enabled' : 'none',
  });
  const [, url = ''] = await program.says(/^listening at (\S+)$/m);
  if (hanging) {
    void post(`${url}/hang/hanging`);
    await program.says(/^hanging$/m);
  }
  let answered = 0;
  let told = false;
  const talking = Array.from({ length: SESSIONS }, async (_, n) => {
    while (await post(`${url}/say/session-${n}`)) {
      if (++answered < 2 * SESSIONS || told) continue;
      told = true;
      program.kill('SIGTERM');
    }
  });
  if (hooks) {
    await program.says(/^closing$/m);
    program.kill('SIGTERM');
  }
  const end = await program.end;
  await Promise.all(talking);
  return { end, ...readJournal(journal) };
}

/** What was said, what became of each message, and what was written at error. */
function readJournal(path: string) {
  const said: string[] = [];
  const outcomes: { readonly id: string; readonly outcome: string; readonly reason: string | undefined }[] = [];
  const errors: string[] = [];
  for (const line of readFileSync(path, 'utf8').split('\n')) {
    const [, word = '', id = '', reason] = /^(\S+) (\S+)(?: \((.*)\))?$/.exec(line) ?? [];
    if (line.startsWith('error ')) errors.push(line.slice(6));
    else if (word === 'said') said.push(id);
    else if (word !== '') outcomes.push({ id, outcome: word, reason });
  }
  return { said, outcomes, errors };
}

/** Each message has one outcome, and only one. */
function expectAccounted(said: readonly string[], outcomes: readonly { readonly id: string }[]): void {
  const ends = new Set(outcomes.map(({ id }) => id));
  expect(said.filter((id) => !ends.has(id))).toEqual([]);
  expect([outcomes.length, ends.size]).toEqual([said.length, said.length]);
}

function expectEndedBySignal({ code, signal, stderr }: ProgramEnd): void {
  expect({ code, signal, stderr }).toEqual({ code: null, signal: 'SIGTERM', stderr: '' });
}

afterAll(() => ChildProgram.endAll());

describe.each(['session-end', 'execution-end'] as const)(
  'SIGTERM in the middle of a hundred sessions, ingest=%s',
  (ingest) => {
    it('ends the process after every message was derived, within the deadline', async () => {
      const { end, said, outcomes, errors } = await drill({ ingest, deadline: '1h', hooks: true });
      expectEndedBySignal(end);
      expect(said.length).toBeGreaterThanOrEqual(SESSIONS);
      expectAccounted(said, outcomes);
      expect(outcomes.filter(({ outcome }) => outcome !== 'stored')).toEqual([]);
      expect(errors.filter((line) => !REFUSED.test(line))).toEqual([]);
    });

    it('ends the process, with too short a deadline, after every message was accounted for', async () => {
      const { end, said, outcomes, errors } = await drill({ ingest, deadline: '1ms', hooks: true, hanging: true });
      expectEndedBySignal(end);
      expectAccounted(said, outcomes);
      const failed = outcomes.filter(({ outcome }) => outcome === 'failed');
      expect(failed.length).toBeGreaterThan(0);
      for (const { outcome, reason } of outcomes) {
        expect(['stored', 'failed']).toContain(outcome);
        if (outcome === 'failed') expect(reason).toMatch(/^shut down before hand-over$|stopped/);
      }
      expect(
        errors.some((line) => line.startsWith('Taking the memory down left something behind. SESSIONS sessions: ')),
      ).toBe(true);
    });

    it('ends the process at once where the application did not enable shutdown hooks, and nothing is said of what is lost', async () => {
      const { end, said, outcomes, errors } = await drill({ ingest, deadline: '1h', hooks: false });
      expectEndedBySignal(end);
      expect(end.stdout).not.toContain('closing');
      expect(errors).toEqual([]);
      // What is handed over only at the end of a session is lost altogether.
      if (ingest === 'session-end') expect(outcomes).toEqual([]);
      const known = new Set(said);
      expect(outcomes.filter(({ id }) => !known.has(id))).toEqual([]);
      expect(said.length).toBeGreaterThan(outcomes.length - 1);
    });
  },
);
