import { newId, type TaskId } from '#lib/kernel';
import { fakeWorld, sampleAgent } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTaskRepository } from './fake-task.repository.js';
import { keepTask, sampleTask } from './fake-task.js';
import { fakeTasks } from './fake-tasks.js';

async function reading() {
  const { uow, home, other } = fakeWorld();
  const tasks = new FakeTaskRepository(uow);
  const keep = (createdAt: number, state: 'created' | 'cancelled') =>
    uow.run(home.tenantId, (tx) => keepTask(tx, tasks, sampleTask(home, { createdAt }), state));
  const [first, second] = [await keep(1_000, 'created'), await keep(2_000, 'cancelled')];
  const cancelled = { ...second, updatedAt: second.createdAt };
  return { ...fakeTasks(uow, { tasks }), home, other, first, cancelled };
}

const PAGE = { limit: 9, after: null };

describe('reading tasks', () => {
  it('shows each to everybody of its tenant', async () => {
    const { home, first, cancelled, getTask, listTasks } = await reading();
    const stranger = sampleAgent(home.admin);
    expect(await getTask.execute(stranger, first.id)).toEqual({ ok: true, value: first });
    expect(await listTasks.execute(stranger, {}, PAGE)).toEqual([cancelled, first]);
    expect(await listTasks.execute(stranger, { state: 'created' }, PAGE)).toEqual([first]);
    expect(await listTasks.execute(stranger, {}, { ...PAGE, limit: 1 })).toEqual([cancelled]);
  });

  it('shows none to another tenant', async () => {
    const { home, other, first, getTask, listTasks } = await reading();
    const missing = { ok: false, error: { kind: 'not_found', code: 'resource.not_found' } };
    expect(await getTask.execute(other.admin, first.id)).toMatchObject(missing);
    expect(await getTask.execute(home.admin, newId<TaskId>())).toMatchObject(missing);
    expect(await listTasks.execute(other.admin, {}, PAGE)).toEqual([]);
  });
});
