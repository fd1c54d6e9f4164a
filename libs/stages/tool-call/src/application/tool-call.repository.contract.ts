import type { ToolCallState } from '#lib/formats';
import {
  digestOf,
  newId,
  type AgentId,
  type ApprovalRequestId,
  type CredentialId,
  type DecisionId,
  type SessionId,
  type ToolCallId,
  type Tx,
} from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { ToolCall, ToolCallFacts, ToolCallProgress } from '../domain/tool-call.js';
import { TOOL_CALL_TRANSITIONS } from '../domain/tool-call-transitions.js';
import type { UnjudgedCall } from '../domain/unjudged-call.js';
import { sampleFacts, sampleProgress, sampleToolCall, sampleUnjudged } from './fake-tool-call.js';
import type { CallsOf, NameSpace, ToolCallRepository } from './tool-call.port.js';

interface ToolCallsOpened {
  readonly world: ContractWorld;
  readonly calls: ToolCallRepository;
  newDecision(): Promise<DecisionId>;
  /** Keeps a session of the tenant's agent. */
  newSession(): Promise<SessionId>;
  /** Keeps an approval request about this call. */
  newRequest(tx: Tx, callId: ToolCallId): Promise<ApprovalRequestId>;
}

/** The contract of a repository of calls. */
export function describeToolCallRepository(name: string, open: () => Promise<ToolCallsOpened>): void {
  describe(`${name} keeps the contract of ToolCallRepository`, () => {
    let opened: ToolCallsOpened;
    let decisionId: DecisionId;
    beforeAll(async () => {
      opened = await open();
      decisionId = await opened.newDecision();
    });
    afterAll(() => opened.world.close());

    const inTenant = <T>(tenant: 'home' | 'other', work: (tx: Tx) => Promise<T>): Promise<T> =>
      opened.world.uow.run(opened.world[tenant].tenantId, work);
    const kept = async (
      members: Partial<ToolCallFacts> = {},
      progress: ToolCallProgress = sampleProgress(null).allowed,
    ): Promise<ToolCall> => {
      const call = { ...sampleFacts(opened.world.home, { decisionId, ...members }), ...progress };
      await inTenant('home', (tx) => opened.calls.insert(tx, call));
      return call;
    };
    const pending = (members: Partial<ToolCallFacts> = {}): Promise<ToolCall & { readonly state: 'pending' }> =>
      inTenant('home', async (tx) => {
        const facts = sampleFacts(opened.world.home, { decisionId, ...members });
        const requestId = await opened.newRequest(tx, facts.id);
        const call = { ...facts, state: 'pending', requestId } as const;
        await opened.calls.insert(tx, call);
        return call;
      });
    const found = (id: ToolCallId) => inTenant('home', (tx) => opened.calls.find(tx, id));
    const READS = ['find', 'lock'] as const;

    it('finds a kept call, whole: allowed, denied, rejected by policies and pending', async () => {
      const { owner } = opened.world.home;
      const wholes = [
        await kept({
          clientCallId: newId(),
          turnId: 'turn 1',
          reason: 'To see the files.',
          targets: ['web-01', 'web-02'],
          executor: { name: 'fleet', version: 2, digest: digestOf('executor', {}), answeredBy: 'agent' },
        }),
        await kept(
          {
            submitter: { kind: 'person', id: owner.personId, onBehalfOf: null, credentialId: owner.credentialId },
            shell: null,
          },
          sampleProgress(null).denied,
        ),
        await kept({}, { state: 'denied', requestId: null, decidedAs: 'rejected', decidedAt: 6_000 }),
        await pending(),
      ];
      for (const read of READS)
        for (const call of wholes)
          expect(await inTenant('home', (tx) => opened.calls[read](tx, call.id))).toEqual(call);
    });

    it('saves each state that the lifecycle leads to, whole', async () => {
      const asked = await pending();
      const bystander = await pending();
      const { allowed, executing, unknown, succeeded } = sampleProgress(asked.requestId);
      const denial = { code: 'tool_call.cancelled', message: 'The session ended.' };
      const { state: _, requestId: __, ...facts } = asked;
      for (const progress of [allowed, executing, unknown, succeeded]) {
        const next: ToolCall = { ...facts, ...progress };
        await inTenant('home', (tx) => opened.calls.save(tx, next));
        expect(await found(asked.id)).toEqual(next);
      }
      const { expired, failed } = sampleProgress(null);
      const ends: readonly (readonly ToolCallProgress[])[] = [
        [expired],
        [sampleProgress(null).executing, failed],
        [{ state: 'denied', requestId: null, decidedAs: 'cancelled', decidedAt: 8_000, denial }],
      ];
      for (const way of ends) {
        const another = sampleFacts(opened.world.home, { decisionId });
        await kept(another);
        for (const progress of way) {
          await inTenant('home', (tx) => opened.calls.save(tx, { ...another, ...progress }));
          expect(await found(another.id)).toEqual({ ...another, ...progress });
        }
      }
      expect(await found(bystander.id)).toEqual(bystander);
    });

    it('refuses every other change of state (CS002), also at the beginning', async () => {
      const asked = await pending();
      const { requestId } = asked;
      const states = { pending: { state: 'pending', requestId } as const, ...sampleProgress(null) };
      const refused = (work: Promise<unknown>) =>
        work.then(
          () => 'saved',
          (error: unknown) => (error as { code?: string }).code,
        );
      const names = Object.keys(states) as ToolCallState[];
      for (const to of names) {
        if (TOOL_CALL_TRANSITIONS.some((row) => row.from === '' && row.to === to)) continue;
        const begun: ToolCall = { ...sampleFacts(opened.world.home, { decisionId }), ...states[to] };
        expect([to, await refused(inTenant('home', (tx) => opened.calls.insert(tx, begun)))]).toEqual([to, 'CS002']);
      }
      const { allowed, executing, succeeded, failed, unknown, expired, denied } = states;
      const ways: readonly (readonly [ToolCallProgress, ...ToolCallProgress[]])[] = [
        [allowed],
        [denied],
        [allowed, expired],
        [allowed, executing],
        [allowed, executing, succeeded],
        [allowed, executing, failed],
        [allowed, executing, unknown],
      ];
      for (const way of [null, ...ways]) {
        const call = way === null ? asked : await kept({}, way[0]);
        const later = way?.slice(1) ?? [];
        for (const progress of later) await inTenant('home', (tx) => opened.calls.save(tx, { ...call, ...progress }));
        const from = later.at(-1)?.state ?? call.state;
        const legal = TOOL_CALL_TRANSITIONS.filter((row) => row.from === from).map(({ to }) => to);
        for (const to of names.filter((name) => name !== from && !legal.some((state) => state === name))) {
          const save = inTenant('home', (tx) => opened.calls.save(tx, { ...call, ...states[to] }));
          expect([from, to, await refused(save)]).toEqual([from, to, 'CS002']);
        }
      }
    });

    it('lists the calls of a session, newest first, in pages', async () => {
      const sessionId = await opened.newSession();
      const calls: ToolCall[] = [];
      for (const askedAt of [5_000, 7_000, 6_000]) calls.push(await kept({ sessionId, askedAt }));
      await kept();
      await kept({ sessionId: await opened.newSession() });
      const page = (after: { at: number; id: string } | null, limit: number) =>
        inTenant('home', (tx) => opened.calls.list(tx, { sessionId, agentId: null, state: null }, { after, limit }));
      const [oldest, newest, middle] = calls;
      expect(await page(null, 10)).toEqual([newest, middle, oldest]);
      expect(await page(null, 2)).toEqual([newest, middle]);
      expect(await page({ at: 6_000, id: middle?.id ?? '' }, 2)).toEqual([oldest]);
      expect(
        await inTenant('other', (tx) =>
          opened.calls.list(tx, { sessionId, agentId: null, state: null }, { after: null, limit: 10 }),
        ),
      ).toEqual([]);
      const { agent, owner } = opened.world.home;
      const { personId: id, credentialId } = owner;
      const submitter = { kind: 'person', id, onBehalfOf: null, credentialId } as const;
      await kept({ sessionId, askedAt: 8_000, submitter });
      const ofAgent = (agentId: AgentId) =>
        inTenant('home', (tx) =>
          opened.calls.list(tx, { sessionId, agentId, state: null }, { after: null, limit: 10 }),
        );
      expect([await ofAgent(agent.agentId), await ofAgent(newId())]).toEqual([[newest, middle, oldest], []]);
    });

    it('lists the calls of a session that wait, behind any number of newer ones', async () => {
      const sessionId = await opened.newSession();
      const waiting = await pending({ sessionId, askedAt: 5_000 });
      for (const askedAt of [6_000, 7_000]) await kept({ sessionId, askedAt }, sampleProgress(null).denied);
      const of = (state: 'pending' | null) =>
        inTenant('home', (tx) => opened.calls.list(tx, { sessionId, agentId: null, state }, { after: null, limit: 2 }));
      expect(await of('pending')).toEqual([waiting]);
      expect((await of(null)).map(({ state, askedAt }) => [state, askedAt])).toEqual([
        ['denied', 7_000],
        ['denied', 6_000],
      ]);
    });

    it('counts the calls of a session, of a turn and in flight, for one transaction at a time', async () => {
      const sessionId = await opened.newSession();
      const count = async (turnId: string | null) => {
        const counts = await inTenant('home', (tx) => opened.calls.lockCounts(tx, sessionId, turnId));
        return [counts.inSession, counts.inTurn, counts.inFlight];
      };
      expect(await count(null)).toEqual([0, 0, 0]);
      await kept({ sessionId, turnId: 'turn 1' });
      await kept({ sessionId, turnId: 'turn 1' }, sampleProgress(null).denied);
      await pending({ sessionId, turnId: 'turn 2' });
      const executor = { name: 'fleet', version: 1, digest: digestOf('executor', {}), answeredBy: 'agent' } as const;
      await kept({ sessionId, turnId: 'turn 4', executor });
      const other = await opened.newSession();
      await pending({ sessionId: other, turnId: 'turn 1' });
      await kept();
      expect(await count('turn 1')).toEqual([4, 2, 2]);
      expect(await count('turn 2')).toEqual([4, 1, 2]);
      expect(await count('turn 3')).toEqual([4, 0, 2]);
      expect(await count(null)).toEqual([4, 0, 2]);
      const many = (tenant: 'home' | 'other') =>
        inTenant(tenant, (tx) => opened.calls.countMany(tx, [sessionId, other, newId<SessionId>()]));
      expect([...(await many('home'))].sort()).toEqual(
        [
          [sessionId, 4],
          [other, 1],
        ].sort(),
      );
      expect([...(await many('other'))]).toEqual([]);
      // An agent names turns as it likes, so that each call of a session waits.
      const waited = await waitsBehind(
        opened.world,
        (tx) => opened.calls.lockCounts(tx, sessionId, 'turn 1'),
        (tx) => opened.calls.lockCounts(tx, sessionId, 'turn 2'),
      );
      expect(waited).toBe(true);
    });

    it('knows if a call of a session is in flight', async () => {
      const executor = { name: 'fleet', version: 1, digest: digestOf('executor', {}), answeredBy: 'executor' } as const;
      const { allowed, denied, expired, executing, succeeded, failed, unknown } = sampleProgress(null);
      const any = (sessionId: SessionId, tenant: 'home' | 'other' = 'home') =>
        inTenant(tenant, (tx) => opened.calls.anyInFlight(tx, sessionId));
      const [resting, waiting] = [await opened.newSession(), await opened.newSession()];
      await pending({ sessionId: waiting });
      await pending();
      await kept({ sessionId: resting });
      await kept({ sessionId: resting, executor }, denied);
      for (const end of [expired, succeeded, failed, unknown]) {
        const call = await kept({ sessionId: resting, executor });
        for (const progress of end.state === 'expired' ? [end] : [executing, end])
          await inTenant('home', (tx) => opened.calls.save(tx, { ...call, ...progress }));
      }
      const [leaving, out] = [await opened.newSession(), await opened.newSession()];
      await kept({ sessionId: leaving, executor }, allowed);
      const sent = await kept({ sessionId: out, executor });
      await inTenant('home', (tx) => opened.calls.save(tx, { ...sent, ...executing }));
      expect([await any(resting), await any(waiting), await any(leaving), await any(out)]).toEqual([
        false,
        true,
        true,
        true,
      ]);
      expect(await any(waiting, 'other')).toBe(false);
    });

    it('finds how long ago an agent or a person asked for so many calls', async () => {
      const { owner } = opened.world.home;
      const since = 50_000_000;
      const newest = (count: number, tenant: 'home' | 'other' = 'home', from = since) =>
        inTenant(tenant, (tx) => opened.calls.newest(tx, own, { count, since: from }));
      const own = { kind: 'agent', id: opened.world.home.agent.agentId } as const;
      expect(await newest(1)).toBeNull();
      await kept({ askedAt: since });
      await kept({ askedAt: since + 10, sessionId: await opened.newSession() });
      await kept({ askedAt: since + 20 }, sampleProgress(null).denied);
      const person = {
        kind: 'person',
        id: owner.personId,
        onBehalfOf: null,
        credentialId: owner.credentialId,
      } as const;
      const { askedAt } = await kept({ askedAt: since + 30, submitter: person });
      expect(await inTenant('home', (tx) => opened.calls.newest(tx, person, { count: 1, since }))).toBe(askedAt);
      expect([await newest(1), await newest(2), await newest(3)]).toEqual([since + 20, since + 10, null]);
      expect(await newest(3, 'home', since - 1)).toBe(since);
      expect(await newest(1, 'other')).toBeNull();
    });

    it('counts the calls of an agent or a person, for one transaction at a time', async () => {
      const { agent, owner } = opened.world.home;
      const [own, theirs] = [
        { kind: 'agent', id: agent.agentId } as const,
        { kind: 'person', id: owner.personId } as const,
      ];
      const used = async (of: typeof own | typeof theirs, turnId: string | null, tenant: 'home' | 'other' = 'home') => {
        const counts = await inTenant(tenant, (tx) => opened.calls.lockUse(tx, of, turnId));
        return [counts.inHour, counts.inTurn, counts.inFlight];
      };
      const [[hour = 0, , flying = 0], before] = [await used(own, null), await used(theirs, null)];
      const now = await inTenant('home', (tx) => tx.now());
      const [turn, another] = [newId(), newId()];
      const executor = { name: 'fleet', version: 1, digest: digestOf('executor', {}), answeredBy: 'agent' } as const;
      const sessionId = await opened.newSession();
      const submitter = { ...theirs, onBehalfOf: null, credentialId: owner.credentialId };
      await kept({ askedAt: now, turnId: turn });
      await kept({ askedAt: now, turnId: turn, executor });
      await kept({ askedAt: now, turnId: turn, executor }, sampleProgress(null).denied);
      await pending({ askedAt: now, turnId: another });
      await pending({ askedAt: now - 3_600_000, turnId: turn });
      await pending({ askedAt: now, turnId: turn, sessionId });
      await kept({ askedAt: now, turnId: turn, submitter, executor });
      expect(await used(own, turn)).toEqual([hour + 5, 3, flying + 3]);
      expect(await used(own, another)).toEqual([hour + 5, 1, flying + 3]);
      expect(await used(own, null)).toEqual([hour + 5, 0, flying + 3]);
      expect(await used(theirs, turn)).toEqual([(before[0] ?? 0) + 1, 1, (before[2] ?? 0) + 1]);
      expect(await used(own, turn, 'other')).toEqual([0, 0, 0]);
      // Names of turns are an agent's own, so that each call of it waits.
      const waited = await waitsBehind(
        opened.world,
        (tx) => opened.calls.lockUse(tx, own, turn),
        (tx) => opened.calls.lockUse(tx, own, another),
      );
      expect(waited).toBe(true);
    });

    it('keeps calls that lacked a fact for their names, whole, and in no list', async () => {
      const sessionId = await opened.newSession();
      const { personId: id, credentialId } = opened.world.home.owner;
      const submitter = { kind: 'person', id, onBehalfOf: null, credentialId } as const;
      const errors = [
        { pointer: '/lin\u0000', code: 'tool.argument_unknown', message: 'There is no parameter.', suggestion: 'line' },
      ];
      const keep = async (members: Partial<UnjudgedCall> = {}): Promise<UnjudgedCall> => {
        const call = sampleUnjudged(opened.world.home, { clientCallId: newId(), ...members });
        await inTenant('home', (tx) => opened.calls.insertUnjudged(tx, call));
        return call;
      };
      const named = (call: UnjudgedCall, members: Partial<NameSpace> = {}, tenant: 'home' | 'other' = 'home') =>
        inTenant(tenant, (tx) =>
          opened.calls.lockNamed(
            tx,
            { sessionId: call.sessionId, submitter: call.submitter, ...members },
            call.clientCallId ?? '',
          ),
        );
      const unfit = { tool: { name: 'shell', version: 2 }, code: 'policy.invalid_arguments', errors } as const;
      const calls = [
        await keep({ turnId: 'turn 1' }),
        await keep(unfit),
        await keep({ submitter }),
        await keep({ sessionId }),
        await keep({ sessionId, submitter }),
      ];
      const rotated = { credentialId: newId<CredentialId>() };
      for (const call of calls) {
        expect(await named(call)).toEqual(call);
        expect(await named(call, {}, 'other')).toBeUndefined();
        expect(await named(call, { sessionId: await opened.newSession() })).toBeUndefined();
        const own = call.submitter.kind === 'agent' || call.sessionId !== null ? call : undefined;
        expect(await named(call, { submitter: { ...call.submitter, ...rotated } })).toEqual(own);
        expect(await found(call.id)).toBeUndefined();
      }
      const listed = (tx: Tx) =>
        opened.calls.list(tx, { sessionId, agentId: null, state: null }, { after: null, limit: 10 });
      expect(await inTenant('home', listed)).toEqual([]);
    });

    it('counts calls that lacked a fact as other calls, and never as in flight', async () => {
      const { agent, owner } = opened.world.home;
      const own = { kind: 'agent', id: agent.agentId } as const;
      const [sessionId, turnId, now] = [await opened.newSession(), newId(), await inTenant('home', (tx) => tx.now())];
      const counts = () =>
        inTenant('home', async (tx) => ({
          session: await opened.calls.lockCounts(tx, sessionId, turnId),
          used: await opened.calls.lockUse(tx, own, turnId),
          many: (await opened.calls.countMany(tx, [sessionId])).get(sessionId),
        }));
      const before = await counts();
      const submitter = {
        kind: 'person',
        id: owner.personId,
        onBehalfOf: null,
        credentialId: owner.credentialId,
      } as const;
      for (const members of [
        { askedAt: now, turnId },
        { askedAt: now, turnId, sessionId },
        { askedAt: now, sessionId },
        { askedAt: now - 3_600_000, turnId },
        { askedAt: now, turnId, submitter },
      ])
        await inTenant('home', (tx) => opened.calls.insertUnjudged(tx, sampleUnjudged(opened.world.home, members)));
      expect(await counts()).toEqual({
        session: { inSession: 2, inTurn: 1, inFlight: 0 },
        used: { inHour: before.used.inHour + 3, inTurn: 1, inFlight: before.used.inFlight },
        many: 2,
      });
      const future = now + 80_000_000;
      await inTenant('home', (tx) =>
        opened.calls.insertUnjudged(tx, sampleUnjudged(opened.world.home, { askedAt: future + 20 })),
      );
      await kept({ askedAt: future + 10 });
      const newest = (count: number) =>
        inTenant('home', (tx) => opened.calls.newest(tx, own, { count, since: future }));
      expect([await newest(1), await newest(2), await newest(3)]).toEqual([future + 20, future + 10, null]);
    });

    it('knows the first refusal of its kind for a time', async () => {
      const refusal = { submitterId: newId<AgentId>(), about: newId<SessionId>(), code: 'tool_call.turn_full' };
      const first = (members: Partial<typeof refusal> = {}, forMs = 60_000, tenant: 'home' | 'other' = 'home') =>
        inTenant(tenant, (tx) => opened.calls.firstRefusal(tx, { ...refusal, ...members }, forMs));
      expect([await first(), await first()]).toEqual([true, false]);
      expect(await first({ submitterId: newId<AgentId>() })).toBe(true);
      expect(await first({ about: newId<SessionId>() })).toBe(true);
      expect(await first({}, 60_000, 'other')).toBe(true);
      expect([await first({ code: 'session.budget_spent' }, 0), await first({ code: 'session.budget_spent' })]).toEqual(
        [true, true],
      );
    });

    it('finds the pending twin of a call, for one transaction at a time', async () => {
      const sessionId = await opened.newSession();
      const { owner, staging } = opened.world.home;
      const argumentsDigest = digestOf('arguments', { line: newId() });
      const of = (members: Partial<ToolCallFacts> = {}) =>
        sampleFacts(opened.world.home, { decisionId, sessionId, argumentsDigest, ...members });
      const twin = (members: Partial<ToolCallFacts> = {}, tenant: 'home' | 'other' = 'home') =>
        inTenant(tenant, (tx) => opened.calls.lockTwin(tx, of(members)));
      await kept(of());
      expect(await twin()).toBeUndefined();
      const call = await pending(of());
      expect(await twin()).toEqual(call);
      expect(await twin({ submitter: { ...call.submitter, credentialId: newId<CredentialId>() } })).toEqual(call);
      const others: readonly Partial<ToolCallFacts>[] = [
        { submitter: { kind: 'person', id: owner.personId, onBehalfOf: null, credentialId: owner.credentialId } },
        { tool: { name: 'another', version: 1 } },
        { tool: { name: 'shell', version: 2 } },
        { environment: { ...call.environment, id: staging.id } },
        { argumentsDigest: digestOf('arguments', { line: 'ls' }) },
      ];
      for (const members of others) expect([members, await twin(members)]).toEqual([members, undefined]);
      expect(await twin({}, 'other')).toBeUndefined();
      expect(await twin({ sessionId: null })).toEqual(call);
      expect(await twin({ sessionId: await opened.newSession() })).toEqual(call);
      expect(
        await waitsBehind(opened.world, async (tx) => {
          await opened.calls.lockTwin(tx, call);
        }),
      ).toBe(true);
    });

    it('finds many at once', async () => {
      const [one, other] = [await kept(), await pending()];
      await kept();
      const many = (tenant: 'home' | 'other') =>
        inTenant(tenant, (tx) => opened.calls.findMany(tx, [one.id, other.id, newId<ToolCallId>()]));
      expect((await many('home')).toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([one, other]);
      expect(await many('other')).toEqual([]);
    });

    it('locks the allowed and executing calls of a session or under a halt, and no others', async () => {
      const { agent, owner, production, staging } = opened.world.home;
      const { executing, denied, succeeded } = sampleProgress(null);
      const mine = { tool: { name: newId(), version: 1 } };
      const person = {
        kind: 'person',
        id: owner.personId,
        onBehalfOf: null,
        credentialId: owner.credentialId,
      } as const;
      const elsewhere = { id: staging.id, name: staging.name, digest: 'sha256:00' };
      const left = async (...way: readonly ToolCallProgress[]): Promise<ToolCall> => {
        const call = await kept(mine);
        for (const progress of way) await inTenant('home', (tx) => opened.calls.save(tx, { ...call, ...progress }));
        return call;
      };
      const one = await kept(mine);
      const again = { ...executing, attempt: 2, leaseUntil: executing.leaseUntil + 1_000 };
      const out = await left(executing, again);
      const byPerson = await kept({ ...mine, submitter: person });
      const inStaging = await kept({ ...mine, environment: elsewhere });
      await kept(mine, denied);
      await left(executing, succeeded);
      expect(await found(out.id)).toMatchObject({ attempt: 2, leaseUntil: again.leaseUntil });
      const ids = async (target: CallsOf) =>
        (await inTenant('home', (tx) => opened.calls.lockLive(tx, target)))
          .filter(({ tool }) => tool.name === mine.tool.name)
          .map(({ id }) => id);
      const all = [one.id, out.id, byPerson.id, inStaging.id];
      expect(await ids({ kind: 'tenant' })).toEqual(all);
      expect(await ids({ kind: 'tool', tool: mine.tool.name })).toEqual(all);
      expect(await ids({ kind: 'tool', tool: 'shell' })).toEqual([]);
      expect(await ids({ kind: 'agent', agentId: agent.agentId })).toEqual([one.id, out.id, inStaging.id]);
      const target = { kind: 'environment', environmentId: production.id, environment: production.name } as const;
      expect(await ids(target)).toEqual([one.id, out.id, byPerson.id]);
      const sessionId = await opened.newSession();
      const inSession = await kept({ ...mine, sessionId });
      expect(await ids({ kind: 'session', sessionId })).toEqual([inSession.id]);
      expect(await inTenant('other', (tx) => opened.calls.lockLive(tx, { kind: 'tenant' }))).toEqual([]);
    });

    it('locks the pending calls of a session or under a halt, and no others', async () => {
      const sessionId = await opened.newSession();
      const [one, other] = [await pending({ sessionId }), await pending({ sessionId })];
      await kept({ sessionId });
      const { owner, staging, agent } = opened.world.home;
      const elsewhere = await pending({
        submitter: { kind: 'person', id: owner.personId, onBehalfOf: null, credentialId: owner.credentialId },
        environment: { id: staging.id, name: staging.name, digest: 'a digest' },
        tool: { name: 'another', version: 1 },
      });
      const locked = async (of: CallsOf, tenant: 'home' | 'other' = 'home') =>
        (await inTenant(tenant, (tx) => opened.calls.lockPending(tx, of))).map(({ id }) => id);
      expect(await inTenant('home', (tx) => opened.calls.lockPending(tx, { kind: 'session', sessionId }))).toEqual([
        one,
        other,
      ]);
      expect(await locked({ kind: 'environment', environmentId: staging.id, environment: 'staging' })).toEqual([
        elsewhere.id,
      ]);
      expect(await locked({ kind: 'tool', tool: 'another' })).toEqual([elsewhere.id]);
      const ofAgent = await locked({ kind: 'agent', agentId: agent.agentId });
      expect(ofAgent).toEqual(expect.arrayContaining([one.id, other.id]));
      expect(ofAgent).not.toContain(elsewhere.id);
      expect(await locked({ kind: 'tenant' })).toEqual([...ofAgent, elsewhere.id]);
      expect(await locked({ kind: 'tenant' }, 'other')).toEqual([]);
      const waited = await waitsBehind(
        opened.world,
        async (tx) => {
          await opened.calls.lockPending(tx, { kind: 'session', sessionId });
        },
        async (tx) => {
          await opened.calls.lock(tx, one.id);
        },
      );
      expect(waited).toBe(true);
    });

    it('has nothing under another id, and nothing for another tenant', async () => {
      const { id } = await kept();
      for (const read of READS) {
        expect(await inTenant('home', (tx) => opened.calls[read](tx, newId<ToolCallId>()))).toBeUndefined();
        expect(await inTenant('other', (tx) => opened.calls[read](tx, id))).toBeUndefined();
      }
    });

    it('finds a call outside sessions by the name of its agent, or of its person with one credential', async () => {
      const { owner } = opened.world.home;
      const clientCallId = newId();
      const call = await kept({ clientCallId });
      const person = {
        kind: 'person',
        id: owner.personId,
        onBehalfOf: null,
        credentialId: owner.credentialId,
      } as const;
      const ofPerson = await kept({ clientCallId, submitter: person });
      const named = (
        submitter: ToolCall['submitter'],
        { own = clientCallId, tenant = 'home' }: { readonly own?: string; readonly tenant?: 'home' | 'other' } = {},
      ) => inTenant(tenant, (tx) => opened.calls.lockNamed(tx, { sessionId: null, submitter }, own));
      const rotated = { credentialId: newId<CredentialId>() };
      expect(await named(call.submitter)).toEqual(call);
      expect(await named({ ...call.submitter, ...rotated })).toEqual(call);
      expect(await named({ ...call.submitter, kind: 'agent', id: newId<AgentId>(), onBehalfOf: null })).toBeUndefined();
      expect(await named(person)).toEqual(ofPerson);
      expect(await named({ ...person, ...rotated })).toBeUndefined();
      expect(await named(call.submitter, { own: newId() })).toBeUndefined();
      expect(await named(call.submitter, { tenant: 'other' })).toBeUndefined();
      await kept({ sessionId: await opened.newSession(), clientCallId });
      expect(await named(call.submitter)).toEqual(call);
    });

    it('finds a call of a session by the name that its agent or person gave it, with any credential of theirs', async () => {
      const [clientCallId, sessionId] = [newId(), await opened.newSession()];
      const call = await kept({ sessionId, clientCallId });
      const { owner } = opened.world.home;
      const person = {
        kind: 'person',
        id: owner.personId,
        onBehalfOf: null,
        credentialId: owner.credentialId,
      } as const;
      const ofPerson = await kept({ sessionId, clientCallId, submitter: person });
      const named = (id: ToolCall['submitter']['id'], within = sessionId, tenant: 'home' | 'other' = 'home') =>
        inTenant(tenant, (tx) =>
          opened.calls.lockNamed(
            tx,
            { sessionId: within, submitter: { kind: 'agent', id, credentialId: newId<CredentialId>() } },
            clientCallId,
          ),
        );
      expect(await named(call.submitter.id)).toEqual(call);
      expect(await named(person.id)).toEqual(ofPerson);
      expect(await named(opened.world.other.owner.personId)).toBeUndefined();
      expect(await named(call.submitter.id, await opened.newSession())).toBeUndefined();
      expect(await named(call.submitter.id, sessionId, 'other')).toBeUndefined();
    });

    it('lets an agent give a name once, in a session and outside', async () => {
      for (const sessionId of [null, await opened.newSession()]) {
        const clientCallId = newId();
        await kept({ sessionId, clientCallId });
        await expect(kept({ sessionId, clientCallId })).rejects.toMatchObject({ code: '23505' });
      }
    });

    it('lets a second request with a name wait for the first', async () => {
      const clientCallId = newId();
      const call = sampleToolCall(opened.world.home, { decisionId, clientCallId });
      const { submitter } = call;
      const waited = await waitsBehind(
        opened.world,
        async (tx) => {
          expect(await opened.calls.lockNamed(tx, { sessionId: null, submitter }, clientCallId)).toBeUndefined();
          await opened.calls.insert(tx, call);
        },
        async (tx) => {
          expect(await opened.calls.lockNamed(tx, { sessionId: null, submitter }, clientCallId)).toEqual(call);
        },
      );
      expect(waited).toBe(true);
    });
  });
}
