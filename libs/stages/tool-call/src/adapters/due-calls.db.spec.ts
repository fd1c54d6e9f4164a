import { digestOf } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { StageRows } from '../../../../../test/support/stage-rows.js';
import { sampleFacts, sampleProgress } from '../application/fake-tool-call.js';
import type { CallExecutor, ToolCall, ToolCallProgress } from '../domain/tool-call.js';
import { SqlToolCallRepository } from './sql-tool-call.repository.js';

it('finds calls to send, abandoned calls, and calls with an overdue answer', async () => {
  const world = await postgresWorld();
  const { uow, home, db } = world;
  const calls = new SqlToolCallRepository(testSeals());
  const decisionId = await new StageRows(world).newDecision();
  const { allowed, executing, succeeded } = sampleProgress(null);
  const kept = async (
    answeredBy: CallExecutor['answeredBy'] | null,
    ...later: readonly ToolCallProgress[]
  ): Promise<string> => {
    const executor = answeredBy && { name: 'fleet', version: 1, digest: digestOf('executor', {}), answeredBy };
    const call: ToolCall = { ...sampleFacts(home, { decisionId, executor }), ...allowed };
    await uow.run(home.tenantId, (tx) => calls.insert(tx, call));
    for (const progress of later) await uow.run(home.tenantId, (tx) => calls.save(tx, { ...call, ...progress }));
    return call.id;
  };
  const [toSend, toTake, out] = [await kept('executor'), await kept('agent'), await kept('executor', executing)];
  await kept(null);
  await kept('executor', executing, succeeded);
  const dueAt = async (at: number, held: readonly string[] = [], full: readonly string[] = []) =>
    (await db.systemQuery.call('tool_call_execute_due', new Date(at), 1_000, held, full))
      .filter(({ tenantId }) => tenantId === home.tenantId)
      .map(({ id }) => id);
  expect(await dueAt(allowed.decidedAt - 1)).toEqual([]);
  expect(await dueAt(allowed.decidedAt)).toEqual([toSend]);
  expect(await dueAt(executing.leaseUntil - 1)).toEqual([toSend]);
  expect(await dueAt(executing.leaseUntil)).toEqual([toSend, out]);
  expect(await dueAt(allowed.allowedUntil)).toEqual([toSend, out, toTake]);
  expect(await dueAt(allowed.allowedUntil, [toSend, out])).toEqual([toTake]);
  await world.close();
});

it('T22: leaves out a tenant that floods, and finds the calls of the others', async () => {
  const world = await postgresWorld();
  const { uow, home, other, db } = world;
  const calls = new SqlToolCallRepository(testSeals());
  const executor = { name: 'fleet', version: 1, digest: digestOf('executor', {}), answeredBy: 'executor' } as const;
  const { allowed } = sampleProgress(null);
  const kept = async (tenant: typeof home): Promise<string> => {
    const decisionId = await new StageRows({ ...world, home: tenant }).newDecision();
    const call: ToolCall = { ...sampleFacts(tenant, { decisionId, executor }), ...allowed };
    await uow.run(tenant.tenantId, (tx) => calls.insert(tx, call));
    return call.id;
  };
  for (let count = 0; count < 5; count += 1) await kept(home);
  const mine = await kept(other);
  const due = await db.systemQuery.call('tool_call_execute_due', new Date(allowed.decidedAt), 3, [], [home.tenantId]);
  const tenants = [home.tenantId, other.tenantId];
  expect(due.filter(({ tenantId }) => tenants.includes(tenantId)).map(({ id }) => id)).toEqual([mine]);
  await world.close();
});
