import {
  newId,
  type AgentId,
  type Principal,
  type RunId,
  type SystemPrincipal,
  type ToolCallId,
  type Tx,
} from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, sampleAgent } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { HaltTarget, InFlightCall } from '../domain/halt.js';
import { FakeHaltRepository } from './fake-halt.repository.js';
import type { HaltTargets, RevokedGrants } from './halt.ports.js';
import { SetHalt } from './set-halt.js';

const CALL: InFlightCall = {
  run_id: 'run',
  step_id: 'step',
  attempt: 1,
  tool: 'rollout',
  targets: ['web-1'],
  dispatched_at: '2026-01-05T09:00:00.000Z',
  state: 'dispatched',
};

const DENIED = newId<ToolCallId>();
const SINGLE = {
  tool_call_id: newId<ToolCallId>(),
  attempt: 1,
  tool: 'rollout@1',
  targets: ['web-2'],
  dispatched_at: '2026-01-05T09:00:00.000Z',
  state: 'executing',
};

/** Halts of a tenant with two runs, one call in flight and three grants. The tenant has a tool `rollout`. */
function halting() {
  const { uow, home } = fakeWorld();
  const halts = new FakeHaltRepository(uow);
  const audit = new FakeAuditSink(uow);
  const paused = [newId<RunId>(), newId<RunId>()];
  const asked: string[] = [];
  const seen: { targets: HaltTarget[]; revoked: RevokedGrants[]; reasons: string[] } = {
    targets: [],
    revoked: [],
    reasons: [],
  };
  const targets: HaltTargets = {
    environmentByName: (_tx, name) => Promise.resolve(name === home.production.name ? home.production : null),
    agentExists: (_tx, id) => Promise.resolve(id === home.agent.agentId),
    toolExists: (_tx, name) => Promise.resolve(name === 'rollout'),
  };
  const runs = {
    requestPause: (_tx: Tx, target: HaltTarget) => {
      asked.push('pause');
      seen.targets.push(target);
      return Promise.resolve(paused);
    },
  };
  const grants = {
    fails: false,
    revoke: (_tx: Tx, selector: RevokedGrants, reason: string) => {
      if (grants.fails) return Promise.reject(new Error('the connection is gone'));
      asked.push('revoke');
      seen.revoked.push(selector);
      seen.reasons.push(reason);
      return Promise.resolve(3);
    },
  };
  const inFlight = {
    list: (_tx: Tx, target: HaltTarget) => {
      asked.push('list');
      seen.targets.push(target);
      return Promise.resolve([CALL]);
    },
  };
  const calls = {
    stopCalls: (_tx: Tx, target: HaltTarget) => {
      asked.push('stop calls');
      seen.targets.push(target);
      return Promise.resolve({ denied: [DENIED], inFlight: [SINGLE] });
    },
  };
  const setting = new SetHalt({ uow, halts, targets, runs, inFlight, calls, grants, audit });
  return {
    uow,
    home,
    paused,
    asked,
    seen,
    grants,
    set: (by: Principal, wanted: Parameters<SetHalt['execute']>[1]) => setting.execute(by, wanted),
    halts: () => uow.run(home.tenantId, (tx) => halts.list(tx, { active: null, limit: 9, after: null })),
    audited: () => audit.of(home),
  };
}

const reason = 'Error rates rise everywhere.';

