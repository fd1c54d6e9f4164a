import type { TaskState } from '#lib/formats';
import { newId, type AgentId, type Principal, type TaskId } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld, sampleAgent, samplePerson } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { Task } from '../domain/task.js';
import { FakeTaskRepository } from './fake-task.repository.js';
import { keepTask, sampleTask } from './fake-task.js';
import { fakeTasks } from './fake-tasks.js';
import type { TaskCancelled } from './task.ports.js';

function cancelling() {
  const { uow, home, other } = fakeWorld();
  const tasks = new FakeTaskRepository(uow);
  const audit = new FakeAuditSink(uow);
  const told: TaskCancelled[] = [];
  const listener = {
    /** The listener's own work in the transaction. */
    work: (): Promise<void> => Promise.resolve(),
    taskCancelled: (_tx: unknown, event: TaskCancelled): Promise<void> => {
      told.push(event);
      return listener.work();
    },
  };
  const agents = {
    find: (_tx: unknown, id: AgentId) =>
      Promise.resolve(id === home.agent.agentId ? { ownerId: home.owner.personId } : null),
  };
  const { cancelTask: cancel } = fakeTasks(uow, { tasks, audit, agents, cancelled: [listener] });
  return {
    uow,
    home,
    other,
    told,
    listener,
    kept: (state: TaskState, by: Principal = home.agent): Promise<Task> =>
      uow.run(home.tenantId, (tx) => keepTask(tx, tasks, sampleTask(home, { by }), state)),
    cancel: (by: Principal, id: TaskId) => cancel.execute(by, id),
    found: (id: TaskId) => uow.run(home.tenantId, (tx) => tasks.find(tx, id)),
    audited: () => audit.of(home),
  };
}

describe('cancelling a task', () => {
  it.each(['created', 'planned'] as const)('ends one that is %s, and tells the listeners of it', async (state) => {
    const { cancel, kept, found, told, audited, home, uow } = cancelling();
    const task = await kept(state);
    uow.now += 60_000;
    const cancelled: Task = { ...task, state: 'cancelled', updatedAt: uow.now };
    expect(await cancel(home.agent, task.id)).toEqual({ ok: true, value: cancelled });
    expect(await found(task.id)).toEqual(cancelled);
    expect(told).toEqual([{ task: cancelled, principal: home.agent, at: uow.now }]);
    expect(audited()).toMatchObject([
      {
        action: 'task.cancelled',
        actor: { id: home.agent.agentId },
        subject: { type: 'task', id: task.id },
        payload: { task_digest: task.digest, before: state, after: 'cancelled' },
      },
    ]);
  });

  it.each<[TaskState, string]>([
    ['executing', 'task.executing'],
    ['completed', 'task.illegal_transition'],
    ['failed', 'task.illegal_transition'],
    ['cancelled', 'task.illegal_transition'],
  ])('is refused for one that is %s: %s', async (state, code) => {
    const { cancel, kept, found, told, audited, home } = cancelling();
    const task = await kept(state);
    expect(await cancel(home.agent, task.id)).toMatchObject({ ok: false, error: { kind: 'conflict', code } });
    expect(await found(task.id)).toEqual(task);
    expect(told).toEqual([]);
    expect(audited()).toEqual([]);
  });

  it("is for the task's submitter, the person it acts for, the agent's owner and an admin", async () => {
    const { cancel, kept, home } = cancelling();
    const principal = samplePerson(home.tenantId);
    const delegated = { ...home.agent, onBehalfOf: principal.personId };
    for (const by of [delegated, home.agent, principal, home.owner, home.admin]) {
      const { id } = await kept('planned', delegated);
      expect(await cancel(by, id)).toMatchObject({ ok: true });
    }
  });

  it('is refused to everybody else, before the state of the task is told', async () => {
    const { cancel, kept, found, told, audited, home } = cancelling();
    const strangers: Principal[] = [
      sampleAgent(home.owner),
      samplePerson(home.tenantId, ['SRELead']),
      { ...home.agent, onBehalfOf: home.admin.personId },
      { kind: 'system', tenantId: home.tenantId, name: 'run-executor' },
    ];
    for (const state of ['planned', 'executing', 'cancelled'] as const) {
      const task = await kept(state);
      for (const by of strangers)
        expect(await cancel(by, task.id)).toMatchObject({ error: { kind: 'forbidden', code: 'task.not_yours' } });
      expect(await found(task.id)).toEqual(task);
    }
    expect(told).toEqual([]);
    expect(audited()).toEqual([]);
  });

  it('finds no task of another tenant', async () => {
    const { cancel, kept, found, home, other } = cancelling();
    const task = await kept('planned');
    const missing = { ok: false, error: { code: 'resource.not_found' } };
    expect(await cancel(other.admin, task.id)).toMatchObject(missing);
    expect(await cancel(home.admin, newId<TaskId>())).toMatchObject(missing);
    expect(await found(task.id)).toEqual(task);
  });

  it('is undone as a whole if a listener fails', async () => {
    const { cancel, kept, found, listener, audited, home } = cancelling();
    const task = await kept('planned');
    listener.work = () => Promise.reject(new Error('the plan is locked'));
    await expect(cancel(home.agent, task.id)).rejects.toThrow('the plan is locked');
    expect(await found(task.id)).toEqual(task);
    expect(audited()).toEqual([]);
  });

  it('succeeds once if two ask at the same moment', async () => {
    const { cancel, kept, told, home } = cancelling();
    const { id } = await kept('planned');
    const answers = await Promise.all([cancel(home.agent, id), cancel(home.admin, id)]);
    expect(answers).toMatchObject([{ ok: true }, { ok: false, error: { code: 'task.illegal_transition' } }]);
    expect(told).toHaveLength(1);
  });
});
