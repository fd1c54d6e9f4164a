import type { TaskState } from '#lib/formats';
import { actorOf, type DecisionId, newId } from '#lib/kernel';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { TASK_TRANSITIONS, type TaskEvent } from '../domain/task-transitions.js';
import type { TaskIn } from '../domain/task.js';
import { FakeTaskRepository } from './fake-task.repository.js';
import { keepTask, sampleTask } from './fake-task.js';
import { type TaskChange, TaskLifecycle } from './task-lifecycle.js';

function changing() {
  const { uow, home } = fakeWorld();
  const tasks = new FakeTaskRepository(uow);
  const audit = new FakeAuditSink(uow);
  const lifecycle = new TaskLifecycle(tasks, audit);
  return {
    home,
    /** The answer to an event of a task in that state, and the task before and after. */
    change: async (state: TaskState, event: TaskEvent, change: Partial<TaskChange> = {}) => {
      const before = await uow.run(home.tenantId, (tx) => keepTask(tx, tasks, sampleTask(home), state));
      const at = before.createdAt + 7;
      const answer = await uow.run(home.tenantId, (tx) =>
        // Each pair is a row of the table, which the compiler does not see here.
        lifecycle.transition(tx, before as TaskIn<never>, event, { principal: home.agent, at, ...change }),
      );
      const after = await uow.run(home.tenantId, (tx) => tasks.find(tx, before.id));
      return { before, answer, after, at };
    },
    audited: () => audit.of(home),
  };
}

const ACTIONS: Readonly<Record<TaskEvent, string>> = {
  plan: 'task.planned',
  start: 'task.started',
  replan: 'task.replanned',
  complete: 'task.completed',
  fail: 'task.failed',
  cancel: 'task.cancelled',
};

describe('the change of a task', () => {
  it.each(TASK_TRANSITIONS.flatMap(({ from, event, to }) => (event === 'create' ? [] : [[from, event, to] as const])))(
    'from %s by %s is saved and audited: %s',
    async (from, event, to) => {
      const { change, audited, home } = changing();
      const { before, answer, after, at } = await change(from, event);
      expect(answer).toEqual({ ...before, state: to, updatedAt: at });
      expect(after).toEqual({ ...before, state: to, updatedAt: at });
      expect(audited()).toEqual([
        {
          action: ACTIONS[event],
          actor: actorOf(home.agent),
          level: 'detailed',
          subject: { type: 'task', id: before.id },
          within: [{ type: 'task', id: before.id }],
          payload: { task_digest: before.digest, before: from, after: to },
        },
      ]);
    },
  );

  it('names its decision, its place and further facts in the audit entry', async () => {
    const { change, audited } = changing();
    const decisionId = newId<DecisionId>();
    const within = [{ type: 'run', id: 'r' }];
    await change('planned', 'start', { decisionId, within, facts: { run_id: 'r' } });
    expect(audited()).toMatchObject([{ decisionId, within, payload: { after: 'executing', run_id: 'r' } }]);
  });
});
