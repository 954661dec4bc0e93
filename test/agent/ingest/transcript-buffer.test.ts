import { TranscriptBuffer } from '../../../lib/agent/ingest/transcript-buffer.js';
import type { MemoryMessage } from '../../../lib/domain/memory-message.js';
import { ManualClock } from '../support/manual-clock.js';

const user = (content: string, id?: string): MemoryMessage => ({ role: 'user', content, id });

function texts(messages: readonly MemoryMessage[] | undefined): unknown[] | undefined {
  return messages?.map(({ content }) => content);
}

describe('a transcript', () => {
  it('keeps what is appended, with an id and the time at which it came where there are none', () => {
    const clock = new ManualClock();
    const transcript = new TranscriptBuffer({ clock });
    const [first, second] = transcript.append(user('Hello.'), {
      ...user('Hi.', 'm2'),
      createdAt: '2020-01-01T00:00:00Z',
    });
    expect(first?.id).toMatch(/^[\w-]{21}$/);
    expect(first?.createdAt).toEqual(clock.now());
    expect(second).toMatchObject({ id: 'm2', createdAt: new Date('2020-01-01T00:00:00Z') });
    expect(transcript.messages).toEqual([first, second]);
    expect(transcript.size).toBe(2);
  });

  it('gives a view that later messages do not change', () => {
    const transcript = new TranscriptBuffer();
    transcript.append(user('one'));
    const before = transcript.messages;
    transcript.append(user('two'));
    expect(texts(before)).toEqual(['one']);
    expect(() => (before as MemoryMessage[]).push(user('three'))).toThrow(TypeError);
  });

  it('takes all messages of a call or none', () => {
    const transcript = new TranscriptBuffer();
    expect(() => transcript.append(user('one'), { role: 'robot', content: 'two' } as never)).toThrow(
      'TranscriptBuffer.append[1].role is "robot"',
    );
    expect(transcript.size).toBe(0);
    expect(transcript.takeEntered()).toEqual([]);
  });

  it('takes arrays of messages too, however long, in the order in which they stand', () => {
    const transcript = new TranscriptBuffer();
    const many = Array.from({ length: 150_000 }, (_, index) => user(`m${index}`));
    const kept = transcript.append(user('first'), many, user('last'));
    expect(kept).toHaveLength(150_002);
    expect(transcript.size).toBe(150_002);
    expect(texts([kept[0], kept[1], kept[150_001]] as MemoryMessage[])).toEqual(['first', 'm0', 'last']);
    expect(() => transcript.append(user('one'), [user('two'), null as never])).toThrow(
      'TranscriptBuffer.append[2] is null',
    );
    expect(transcript.size).toBe(150_002);
  });

  it('keeps a message that is appended again under its id once, and refuses the id of another', () => {
    const transcript = new TranscriptBuffer();
    const [kept] = transcript.append(user('one', 'm1'));
    expect(transcript.append(user('one', 'm1'), user('one', 'm1'))).toEqual([kept, kept]);
    expect(transcript.size).toBe(1);
    expect(() => transcript.append(user('two', 'm1'))).toThrow(
      'TranscriptBuffer.append[0].id is "m1", which another message of this session has.',
    );
    transcript.clear();
    expect(() => transcript.append(user('two', 'm1'))).toThrow('which another message of this session has');
    transcript.append(user('one', 'm1'));
    expect(transcript.size).toBe(1);
    expect(transcript.takeEntered()).toEqual(['m1']);
  });

  it('takes a message without an id for a new one each time', () => {
    const transcript = new TranscriptBuffer();
    const yes = user('yes');
    transcript.append(yes, yes);
    expect(new Set(transcript.messages.map(({ id }) => id)).size).toBe(2);
  });

  it('takes nothing after its end, and says so', () => {
    const transcript = new TranscriptBuffer();
    transcript.append(user('one'));
    transcript.end();
    for (const change of [
      () => transcript.append(user('x')),
      () => transcript.replaceWith([]),
      () => transcript.clear(),
    ]) {
      expect(change).toThrow(expect.objectContaining({ code: 'SESSION_CLOSED' }));
    }
    expect(transcript.size).toBe(1);
  });
});

