import type { CancelTask } from '#lib/task';
import { FakePlanWorld } from './fake-plan-world.js';

let world: FakePlanWorld;
let cancel: CancelTask;
beforeEach(async () => {
  world = await FakePlanWorld.open();
  cancel = world.tasking.cancelTask;
});

describe('the cancellation of a task', () => {
  it('withdraws its live plan in the same transaction, and the listeners of plans hear of it', async () => {
    const plan = await world.planned();
    const before = world.audited.length;
    const { committed } = world.uow;
    const principal = world.tenant.owner;
    expect(await cancel.execute(principal, plan.taskId)).toMatchObject({ ok: true });
    expect(world.uow.committed).toBe(committed + 1);
    expect(await world.find(plan.id)).toEqual({ ...plan, state: 'withdrawn', updatedAt: world.uow.now });
    expect(world.listener.heard).toEqual([
      {
        planId: plan.id,
        taskId: plan.taskId,
        cause: 'task_cancelled',
        supersededBy: null,
        principal,
        at: world.uow.now,
      },
    ]);
    expect(world.audited.slice(before)).toMatchObject([
      { action: 'task.cancelled' },
      { action: 'plan.withdrawn', subject: { id: plan.id }, payload: { cause: 'task_cancelled' } },
    ]);
  });

  it('leaves superseded revisions as they are', async () => {
    const first = await world.planned();
    await world.planned(first.taskId);
    await cancel.execute(world.tenant.agent, first.taskId);
    expect(await world.revisionsOf(first.taskId)).toEqual([
      [1, 'superseded'],
      [2, 'withdrawn'],
    ]);
  });

  it('needs no plan', async () => {
    const task = await world.task();
    expect(await cancel.execute(world.tenant.agent, task.id)).toMatchObject({ ok: true });
    expect(world.listener.heard).toEqual([]);
  });
});
