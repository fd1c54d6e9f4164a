import type { PlanSummaryView, RunView, TaskView } from '#lib/api-schemas';
import { storyOf } from './task-story.js';

it('tells what became of a task in the order in which it began', () => {
  const task = { created_at: '2026-01-01T00:00:00.000Z', state: 'completed' } as TaskView;
  const plan = (revision: number): PlanSummaryView =>
    ({
      id: `p${String(revision)}`,
      revision,
      status: 'executed',
      created_at: `2026-01-01T00:0${String(revision)}:00.000Z`,
    }) as PlanSummaryView;
  const run = {
    id: 'r',
    scope: 'canary',
    state: 'failed',
    reason: { message: 'why' },
    created_at: '2026-01-01T00:01:30.000Z',
  } as RunView;
  const chapters = storyOf({ task, plans: [plan(2), plan(1)], requests: [], runs: [run] });
  expect(chapters.map(({ title, path, detail }) => [title, path, detail])).toEqual([
    ['Task submitted', null, null],
    ['Plan, revision 1', '/plans/p1', null],
    ['Run of the canary', '/runs/r', 'why'],
    ['Plan, revision 2', '/plans/p2', null],
  ]);
});
