import { ChildProgram } from './support/child-program.js';

afterAll(() => ChildProgram.endAll());

/** What a process waits for, apart from the pipes to the one that started it, and from what it has in hand just now. */
function waitsFor(stdout: string): readonly string[] {
  const [, resources = ''] = /^waits for (.*)$/m.exec(stdout) ?? [];
  return (JSON.parse(resources) as string[]).filter((resource) => !['PipeWrap', 'Immediate'].includes(resource));
}

describe.each(['no', 'yes'])('a process whose application is never closed (ScheduleModule: %s)', (SCHEDULE) => {
  it.each([
    ['a factory', 'This start fails.'],
    ['onModuleInit', 'This start fails.'],
    ['onApplicationBootstrap', 'This start fails.'],
    ['the memory', 'Memory configuration error: MemoryModule.forRoot or forRootAsync was called 2 times'],
  ])('ends by itself when its start failed in %s after a memory was made', async (FAILS_IN, message) => {
    const { code, signal, stdout, stderr } = await new ChildProgram('starting-application', { FAILS_IN, SCHEDULE }).end;
    expect(stderr).toBe('');
    expect(stdout).toContain(message);
    expect({ code, signal, waitsFor: waitsFor(stdout) }).toEqual({ code: 3, signal: null, waitsFor: [] });
  });

  it('ends by itself when it has nothing else to do, also while maintenance is due later', async () => {
    const { code, signal, stdout, stderr } = await new ChildProgram('starting-application', { SCHEDULE }).end;
    expect(stderr).toBe('');
    expect({ code, signal, waitsFor: waitsFor(stdout) }).toEqual({ code: 0, signal: null, waitsFor: [] });
  });
});
