import { newId, type AgentId, type Principal } from '#lib/kernel';
import { DEFAULT_AUTONOMY } from '../domain/session.js';
import { DEFAULT_LIMITS } from './fake-session.js';
import { sessionWorld } from './fake-session-world.js';
import type { WantedSession } from './open-session.js';

const wanted = (members: Partial<WantedSession> = {}): WantedSession => ({
  environment: 'staging',
  agentIds: null,
  autonomy: DEFAULT_AUTONOMY,
  model: null,
  ...DEFAULT_LIMITS,
  ...members,
});

describe('a session', () => {
  it('is opened by an agent for itself, on record', async () => {
    const { open, home, uow, found, audited } = await sessionWorld();
    const asked = wanted({
      autonomy: { preset: 'modes', level: 'MANUAL', mode: 'always-ask' },
      model: 'a model, password=hunter2',
      idleSeconds: 60,
      approvalSeconds: 10,
      callsPerTurn: 3,
    });
    const opened = await open.execute({ ...home.agent, onBehalfOf: home.admin.personId }, asked);
    if (!opened.ok) throw new Error(opened.error.code);
    expect(await found(opened.value.id)).toEqual(opened.value);
    expect(opened.value).toMatchObject({
      environment: { id: home.staging.id, name: 'staging' },
      agentIds: [home.agent.agentId],
      autonomy: asked.autonomy,
      revision: 1,
      idleSeconds: 60,
      approvalSeconds: 10,
      callsPerTurn: 3,
      state: 'open',
      endedReason: null,
      openedBy: { kind: 'agent', id: home.agent.agentId, onBehalfOf: home.admin.personId },
      openedAt: uow.now,
      lastUsedAt: uow.now,
      endedAt: null,
    });
    expect(JSON.stringify([opened.value, audited()])).not.toContain('hunter2');
    const subject = { type: 'session', id: opened.value.id };
    expect(audited()).toMatchObject([
      {
        action: 'session.opened',
        actor: { kind: 'agent', id: home.agent.agentId },
        level: 'detailed',
        subject,
        within: [subject],
        payload: {
          environment: 'staging',
          agent_ids: [home.agent.agentId],
          preset: 'modes',
          level: 'MANUAL',
          mode: 'always-ask',
          idle_seconds: 60,
          approval_seconds: 10,
          calls_per_turn: 3,
        },
      },
    ]);
  });

  it.each([{ approvalSeconds: 121 }, { callsPerTurn: 9 }, { callBudget: 501 }])(
    'T55: is opened with %j by a person alone',
    async (limits) => {
      const { open, home, audited } = await sessionWorld();
      const asked = wanted({ agentIds: [home.agent.agentId], ...limits });
      for (const by of [home.agent, home.owner])
        expect(await open.execute(by, asked)).toMatchObject({ error: { code: 'session.opened_looser' } });
      expect(audited().map(({ action }) => action)).toEqual(['session.open_refused', 'session.open_refused']);
      expect((await open.execute({ ...home.owner, credentialKind: 'browser_session' }, asked)).ok).toBe(true);
    },
  );

  it('is one of twenty that an agent has open, or of so many as its tenant says', async () => {
    const { open, home, uow, put, another, stranger } = await sessionWorld();
    const opened = async (idleSeconds = 3_600) => {
      const result = await open.execute(home.agent, wanted({ idleSeconds }));
      return result.ok ? 'ok' : result.error.code;
    };
    for (let count = 0; count < 19; count += 1) expect(await opened()).toBe('ok');
    expect([await opened(60), await opened()]).toEqual(['ok', 'session.too_many_open']);
    const together = wanted({ agentIds: [home.agent.agentId, another.agentId] });
    expect(
      await open.execute({ ...stranger, roles: [{ role: 'PlatformAdmin', assignedAt: 0 }] }, together),
    ).toMatchObject({
      error: {
        kind: 'rate_limited',
        code: 'session.too_many_open',
        details: { agent_id: home.agent.agentId, sessions_per_agent: 20 },
        retryAfterSeconds: 60,
      },
    });
    expect((await open.execute(another, wanted())).ok).toBe(true);
    uow.now += 60_000;
    expect([await opened(), await opened()]).toEqual(['ok', 'session.too_many_open']);
    await put('autonomy:\n  mode: plan_only\n  sessions_per_agent: 21\n', 1);
    expect([await opened(), await opened()]).toEqual(['ok', 'session.too_many_open']);
  });

  it('is refused on record if its agent has too many, once in ten minutes for each submitter', async () => {
    const { open, home, uow, put, audited } = await sessionWorld();
    await put('autonomy:\n  mode: plan_only\n  sessions_per_agent: 1\n', 1);
    const asked = wanted({ agentIds: [home.agent.agentId], idleSeconds: 3_600 });
    const refusals = () => audited().filter(({ action }) => action === 'session.open_refused');
    const refused = async (by: Principal) => {
      expect(await open.execute(by, asked)).toMatchObject({ error: { code: 'session.too_many_open' } });
      return refusals().length;
    };
    expect((await open.execute(home.agent, asked)).ok).toBe(true);
    expect([await refused(home.agent), await refused(home.agent), await refused(home.owner)]).toEqual([1, 1, 2]);
    uow.now += 10 * 60_000 - 1;
    expect(await refused(home.agent)).toBe(2);
    uow.now += 1;
    expect(await refused(home.agent)).toBe(3);
    expect(refusals()[0]).toMatchObject({
      actor: { kind: 'agent', id: home.agent.agentId },
      level: 'detailed',
      payload: {
        code: 'session.too_many_open',
        environment: 'staging',
        agent_id: home.agent.agentId,
        sessions_per_agent: 1,
      },
    });
  });

  it('gets the budget of calls of its tenant, which nobody exceeds', async () => {
    const { open, home, put } = await sessionWorld();
    const person = { ...home.owner, credentialKind: 'browser_session' as const };
    const opened = async (by: Principal, callBudget: number | null) => {
      const result = await open.execute(by, wanted({ agentIds: [home.agent.agentId], callBudget }));
      return result.ok ? result.value.callBudget : result.error.code;
    };
    expect([await opened(home.agent, null), await opened(home.agent, 3), await opened(person, 10_000)]).toEqual([
      500, 3, 10_000,
    ]);
    await put('autonomy:\n  mode: plan_only\n  calls_per_session: 700\n', 1);
    expect([await opened(home.agent, null), await opened(home.agent, 700), await opened(home.agent, 701)]).toEqual([
      700,
      700,
      'session.budget_too_large',
    ]);
    expect(await opened(person, 701)).toBe('session.budget_too_large');
  });

  it('is opened by a person for agents that they answer for, each once', async () => {
    const { open, home } = await sessionWorld();
    const { agentId } = home.agent;
    expect(await open.execute(home.owner, wanted({ agentIds: [agentId, agentId] }))).toMatchObject({
      ok: true,
      value: { agentIds: [agentId], openedBy: { kind: 'person', id: home.owner.personId } },
    });
  });

  it('is opened by an admin for any agents', async () => {
    const { open, home, another } = await sessionWorld();
    const agentIds = [another.agentId, home.agent.agentId];
    expect(await open.execute(home.admin, wanted({ agentIds }))).toMatchObject({
      ok: true,
      value: { agentIds: agentIds.sort() },
    });
  });

  it('is refused with a code, and leaves nothing', async () => {
    const world = await sessionWorld();
    const { home, other, another, stranger } = world;
    const own = home.agent.agentId;
    const system: Principal = { kind: 'system', tenantId: home.tenantId, name: 'x' };
    const cases: readonly (readonly [Principal, Partial<WantedSession>, string, string | null])[] = [
      [home.agent, { agentIds: [own, another.agentId] }, 'session.agents_not_yours', null],
      [stranger, { agentIds: [own] }, 'session.agents_not_yours', null],
      [home.owner, { agentIds: [own, another.agentId] }, 'session.agents_not_yours', null],
      [home.owner, {}, 'session.agents_missing', '/agent_ids'],
      [home.admin, { agentIds: [newId<AgentId>()] }, 'session.unknown_agent', '/agent_ids'],
      [home.admin, { agentIds: [other.agent.agentId] }, 'session.unknown_agent', '/agent_ids'],
      [home.agent, { environment: 'stagging' }, 'session.unknown_environment', '/environment'],
      [system, {}, 'task.submitter_required', null],
    ];
    for (const [by, members, code, pointer] of cases) {
      const refused = await world.open.execute(by, wanted(members));
      expect(refused).toMatchObject({ ok: false, error: { code } });
      if (!refused.ok) expect(refused.error.errors?.[0]?.pointer ?? null).toBe(pointer);
    }
    await world.disable(own);
    expect(await world.open.execute(home.owner, wanted({ agentIds: [own] }))).toMatchObject({
      error: { code: 'session.agent_disabled' },
    });
    expect(await world.read.list(home.admin, { state: null, agentId: null }, { limit: 9, after: null })).toEqual([]);
    expect(world.audited()).toEqual([]);
  });

  it('T55: is opened looser than the default by a person in a browser or in Slack, and by no token', async () => {
    const { open, read, home, audited } = await sessionWorld();
    const loose = wanted({ autonomy: { ...DEFAULT_AUTONOMY, preset: 'levels' }, agentIds: [home.agent.agentId] });
    const tokens: readonly Principal[] = [home.agent, home.owner, { ...home.admin, credentialKind: 'issuer_token' }];
    for (const by of tokens)
      expect(await open.execute(by, loose)).toMatchObject({
        error: { kind: 'forbidden', code: 'session.opened_looser', reasons: [{ code: 'session.loosened_by_token' }] },
      });
    expect(audited().map(({ action }) => action)).toEqual(tokens.map(() => 'session.open_refused'));
    expect(await read.list(home.admin, { state: null, agentId: null }, { limit: 9, after: null })).toEqual([]);
    for (const credentialKind of ['browser_session', 'slack_link'] as const)
      expect(await open.execute({ ...home.owner, credentialKind }, loose)).toMatchObject({ ok: true });
  });

  it('suggests the environment that was meant', async () => {
    const { open, home } = await sessionWorld();
    expect(await open.execute(home.agent, wanted({ environment: 'stagging' }))).toMatchObject({
      error: { action: 'Name one of: production, staging.', errors: [{ suggestion: 'staging' }] },
    });
  });
});
