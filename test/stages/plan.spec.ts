import { TASK_TRANSITIONS } from '#lib/task';
import { PLAN_TRANSITIONS } from '#lib/plan';
import { SIMULATION_TRANSITIONS } from '#lib/simulation';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { makeStages, rolloutPlan, type Stages } from '../support/stages.js';

let db: TestDatabase;
let stages: Stages;

beforeAll(async () => {
  db = await testDatabase();
  stages = await makeStages(db);
});
afterAll(() => db.close());

const statusOf = async (id: Awaited<ReturnType<Stages['planned']>>): Promise<string> => {
  const found = await stages.getPlan.execute(stages.agent, id);
  if (!found.ok) throw new Error(found.error.message);
  return found.value.status;
};

describe('lifecycle tables', () => {
  it.each([
    ['task_transition', TASK_TRANSITIONS],
    ['plan_transition', PLAN_TRANSITIONS],
    ['simulation_transition', SIMULATION_TRANSITIONS],
  ])('%s holds exactly the rows that the code holds', async (table, transitions) => {
    const { rows } = await db.owner.query<{ from: string; event: string; to: string }>(
      `select from_state as from, event, to_state as to from ${table}`,
    );
    const key = (row: { from: string; event: string; to: string }): string => `${row.from} ${row.event} ${row.to}`;
    expect(rows.map(key).sort()).toEqual(transitions.map(key).sort());
  });
});

// The use cases of tasks and plans are tested beside them. Here they are wired to the stages that depend on them.
describe('the end of a plan', () => {
  it('is told to the approvals in the same transaction: another takes its place, or its task is cancelled', async () => {
    const told = jest.spyOn(stages.wired.approval.voidRequests, 'planSuperseded');
    const task = await stages.task();
    const first = await stages.planned(task);
    const second = await stages.planned(task, rolloutPlan('web-2026-12'));
    expect([await statusOf(first), await statusOf(second)]).toEqual(['superseded', 'validated']);
    expect(told).toHaveBeenLastCalledWith(
      expect.anything(),
      expect.objectContaining({ planId: first, cause: 'superseded', supersededBy: second }),
    );
    expect(await stages.cancelTask.execute(stages.owner, task.id)).toMatchObject({ ok: true });
    expect(await statusOf(second)).toBe('withdrawn');
    expect(told).toHaveBeenLastCalledWith(
      expect.anything(),
      expect.objectContaining({ planId: second, cause: 'task_cancelled', supersededBy: null }),
    );
  });
});