describe('the ingest mark', () => {
  it('tells what was added since', () => {
    const transcript = new TranscriptBuffer();
    expect(transcript.messagesSinceIngestMark()).toBeUndefined();
    transcript.append(user('one'));
    transcript.markIngestPoint();
    expect(transcript.messagesSinceIngestMark()).toEqual([]);
    transcript.append(user('two'), user('three'));
    expect(texts(transcript.messagesSinceIngestMark())).toEqual(['two', 'three']);
  });

  it('is dropped with the history that it points into', () => {
    for (const rewrite of [(t: TranscriptBuffer) => t.replaceWith(t.messages), (t: TranscriptBuffer) => t.clear()]) {
      const transcript = new TranscriptBuffer();
      transcript.markIngestPoint();
      transcript.append(user('one'));
      rewrite(transcript);
      transcript.append(user('two'));
      expect(transcript.messagesSinceIngestMark()).toBeUndefined();
      transcript.markIngestPoint();
      transcript.append(user('three'));
      expect(texts(transcript.messagesSinceIngestMark())).toEqual(['three']);
    }
  });
});

describe('a compaction', () => {
  it('knows the messages that stood there by the objects that were appended, though they had no ids', () => {
    const transcript = new TranscriptBuffer();
    const [one, two] = [user('one'), user('two')];
    const before = transcript.append(one, two);
    const summary = user('Somebody counted.');
    const after = transcript.replaceWith([summary, two]);
    expect(after[1]).toEqual(before[1]);
    expect(transcript.takeEntered()).toEqual([before[0]?.id, before[1]?.id, after[0]?.id]);
  });

  it('gives two places of one object the two ids that it was given', () => {
    const transcript = new TranscriptBuffer();
    const yes = user('yes');
    const before = transcript.append(yes, yes);
    expect(transcript.replaceWith([yes, yes])).toEqual(before);
    const three = transcript.replaceWith([yes, yes, yes]);
    expect(new Set(three.map(({ id }) => id)).size).toBe(3);
  });

  it('keeps the time of a message that it hands back without one', () => {
    const clock = new ManualClock();
    const transcript = new TranscriptBuffer({ clock });
    const [kept] = transcript.append(user('one', 'm1'));
    clock.advance(60_000);
    expect(transcript.replaceWith([user('one, shortened', 'm1')])[0]?.createdAt).toEqual(kept?.createdAt);
  });

  it('marks its summaries, by id or as the objects themselves, for good', () => {
    const transcript = new TranscriptBuffer();
    const [kept] = transcript.append(user('one', 'm1'));
    const summary = user('Somebody counted.');
    const [first] = transcript.replaceWith([summary, { ...user('More.'), id: 's2' }, ...transcript.messages], {
      summaries: [summary, 's2'],
    });
    expect([first?.id ?? '', 's2', kept?.id ?? ''].map((id) => transcript.isSummary(id))).toEqual([true, true, false]);
    transcript.replaceWith(transcript.messages);
    expect(transcript.isSummary('s2')).toBe(true);
  });

  it('refuses a summary that is not there, an id that stands twice, and what is no message', () => {
    const transcript = new TranscriptBuffer();
    transcript.append(user('one', 'm1'));
    expect(() => transcript.replaceWith(transcript.messages, { summaries: ['m9'] })).toThrow(
      'TranscriptBuffer.replaceWith summaries[0] is not among the messages',
    );
    expect(() => transcript.replaceWith(transcript.messages, { summaries: [user('x')] })).toThrow('summaries[0]');
    expect(() => transcript.replaceWith([user('a', 'm1'), user('b', 'm1')])).toThrow('replaceWith[1].id is "m1"');
    expect(() => transcript.replaceWith([5 as never])).toThrow('TranscriptBuffer.replaceWith[0] is 5');
    expect(() => transcript.replaceWith('x' as never)).toThrow('it takes an array of messages');
    expect(texts(transcript.messages)).toEqual(['one']);
  });
});
