import { digestOf, newId, type AgentId, type SessionId } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ToolCall } from '../domain/tool-call.js';
import { sampleProgress, sampleUnjudged } from './fake-tool-call.js';
import type { CallStore } from './tool-call-store.contract.js';

/** How a repository lists and counts calls, for the limits of sessions, agents and people. */
export function describeCallCounts(opened: () => CallStore): void {
  it('lists the calls of a session, newest first, in pages', async () => {
    const store = opened();
    const sessionId = await store.newSession();
    const calls: ToolCall[] = [];
    for (const askedAt of [5_000, 7_000, 6_000]) calls.push(await store.kept({ sessionId, askedAt }));
    await store.kept();
    await store.kept({ sessionId: await store.newSession() });
    const page = (after: { at: number; id: string } | null, limit: number) =>
      store.inTenant('home', (tx) => store.calls.list(tx, { sessionId, agentId: null, state: null }, { after, limit }));
    const [oldest, newest, middle] = calls;
    expect(await page(null, 10)).toEqual([newest, middle, oldest]);
    expect(await page(null, 2)).toEqual([newest, middle]);
    expect(await page({ at: 6_000, id: middle?.id ?? '' }, 2)).toEqual([oldest]);
    expect(
      await store.inTenant('other', (tx) =>
        store.calls.list(tx, { sessionId, agentId: null, state: null }, { after: null, limit: 10 }),
      ),
    ).toEqual([]);
    await store.kept({ sessionId, askedAt: 8_000, submitter: store.person });
    const ofAgent = (agentId: AgentId) =>
      store.inTenant('home', (tx) =>
        store.calls.list(tx, { sessionId, agentId, state: null }, { after: null, limit: 10 }),
      );
    expect([await ofAgent(store.home.agent.agentId), await ofAgent(newId())]).toEqual([[newest, middle, oldest], []]);
  });

  it('lists the calls of a session that wait, behind any number of newer ones', async () => {
    const store = opened();
    const sessionId = await store.newSession();
    const waiting = await store.pending({ sessionId, askedAt: 5_000 });
    for (const askedAt of [6_000, 7_000]) await store.kept({ sessionId, askedAt }, sampleProgress(null).denied);
    const of = (state: 'pending' | null) =>
      store.inTenant('home', (tx) =>
        store.calls.list(tx, { sessionId, agentId: null, state }, { after: null, limit: 2 }),
      );
    expect(await of('pending')).toEqual([waiting]);
    expect((await of(null)).map(({ state, askedAt }) => [state, askedAt])).toEqual([
      ['denied', 7_000],
      ['denied', 6_000],
    ]);
  });

  it('counts the calls of a session, of a turn and in flight, for one transaction at a time', async () => {
    const store = opened();
    const sessionId = await store.newSession();
    const count = async (turnId: string | null) => {
      const counts = await store.inTenant('home', (tx) => store.calls.lockCounts(tx, sessionId, turnId));
      return [counts.inSession, counts.inTurn, counts.inFlight];
    };
    expect(await count(null)).toEqual([0, 0, 0]);
    await store.kept({ sessionId, turnId: 'turn 1' });
    await store.kept({ sessionId, turnId: 'turn 1' }, sampleProgress(null).denied);
    await store.pending({ sessionId, turnId: 'turn 2' });
    const executor = { name: 'fleet', version: 1, digest: digestOf('executor', {}), answeredBy: 'agent' } as const;
    await store.kept({ sessionId, turnId: 'turn 4', executor });
    const other = await store.newSession();
    await store.pending({ sessionId: other, turnId: 'turn 1' });
    await store.kept();
    expect(await count('turn 1')).toEqual([4, 2, 2]);
    expect(await count('turn 2')).toEqual([4, 1, 2]);
    expect(await count('turn 3')).toEqual([4, 0, 2]);
    expect(await count(null)).toEqual([4, 0, 2]);
    const many = (tenant: 'home' | 'other') =>
      store.inTenant(tenant, (tx) => store.calls.countMany(tx, [sessionId, other, newId<SessionId>()]));
    expect([...(await many('home'))].sort()).toEqual(
      [
        [sessionId, 4],
        [other, 1],
      ].sort(),
    );
    expect([...(await many('other'))]).toEqual([]);
    // An agent names turns as it likes, so that each call of a session waits.
    const waited = await waitsBehind(
      store.world,
      (tx) => store.calls.lockCounts(tx, sessionId, 'turn 1'),
      (tx) => store.calls.lockCounts(tx, sessionId, 'turn 2'),
    );
    expect(waited).toBe(true);
  });

  it('knows if a call of a session is in flight', async () => {
    const store = opened();
    const executor = { name: 'fleet', version: 1, digest: digestOf('executor', {}), answeredBy: 'executor' } as const;
    const { allowed, denied, expired, executing, succeeded, failed, unknown } = sampleProgress(null);
    const any = (sessionId: SessionId, tenant: 'home' | 'other' = 'home') =>
      store.inTenant(tenant, (tx) => store.calls.anyInFlight(tx, sessionId));
    const [resting, waiting] = [await store.newSession(), await store.newSession()];
    await store.pending({ sessionId: waiting });
    await store.pending();
    await store.kept({ sessionId: resting });
    await store.kept({ sessionId: resting, executor }, denied);
    for (const end of [expired, succeeded, failed, unknown]) {
      const call = await store.kept({ sessionId: resting, executor });
      for (const progress of end.state === 'expired' ? [end] : [executing, end])
        await store.inTenant('home', (tx) => store.calls.save(tx, { ...call, ...progress }));
    }
    const [leaving, out] = [await store.newSession(), await store.newSession()];
    await store.kept({ sessionId: leaving, executor }, allowed);
    const sent = await store.kept({ sessionId: out, executor });
    await store.inTenant('home', (tx) => store.calls.save(tx, { ...sent, ...executing }));
    expect([await any(resting), await any(waiting), await any(leaving), await any(out)]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(await any(waiting, 'other')).toBe(false);
  });

  it('finds when an agent or a person asked for the calls since a moment', async () => {
    const store = opened();
    const since = 50_000_000;
    const own = { kind: 'agent', id: store.home.agent.agentId } as const;
    const asked = (skipped: number, tenant: 'home' | 'other' = 'home', from = since) =>
      store.inTenant(tenant, (tx) => store.calls.askedSince(tx, own, { since: from, skipped }));
    expect(await asked(0)).toBeNull();
    await store.kept({ askedAt: since });
    await store.kept({ askedAt: since + 10, sessionId: await store.newSession() });
    await store.kept({ askedAt: since + 20 }, sampleProgress(null).denied);
    const { person } = store;
    const { askedAt } = await store.kept({ askedAt: since + 30, submitter: person });
    const theirs = await store.inTenant('home', (tx) => store.calls.askedSince(tx, person, { since, skipped: 0 }));
    expect(theirs).toBe(askedAt);
    expect([await asked(0), await asked(1), await asked(2)]).toEqual([since + 10, since + 20, null]);
    expect(await asked(0, 'home', since - 1)).toBe(since);
    expect(await asked(0, 'other')).toBeNull();
  });

  it('counts the calls of an agent or a person, for one transaction at a time', async () => {
    const store = opened();
    const { agent, owner } = store.home;
    const [own, theirs] = [
      { kind: 'agent', id: agent.agentId } as const,
      { kind: 'person', id: owner.personId } as const,
    ];
    const used = async (of: typeof own | typeof theirs, turnId: string | null, tenant: 'home' | 'other' = 'home') => {
      const counts = await store.inTenant(tenant, (tx) => store.calls.lockUse(tx, of, turnId));
      return [counts.inHour, counts.inTurn, counts.inFlight];
    };
    const [[hour = 0, , flying = 0], before] = [await used(own, null), await used(theirs, null)];
    const now = await store.inTenant('home', (tx) => tx.now());
    const [turn, another] = [newId(), newId()];
    const executor = { name: 'fleet', version: 1, digest: digestOf('executor', {}), answeredBy: 'agent' } as const;
    const sessionId = await store.newSession();
    // Their times follow each other, as in an hour of a submitter: an old one comes first.
    await store.pending({ askedAt: now - 3_600_000, turnId: turn });
    await store.kept({ askedAt: now, turnId: turn });
    await store.kept({ askedAt: now, turnId: turn, executor });
    await store.kept({ askedAt: now, turnId: turn, executor }, sampleProgress(null).denied);
    await store.pending({ askedAt: now, turnId: another });
    await store.pending({ askedAt: now, turnId: turn, sessionId });
    await store.kept({ askedAt: now, turnId: turn, submitter: store.person, executor });
    expect(await used(own, turn)).toEqual([hour + 5, 3, flying + 3]);
    expect(await used(own, another)).toEqual([hour + 5, 1, flying + 3]);
    expect(await used(own, null)).toEqual([hour + 5, 0, flying + 3]);
    expect(await used(theirs, turn)).toEqual([(before[0] ?? 0) + 1, 1, (before[2] ?? 0) + 1]);
    expect(await used(own, turn, 'other')).toEqual([0, 0, 0]);
    // Names of turns are an agent's own, so that each call of it waits.
    const waited = await waitsBehind(
      store.world,
      (tx) => store.calls.lockUse(tx, own, turn),
      (tx) => store.calls.lockUse(tx, own, another),
    );
    expect(waited).toBe(true);
  });

  it('counts calls that lacked a fact as other calls, and never as in flight', async () => {
    const store = opened();
    const { agent } = store.home;
    const own = { kind: 'agent', id: agent.agentId } as const;
    const [sessionId, turnId, now] = [
      await store.newSession(),
      newId(),
      await store.inTenant('home', (tx) => tx.now()),
    ];
    const counts = () =>
      store.inTenant('home', async (tx) => ({
        session: await store.calls.lockCounts(tx, sessionId, turnId),
        used: await store.calls.lockUse(tx, own, turnId),
        many: (await store.calls.countMany(tx, [sessionId])).get(sessionId),
      }));
    const before = await counts();
    for (const members of [
      { askedAt: now - 3_600_000, turnId },
      { askedAt: now, turnId },
      { askedAt: now, turnId, sessionId },
      { askedAt: now, sessionId },
      { askedAt: now, turnId, submitter: store.person },
    ])
      await store.inTenant('home', (tx) => store.calls.insertUnjudged(tx, sampleUnjudged(store.home, members)));
    expect(await counts()).toEqual({
      session: { inSession: 2, inTurn: 1, inFlight: 0 },
      used: { inHour: before.used.inHour + 3, inTurn: 1, inFlight: before.used.inFlight },
      many: 2,
    });
    const future = now + 80_000_000;
    await store.inTenant('home', (tx) =>
      store.calls.insertUnjudged(tx, sampleUnjudged(store.home, { askedAt: future + 20 })),
    );
    await store.kept({ askedAt: future + 10 });
    const asked = (skipped: number) =>
      store.inTenant('home', (tx) => store.calls.askedSince(tx, own, { since: future, skipped }));
    expect([await asked(0), await asked(1), await asked(2)]).toEqual([future + 10, future + 20, null]);
  });

  it('knows the first refusal of its kind for a time', async () => {
    const store = opened();
    const refusal = { submitterId: newId<AgentId>(), about: newId<SessionId>(), code: 'tool_call.turn_full' };
    const first = (members: Partial<typeof refusal> = {}, forMs = 60_000, tenant: 'home' | 'other' = 'home') =>
      store.inTenant(tenant, (tx) => store.calls.firstRefusal(tx, { ...refusal, ...members }, forMs));
    expect([await first(), await first()]).toEqual([true, false]);
    expect(await first({ submitterId: newId<AgentId>() })).toBe(true);
    expect(await first({ about: newId<SessionId>() })).toBe(true);
    expect(await first({}, 60_000, 'other')).toBe(true);
    expect([await first({ code: 'session.budget_spent' }, 0), await first({ code: 'session.budget_spent' })]).toEqual([
      true,
      true,
    ]);
  });
}
