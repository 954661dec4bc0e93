import {
  assembleMemory,
  DefaultRedactionPolicy,
  InMemoryObservationStore,
  InMemoryRepresentationStore,
  MemorySpec,
  Observation,
  ObservationId,
  type ObservationStore,
  PeerView,
  Principal,
  type RedactionPolicy,
  type RedactStoredProgress,
  Representation,
  requireTier,
  Workspace,
} from '@aimon/nestjs-memory';

const ops = Workspace.of({ id: 'ops' });
const peer = (id: string, workspace = ops): PeerView => PeerView.of(workspace, Principal.user(id));
const PASSWORD = ['Winter', 'Harbour', '4471'].join('-');
const MAIL = ['kim', 'example.com'].join('@');
const DAY = 86_400_000;

let made = 0;
const observation = (subject: PeerView, content: string, rest: Partial<Parameters<typeof Observation.of>[0]> = {}) =>
  Observation.of({
    ...{ id: ObservationId.generate(subject.workspace.id), subject, observer: subject, content, type: 'EXPLICIT' },
    ...{ createdAt: new Date(Date.UTC(2026, 0, 1) + made++ * 1000), confidence: 0.9, ...rest },
  });

async function assembled(
  observationStore: ObservationStore,
  given: { readonly policy?: RedactionPolicy; readonly representationStore?: InMemoryRepresentationStore } = {},
) {
  const { policy = new DefaultRedactionPolicy(), representationStore = new InMemoryRepresentationStore() } = given;
  const spec = MemorySpec.perCaller(ops).parts({ observationStore, representationStore });
  return assembleMemory(spec.redactionPolicy(policy).build());
}

async function kept(store: ObservationStore, subject: PeerView): Promise<string[]> {
  const contents: string[] = [];
  for await (const { observation: one } of store.exportSubject(subject)) {
    contents.push([one.content, ...Object.values(one.metadata)].join(' '));
  }
  return contents;
}

