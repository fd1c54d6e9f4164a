import { canonicalJson, type Json } from '#lib/canonical';
import { countedStatements } from '../../../../../test/support/counted-statements.js';
import { PlanRecords } from '../../../../../test/support/plan-records.js';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testSeals } from '../../../../../test/support/seals.js';
import { sampleTask } from '../../../task/src/application/fake-task.js';
import { samplePlan } from '../application/fake-plan.js';
import type { Plan } from '../domain/plan.js';

/** A kept plan, and reads of it by one repository. */
async function kept() {
  const world = await postgresWorld();
  const { uow, home } = world;
  const { tasks, plans } = new PlanRecords(world, testSeals());
  const task = sampleTask(home);
  const plan = samplePlan(home, task);
  await uow.run(home.tenantId, async (tx) => {
    await tasks.insert(tx, task);
    await plans.insert(tx, plan, { tools: [], targets: [] });
  });
  const found: Plan[] = [];
  return {
    world,
    plan,
    found,
    withdraw: () => uow.run(home.tenantId, (tx) => plans.setState(tx, plan.id, 'withdrawn', plan.createdAt)),
    /** Reads the plan. @returns how many statements asked for its documents. */
    read: async () => {
      const { statements } = await countedStatements(async () => {
        const read = await uow.run(home.tenantId, (tx) => plans.find(tx, plan.id));
        if (read !== null) found.push(read);
      });
      return statements.filter((text) => text.includes('plan.document')).length;
    },
  };
}

describe('the documents of a revision', () => {
  it('are read and parsed once, and once more after each change of its row', async () => {
    const { world, found, plan, read, withdraw } = await kept();
    expect([await read(), await read()]).toEqual([1, 0]);
    expect(found[1]?.expansion).toBe(found[0]?.expansion);
    await withdraw();
    expect([await read(), await read()]).toEqual([1, 0]);
    expect(found.at(-1)).toEqual({ ...plan, state: 'withdrawn' });
    await world.close();
  });

  it('are never those from before an alteration in the database', async () => {
    const { world, found, plan, read } = await kept();
    await read();
    const altered = { ...plan.document, summary: 'Something else.' };
    await world.db.owner.query('alter table plan disable trigger user');
    await world.db.owner.query('update plan set document = $2 where id = $1', [
      plan.id,
      canonicalJson(altered as unknown as Json),
    ]);
    expect(await read()).toBe(1);
    expect(found.map(({ document }) => document.summary)).toEqual([undefined, 'Something else.']);
    await world.close();
  });
});
