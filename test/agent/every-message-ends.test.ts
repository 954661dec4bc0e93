import fc from 'fast-check';

import { AgentMemory } from '../../lib/agent/agent-memory.js';
import { MemoryPeerResolver } from '../../lib/agent/context/memory-peer-resolver.js';
import { IngestingExecutionMemorySink } from '../../lib/agent/ingest/ingesting-execution-memory-sink.js';
import { INGEST_MODES, type IngestMode } from '../../lib/agent/ingest/ingest-mode.js';
import { IngestOutcomes } from '../../lib/agent/ingest/ingest-outcomes.js';
import { OutcomeRecordingIngestor } from '../../lib/agent/ingest/outcome-recording-ingestor.js';
import type { TranscriptBuffer } from '../../lib/agent/ingest/transcript-buffer.js';
import { formatMemoryBlock } from '../../lib/domain/memory-block.js';
import type { MemoryMessage } from '../../lib/domain/memory-message.js';
import type { MemoryIngestRequest } from '../../lib/spi/ingest.js';
import { ManualClock } from './support/manual-clock.js';
import { alice } from './support/peers.js';

type Step =
  | { readonly do: 'append'; readonly count: number; readonly kind: 'user' | 'assistant' | 'injected' | 'tool' }
  | { readonly do: 'append again'; readonly from: number }
  | { readonly do: 'compact'; readonly keep: number; readonly summarise: boolean; readonly marked: boolean }
  | { readonly do: 'clear' }
  | { readonly do: 'restore' }
  | { readonly do: 'fail' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      count: fc.integer({ min: 1, max: 4 }),
      kind: fc.constantFrom(
        'user' as const,
        'user' as const,
        'assistant' as const,
        'injected' as const,
        'tool' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('append again' as const), from: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('compact' as const),
      keep: fc.nat(5),
      summarise: fc.boolean(),
      marked: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ do: 'clear' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'restore' as const }) },
  { weight: 1, arbitrary: fc.constant({ do: 'fail' as const }) },
);

type Phase =
  | { readonly run: 'execution' | 'fork'; readonly steps: readonly Step[]; readonly lateSteps: readonly Step[] }
  | { readonly run: 'close' | 'idle' };

const phase: fc.Arbitrary<Phase> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      run: fc.constantFrom('execution' as const, 'execution' as const, 'execution' as const, 'fork' as const),
      steps: fc.array(step, { maxLength: 6 }),
      lateSteps: fc.array(step, { maxLength: 1 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ run: fc.constantFrom('close' as const, 'idle' as const) }) },
);

let nextId = 0;

/** Plays steps on a transcript and notes every message that entered one. */
class Player {
  readonly entered = new Set<string>();
  #appended: MemoryMessage[] = [];

  play(transcript: TranscriptBuffer, steps: readonly Step[]): void {
    for (const one of steps) {
      if (one.do === 'fail') throw new Error('the work failed');
      this.#play(transcript, one);
      for (const { id } of transcript.messages) this.entered.add(id);
    }
  }

  #play(transcript: TranscriptBuffer, one: Exclude<Step, { do: 'fail' }>): void {
    switch (one.do) {
      case 'append': {
        const messages = Array.from({ length: one.count }, () => message(one.kind));
        this.#appended.push(...messages);
        for (const { id } of transcript.append(...messages)) this.entered.add(id);
        return;
      }
      case 'append again': {
        const known = transcript.messages[one.from];
        if (known !== undefined) transcript.append(known);
        return;
      }
      case 'compact': {
        const kept = one.keep === 0 ? [] : transcript.messages.slice(-one.keep);
        const summary: MemoryMessage = { role: 'user', content: `summary ${(nextId += 1)}` };
        transcript.replaceWith(one.summarise ? [summary, ...kept] : kept, {
          summaries: one.summarise && one.marked ? [summary] : [],
        });
        return;
      }
      case 'clear':
        transcript.clear();
        return;
      case 'restore':
        // As an application does that keeps its own array: the objects that it appended, without our ids.
        transcript.replaceWith(this.#appended.slice(-6));
        return;
    }
  }

  startSession(): void {
    this.#appended = [];
  }
}

function message(kind: 'user' | 'assistant' | 'injected' | 'tool'): MemoryMessage {
  const content = `${kind} ${(nextId += 1)}`;
  if (kind === 'injected') return { role: 'user', content: formatMemoryBlock({ attributes: {}, body: content }) };
  if (kind === 'tool') return { role: 'function', name: 'MemorySearch', content };
  return { role: kind, content };
}

