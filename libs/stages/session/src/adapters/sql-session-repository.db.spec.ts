import type { AgentId, RowSeals } from '#lib/kernel';
import { FORGED_SEAL } from '../../../../../test/support/database-login.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { TenantRows } from '../../../../../test/support/tenant-rows.js';
import { sampleAgent } from '../../../../foundation/kernel/src/fake-tenant.js';
import { endedSession, sampleSession } from '../application/fake-session.js';
import { describeSessionRepository } from '../application/session-repository.contract.js';
import { SqlSessionRepository } from './sql-session-repository.js';

const seals = testSeals();

/** Two more agents of the home tenant. */
async function moreAgents(world: Awaited<ReturnType<typeof postgresWorld>>): Promise<readonly [AgentId, AgentId]> {
  const { tenantId, owner, admin } = world.home;
  const [one, other] = [sampleAgent(owner), sampleAgent(owner)];
  for (const agent of [one, other]) await new TenantRows(world.uow, tenantId).agent(agent, admin);
  return [one.agentId, other.agentId];
}

describeSessionRepository('SqlSessionRepository', async () => {
  const world = await postgresWorld();
  return { world, sessions: new SqlSessionRepository(seals), agents: await moreAgents(world) };
});

describe('sessions in PostgreSQL', () => {
  let world: Awaited<ReturnType<typeof postgresWorld>>;
  let agents: readonly [AgentId, AgentId];
  const sessions = new SqlSessionRepository(seals);
  beforeAll(async () => {
    world = await postgresWorld();
    agents = await moreAgents(world);
  });
  afterAll(() => world.close());

  it('are due once they rested too long, and not after their end', async () => {
    const { uow, home, db } = world;
    const session = sampleSession(home, { idleSeconds: 60 });
    await uow.run(home.tenantId, (tx) => sessions.insert(tx, session));
    const end = session.lastUsedAt + 60_000;
    const dueAt = async (at: number, held: readonly string[] = [], full: readonly string[] = []) =>
      (await db.systemQuery.call('session_end_idle_due', new Date(at), 1_000, held, full))
        .filter(({ tenantId }) => tenantId === home.tenantId)
        .map(({ id }) => id);
    expect([await dueAt(end - 1), await dueAt(end)]).toEqual([[], [session.id]]);
    expect([await dueAt(end, [session.id]), await dueAt(end, [], [home.tenantId])]).toEqual([[], []]);
    await uow.run(home.tenantId, (tx) => sessions.saveEnded(tx, endedSession(session)));
    expect(await dueAt(end)).toEqual([]);
  });

  it('do not wait for a call that shares them, to put another use on record', async () => {
    const { uow, home } = world;
    const session = sampleSession(home);
    await uow.run(home.tenantId, (tx) => sessions.insert(tx, session));
    await uow.run(home.tenantId, async (tx) => {
      await sessions.share(tx, session.id);
      await uow.run(home.tenantId, (other) => sessions.touch(other, session.id));
    });
    expect(await uow.run(home.tenantId, (tx) => sessions.find(tx, session.id))).toEqual(session);
  });

  it('T42: decide nothing if another key sealed them, or if a login changed a sealed column', async () => {
    const { uow, home, db } = world;
    const atHome = <T>(work: Parameters<typeof uow.run<T>>[1]): Promise<T> => uow.run(home.tenantId, work);
    const forging: RowSeals = { seal: () => Promise.resolve(FORGED_SEAL), holds: () => Promise.resolve(true) };
    const forged = sampleSession(home);
    await atHome((tx) => new SqlSessionRepository(forging).insert(tx, forged));
    const loosened = sampleSession(home);
    const joined = sampleSession(home);
    for (const session of [loosened, joined]) await atHome((tx) => sessions.insert(tx, session));
    await db.owner.query("update session set preset = 'levels', level = 'FULL_AUTO', revision = 2 where id = $1", [
      loosened.id,
    ]);
    await db.owner.query('insert into session_agent values ($1, $2, $3)', [home.tenantId, joined.id, agents[0]]);
    for (const { id } of [forged, loosened, joined])
      for (const read of ['find', 'lock', 'share'] as const)
        await expect(atHome((tx) => sessions[read](tx, id))).rejects.toMatchObject({
          failure: { code: 'record.not_authentic', details: { table: 'session' } },
        });
    const all = { state: null, agentId: null };
    const listed = await atHome((tx) => sessions.list(tx, all, { limit: 100, after: null }));
    expect(listed.map(({ id }) => id)).toEqual(expect.not.arrayContaining([forged.id, loosened.id, joined.id]));
  });
});
