import { digestOf, newId } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ToolCall, ToolCallProgress } from '../domain/tool-call.js';
import { sampleProgress } from './fake-tool-call.js';
import type { CallsOf } from './tool-call.port.js';
import type { CallStore } from './tool-call-store.contract.js';

/** How a repository locks the calls of a session or under a halt. */
export function describeCallLocks(opened: () => CallStore): void {
  it('locks the allowed and executing calls of a session or under a halt, and no others', async () => {
    const store = opened();
    const { agent, production, staging } = store.home;
    const { allowed, executing, denied, succeeded } = sampleProgress(null);
    const executor = { name: 'fleet', version: 1, digest: digestOf('executor', {}), answeredBy: 'executor' } as const;
    const mine = { tool: { name: newId(), version: 1 }, executor };
    const advice = { ...mine, executor: null };
    const { person } = store;
    const elsewhere = { id: staging.id, name: staging.name, digest: 'sha256:00' };
    const left = async (...way: readonly ToolCallProgress[]): Promise<ToolCall> => {
      const call = await store.kept(mine);
      for (const progress of way) await store.inTenant('home', (tx) => store.calls.save(tx, { ...call, ...progress }));
      return call;
    };
    const one = await store.kept(mine);
    const again = { ...executing, attempt: 2, leaseUntil: executing.leaseUntil + 1_000 };
    const out = await left(executing, again);
    const byPerson = await store.kept({ ...mine, submitter: person });
    const inStaging = await store.kept({ ...mine, environment: elsewhere });
    await store.kept(mine, denied);
    await left(executing, succeeded);
    await store.kept(advice);
    const now = await store.inTenant('home', (tx) => tx.now());
    const allowedUntil = now + 60_000;
    const byAgent = await store.kept({ ...mine, executor: { ...executor, answeredBy: 'agent' } });
    const inForce = await store.kept(advice, { ...allowed, allowedUntil });
    expect(await store.found(out.id)).toMatchObject({ attempt: 2, leaseUntil: again.leaseUntil });
    const ids = async (target: CallsOf) =>
      (await store.inTenant('home', (tx) => store.calls.lockLive(tx, target)))
        .filter(({ tool }) => tool.name === mine.tool.name)
        .map(({ id }) => id);
    // Those with an executor have passed their time: they are live until somebody writes so.
    expect(allowed.allowedUntil).toBeLessThan(now);
    const all = [one.id, out.id, byPerson.id, inStaging.id, byAgent.id, inForce.id];
    expect(await ids({ kind: 'tenant' })).toEqual(all);
    expect(await ids({ kind: 'tool', tool: mine.tool.name })).toEqual(all);
    expect(await ids({ kind: 'tool', tool: 'shell' })).toEqual([]);
    expect(await ids({ kind: 'agent', agentId: agent.agentId })).toEqual([
      one.id,
      out.id,
      inStaging.id,
      byAgent.id,
      inForce.id,
    ]);
    const target = { kind: 'environment', environmentId: production.id, environment: production.name } as const;
    expect(await ids(target)).toEqual([one.id, out.id, byPerson.id, byAgent.id, inForce.id]);
    const sessionId = await store.newSession();
    const inSession = await store.kept({ ...mine, sessionId });
    expect(await ids({ kind: 'session', sessionId })).toEqual([inSession.id]);
    expect(await store.inTenant('other', (tx) => store.calls.lockLive(tx, { kind: 'tenant' }))).toEqual([]);
  });

  it('locks the pending calls of a session or under a halt, and no others', async () => {
    const store = opened();
    const sessionId = await store.newSession();
    const [one, other] = [await store.pending({ sessionId }), await store.pending({ sessionId })];
    await store.kept({ sessionId });
    const { staging, agent } = store.home;
    const elsewhere = await store.pending({
      submitter: store.person,
      environment: { id: staging.id, name: staging.name, digest: 'a digest' },
      tool: { name: 'another', version: 1 },
    });
    const locked = async (of: CallsOf, tenant: 'home' | 'other' = 'home') =>
      (await store.inTenant(tenant, (tx) => store.calls.lockPending(tx, of))).map(({ id }) => id);
    expect(await store.inTenant('home', (tx) => store.calls.lockPending(tx, { kind: 'session', sessionId }))).toEqual([
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
      store.world,
      async (tx) => {
        await store.calls.lockPending(tx, { kind: 'session', sessionId });
      },
      async (tx) => {
        await store.calls.lock(tx, one.id);
      },
    );
    expect(waited).toBe(true);
  });
}