async function play(mode: IngestMode, phases: readonly Phase[], options: { fails: boolean; forks: boolean }) {
  const outcomes = new IngestOutcomes();
  const ended = new Map<string, string[]>();
  outcomes.onOutcome(({ messageId, outcome, reason = '' }) =>
    ended.set(messageId, [...(ended.get(messageId) ?? []), `${outcome} ${reason}`]),
  );
  const sent: string[] = [];
  const texts: unknown[] = [];
  let calls = 0;
  const delegate = {
    ingest: async ({ messages }: MemoryIngestRequest) => {
      sent.push(...messages.map(({ id }) => id as string));
      texts.push(...messages.map(({ content }) => content));
      // Longer and shorter in turn, so that order is kept by the queue and not by chance.
      for (let wait = 0; wait < (calls % 3) * 5; wait += 1) await Promise.resolve();
      calls += 1;
      if (options.fails && calls % 3 === 0) throw new Error('down');
      return { accepted: messages.length, derived: false };
    },
  };
  const resolver = MemoryPeerResolver.fixed(alice);
  const ingestor = new OutcomeRecordingIngestor({ delegate, outcomes, reports: false });
  const sink = new IngestingExecutionMemorySink({ ingestor, resolver, outcomes, ingestForks: options.forks });
  const clock = new ManualClock();
  const memory = { backendId: 'test', ingestor };
  const agent = new AgentMemory({ memory, resolver, sink, outcomes, ingest: mode, clock });
  const player = new Player();
  for (const one of phases) {
    const session = await agent.session('chat');
    if (!('steps' in one)) {
      if (one.run === 'close') await session.close();
      else clock.advance(1e9);
      player.startSession();
    } else {
      let held: TranscriptBuffer | undefined;
      const work = (transcript: TranscriptBuffer): void => {
        held = transcript;
        player.play(transcript, one.steps);
      };
      await session[one.run](work).catch(() => undefined);
      try {
        if (held !== undefined) player.play(held, one.lateSteps);
      } catch {
        // A fork's transcript is closed by then, and some steps fail on purpose.
      }
    }
  }
  await agent.close();
  await sink.close();
  await outcomes.settled();
  return { entered: player.entered, ended, sent, texts };
}

describe('every message that stands in a transcript', () => {
  for (const mode of INGEST_MODES) {
    it(`ends with exactly one outcome and is sent at most once, in its order (${mode})`, async () => {
      const options = fc.record({ fails: fc.boolean(), forks: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(phase, { maxLength: 8 }), options, async (phases, chosen) => {
          const { entered, ended, sent, texts } = await play(mode, phases, chosen);
          for (const id of entered) expect([id, ended.get(id)]).toEqual([id, [expect.any(String)]]);
          expect(ended.size).toBe(entered.size);
          expect(new Set(sent).size).toBe(sent.length);
          for (const id of sent) expect(ended.get(id)?.[0]).toMatch(/^(accepted|failed)/);
          if (mode === 'off') expect(sent).toEqual([]);
          // Messages carry a rising number: within a session what is sent never goes back.
          if (mode === 'execution-end' && !chosen.forks) {
            const numbers = texts.map((text) => Number(/\d+$/.exec(String(text))?.[0]));
            expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
          }
          expect(texts.join('\n')).not.toMatch(/injected|tool|aimon-memory/);
        }),
        { numRuns: 400 },
      );
    });
  }

  it('of ten thousand is accounted for, with a compaction and a shutdown in the middle, none twice', async () => {
    for (const mode of ['execution-end', 'session-end'] as const) {
      const phases: Phase[] = Array.from({ length: 1000 }, (_, index) => ({
        run: 'execution',
        steps: [
          { do: 'append', count: 4, kind: 'user' },
          { do: 'append', count: 6, kind: 'assistant' },
          ...(index === 500 ? [{ do: 'compact', keep: 5, summarise: true, marked: true } as const] : []),
        ],
        lateSteps: [],
      }));
      const { entered, ended, sent } = await play(mode, phases, { fails: false, forks: false });
      expect(entered.size).toBe(10_001);
      expect(ended.size).toBe(10_001);
      expect([...ended.values()].every((outcomes) => outcomes.length === 1)).toBe(true);
      expect(new Set(sent).size).toBe(sent.length);
      expect(sent.length).toBe(mode === 'execution-end' ? 9990 : 4995);
    }
  });
});