describe('a sweep over what was stored unmasked', () => {
  it('masks observations, live and retired, and representations in their place, and counts by category', async () => {
    const store = new InMemoryObservationStore({ clock: () => new Date(Date.UTC(2026, 1, 1)) });
    const representationStore = new InMemoryRepresentationStore();
    const [kim, lee] = [peer('kim'), peer('lee')];
    const live = observation(kim, `The password is ${PASSWORD}.`, { metadata: { contact: MAIL, room: '4.2' } });
    const retired = observation(kim, `Ask ${MAIL}.`);
    const onlyRetired = observation(lee, `Ask ${MAIL} twice: ${MAIL}.`);
    const clean = observation(kim, 'The lamp is green.');
    const elsewhere = observation(peer('kim', Workspace.of({ id: 'hr' })), `Ask ${MAIL}.`);
    for (const one of [live, retired, onlyRetired, clean, elsewhere]) await store.save(one);
    for (const one of [retired, onlyRetired]) await store.softDelete(one.id);
    await representationStore.save(
      Representation.of({
        ...{ subject: kim, observations: [live, clean], summary: `Kim is at ${MAIL}.`, tokenCount: 9 },
        generatedAt: new Date(),
      }),
    );
    const { maintenance } = await assembled(store, { representationStore });

    const report = await maintenance.redactStored(ops);

    expect(report).toEqual({
      dryRun: false,
      observations: { looked: 4, masked: 3 },
      representations: { looked: 1, masked: 1 },
      // Two in metadata and content of Kim's, one retired, two of Lee's; a password and two addresses in the representation.
      categories: { EMAIL: 6, SECRET: 2 },
      failed: [],
    });
    expect(await kept(store, kim)).toEqual([
      'The password is [REDACTED:SECRET]. [REDACTED:EMAIL] 4.2 true EMAIL,SECRET',
      'Ask [REDACTED:EMAIL]. true EMAIL',
      'The lamp is green.',
    ]);
    expect(await kept(store, lee)).toEqual(['Ask [REDACTED:EMAIL] twice: [REDACTED:EMAIL]. true EMAIL']);
    expect(await kept(store, elsewhere.subject)).toEqual([`Ask ${MAIL}.`]);
    expect((await store.history(lee)).items[0]?.retiredAt).toEqual(new Date(Date.UTC(2026, 1, 1)));
    expect(await store.count(lee)).toBe(0);
    const snapshot = await representationStore.findLatestGlobal(kim);
    expect(JSON.stringify(snapshot)).not.toContain(MAIL);
    expect(JSON.stringify(snapshot)).not.toContain(PASSWORD);
    // Nothing is left to be done.
    const again = await maintenance.redactStored(ops);
    expect([again.observations, again.categories]).toEqual([{ looked: 4, masked: 0 }, {}]);
  });

  it('of a hundred thousand counts the same dry as wet, changes nothing dry, can be aborted, and the index follows', async () => {
    const store = new InMemoryObservationStore();
    const big = peer('big');
    const many = Array.from({ length: 100 }, (_, n) => peer(`peer ${n}`));
    for (let n = 0; n < 100_000; n++) {
      const subject = n % 2 === 0 ? big : (many[n % 100] as PeerView);
      const content =
        n % 10 === 0 ? `Ticket ${n}: write to user${n}@${'example'}.com about the lamp.` : `Ticket ${n} is closed.`;
      await store.save(observation(subject, content));
    }
    const { maintenance, peerMemory } = await assembled(store);
    const searcher = requireTier(peerMemory, 'SEARCH');
    const found = async (query: string) =>
      (await searcher.search({ subject: big, query, topK: 3 })).map(({ observation: one }) => one.content);
    expect((await found('ticket 40 lamp'))[0]).toContain('Ticket 40:');

    const progress: RedactStoredProgress[] = [];
    const dry = await maintenance.redactStored(ops, { dryRun: true, onProgress: (one) => progress.push(one) });
    expect(dry).toMatchObject({
      dryRun: true,
      observations: { looked: 100_000, masked: 10_000 },
      categories: { EMAIL: 10_000 },
    });
    expect(progress.length).toBeGreaterThan(50);
    expect(progress.at(-1)).toEqual({ looked: 100_000, masked: 10_000 });
    expect((await kept(store, big)).filter((content) => content.includes('@'))).toHaveLength(10_000);

    const enough = new AbortController();
    const aborted = maintenance.redactStored(ops, {
      signal: enough.signal,
      onProgress: ({ looked }) => looked >= 5000 && enough.abort(new Error('Enough.')),
    });
    await expect(aborted).rejects.toThrow('Enough.');
    const left = (await kept(store, big)).filter((content) => content.includes('@')).length;
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThan(10_000);

    const wet = await maintenance.redactStored(ops);
    expect(wet.observations).toEqual({ looked: 100_000, masked: left });
    expect((await kept(store, big)).filter((content) => content.includes('@'))).toEqual([]);
    expect((await found('ticket 40 lamp'))[0]).toBe('Ticket 40: write to [REDACTED:EMAIL] about the lamp.');
    expect(await found('example')).toEqual([]);
  });

  it('loses nothing that is recorded meanwhile, and brings no old text back', async () => {
    const store = new InMemoryObservationStore();
    const kim = peer('kim');
    for (let n = 0; n < 300; n++) await store.save(observation(kim, `Lamp ${n} is at ${MAIL}.`));
    const { maintenance, peerMemory } = await assembled(store);
    const recorder = requireTier(peerMemory, 'OBSERVE');
    const sweeping = maintenance.redactStored(ops);
    const told = Array.from({ length: 100 }, (_, n) =>
      recorder.observe({ subject: kim, content: `Lamp ${n} is at ${MAIL}.`, type: 'EXPLICIT' }),
    );
    await Promise.all([sweeping, ...told]);
    await maintenance.redactStored(ops);
    const contents = await kept(store, kim);
    expect(contents.filter((content) => content.includes('@'))).toEqual([]);
    for (let n = 0; n < 300; n++)
      expect(contents.some((content) => content.startsWith(`Lamp ${n} is at [`))).toBe(true);
  });

  it('works on a store of the application that can neither rewrite nor list what is retired', async () => {
    const inner = new InMemoryObservationStore();
    const store = new Proxy(inner, {
      get: (target, name) => {
        if (name === 'rewrite' || name === 'findKeptSubjects') return undefined;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const kim = peer('kim');
    const [live, retired] = [observation(kim, `Ask ${MAIL}.`), observation(kim, `Write to ${MAIL}.`)];
    for (const one of [live, retired]) await inner.save(one);
    await inner.softDelete(retired.id);
    const { maintenance } = await assembled(store);
    expect((await maintenance.redactStored(ops)).observations).toEqual({ looked: 2, masked: 2 });
    expect(await kept(inner, kim)).toEqual([
      'Ask [REDACTED:EMAIL]. true EMAIL',
      'Write to [REDACTED:EMAIL]. true EMAIL',
    ]);
    expect(await inner.count(kim)).toBe(1);
  });

  it('names what the policy fails on, leaves it as it is, and goes on', async () => {
    const store = new InMemoryObservationStore();
    const kim = peer('kim');
    const [bad, good] = [observation(kim, 'poison'), observation(kim, `Ask ${MAIL}.`)];
    for (const one of [bad, good]) await store.save(one);
    const inner = new DefaultRedactionPolicy();
    const policy: RedactionPolicy = {
      name: 'failing',
      redact: (content) => {
        if (content.includes('poison')) throw new Error(content);
        return inner.redact(content);
      },
    };
    const { maintenance } = await assembled(store, { policy });
    const report = await maintenance.redactStored(ops);
    expect(report.failed).toEqual([bad.id.toString()]);
    expect(report.observations).toEqual({ looked: 2, masked: 1 });
    expect(await kept(store, kim)).toEqual(['poison', 'Ask [REDACTED:EMAIL]. true EMAIL']);
  });

  it('is refused where nothing is masked', async () => {
    const spec = MemorySpec.forPeer(ops, peer('kim'))
      .observationStore(new InMemoryObservationStore())
      .withoutRedaction();
    const { maintenance } = await assembleMemory(spec.build());
    await expect(maintenance.redactStored(ops)).rejects.toThrow(
      'MemoryMaintenance.redactStored was called, but aimon.memory.redaction is none, so there is no policy to mask by; set it to default.',
    );
  });

  it('does not move what it masks in time', async () => {
    const store = new InMemoryObservationStore();
    const kim = peer('kim');
    const told = [1, 2, 3].map((day) => observation(kim, `Day ${day}: ${MAIL}`, { createdAt: new Date(day * DAY) }));
    for (const one of told) await store.save(one);
    const { maintenance } = await assembled(store);
    await maintenance.redactStored(ops);
    const { items } = await store.history(kim);
    expect(items.map(({ observation: one }) => one.id.toString())).toEqual(
      told.map(({ id }) => id.toString()).reverse(),
    );
  });
});