describe('a halt that is set', () => {
  it('pauses runs, then stops single calls, revokes grants and lists the calls that left, and keeps that effect', async () => {
    const world = halting();
    const set = await world.set(world.home.owner, { kind: 'tenant', reason });
    expect(world.asked).toEqual(['pause', 'stop calls', 'revoke', 'list']);
    const [halt, ...others] = await world.halts();
    expect(others).toEqual([]);
    expect(set).toEqual({ ok: true, value: halt });
    expect(halt).toMatchObject({
      target: { kind: 'tenant' },
      reason,
      effect: { pausedRuns: world.paused, revokedGrants: 3, deniedCalls: [DENIED], inFlight: [CALL, SINGLE] },
      createdAt: world.uow.now,
      createdBy: { kind: 'person', id: world.home.owner.personId },
      lifted: null,
    });
    expect(world.seen.reasons).toEqual([`halt ${String(halt?.id)}`]);
    expect(world.audited()).toMatchObject([
      {
        action: 'halt.set',
        actor: { kind: 'person', id: world.home.owner.personId },
        level: 'full',
        subject: { type: 'halt', id: halt?.id },
        payload: {
          target: { kind: 'tenant' },
          reason,
          paused_runs: world.paused,
          revoked_grants: 3,
          denied_calls: [DENIED],
          in_flight: [CALL, SINGLE],
        },
      },
    ]);
    expect(world.uow.committed).toBe(2);
  });

  it('stops the environment, the agent or the tool that it names, and revokes the grants of that alone', async () => {
    const world = halting();
    const { agent, owner, production } = world.home;
    const cases = [
      [
        { kind: 'environment', environment: production.name, reason },
        { kind: 'environment', environmentId: production.id, environment: production.name },
        { kind: 'environment', environment: production.name },
      ],
      [
        { kind: 'agent', agent_id: agent.agentId, reason },
        { kind: 'agent', agentId: agent.agentId },
        {
          kind: 'sources',
          sources: [...world.paused.map((id) => ({ type: 'run', id })), { type: 'tool_call', id: SINGLE.tool_call_id }],
        },
      ],
      [
        { kind: 'tool', tool: 'rollout', reason },
        { kind: 'tool', tool: 'rollout' },
        { kind: 'tool', tool: 'rollout' },
      ],
    ] as const;
    for (const [wanted, target, revoked] of cases) {
      expect(await world.set(owner, wanted)).toMatchObject({ ok: true, value: { target } });
      expect(world.seen.targets.splice(0)).toEqual([target, target, target]);
      expect(world.seen.revoked.splice(0)).toEqual([revoked]);
    }
    expect((await world.halts()).map(({ target }) => target.kind).sort()).toEqual(['agent', 'environment', 'tool']);
  });

  it.each([
    [{ kind: 'environment', environment: 'produktion', reason }, 'halt.unknown_environment', '/environment'],
    [{ kind: 'agent', agent_id: newId<AgentId>(), reason }, 'halt.unknown_agent', '/agent_id'],
    [{ kind: 'tool', tool: 'rolout', reason }, 'halt.unknown_tool', '/tool'],
  ] as const)(
    'is refused for a target that the tenant does not have, and stops nothing: %j',
    async (wanted, code, pointer) => {
      const world = halting();
      expect(await world.set(world.home.owner, wanted)).toMatchObject({
        ok: false,
        error: { kind: 'unprocessable', code, errors: [{ pointer, code }] },
      });
      expect(world.asked).toEqual([]);
      expect(await world.halts()).toEqual([]);
      expect(world.audited()).toEqual([]);
    },
  );

  it('T63: is refused to an agent for anything but itself', async () => {
    const world = halting();
    const { agent, owner, production } = world.home;
    const another = sampleAgent(owner);
    const wanted = [
      { kind: 'tenant', reason },
      { kind: 'environment', environment: production.name, reason },
      { kind: 'tool', tool: 'rollout', reason },
    ] as const;
    for (const each of wanted)
      expect(await world.set(agent, each)).toMatchObject({ error: { kind: 'forbidden', code: 'halt.own_work_only' } });
    const own = { kind: 'agent', agent_id: agent.agentId, reason } as const;
    expect(await world.set(another, own)).toMatchObject({ error: { code: 'halt.own_work_only' } });
    expect(world.asked).toEqual([]);
    expect(world.uow.committed).toBe(0);
    expect(await world.set(agent, own)).toMatchObject({
      ok: true,
      value: { createdBy: { kind: 'agent', id: agent.agentId } },
    });
  });

  it('may be set by Countersign itself', async () => {
    const world = halting();
    const by: SystemPrincipal = { kind: 'system', tenantId: world.home.tenantId, name: 'restore' };
    expect(await world.set(by, { kind: 'tenant', reason })).toMatchObject({ ok: true });
    expect(world.audited()).toMatchObject([{ action: 'halt.set', actor: { kind: 'system', id: 'restore' } }]);
  });

  it('leaves nothing behind if a part of the stop fails', async () => {
    const world = halting();
    world.grants.fails = true;
    await expect(world.set(world.home.owner, { kind: 'tenant', reason })).rejects.toThrow('the connection is gone');
    expect(await world.halts()).toEqual([]);
    expect(world.audited()).toEqual([]);
  });
});
