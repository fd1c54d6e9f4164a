import { newId, type ApprovalRequestId, type IncidentId, type PlanId, type RunId, type TaskId } from '#lib/kernel';
import { inRun } from './in-run.js';
import { incidentOf, requestOf } from './run.js';

it('a run belongs to its task and its plan', () => {
  const run = { id: newId<RunId>(), planId: newId<PlanId>(), taskId: newId<TaskId>() };
  expect(inRun(run)).toEqual([
    { type: 'task', id: run.taskId },
    { type: 'plan', id: run.planId },
    { type: 'run', id: run.id },
  ]);
});

it('a run rests on a request, on an incident, or on policy alone', () => {
  const [requestId, incidentId] = [newId<ApprovalRequestId>(), newId<IncidentId>()];
  const restsOn = (authority: Parameters<typeof requestOf>[0]['authority']) => [
    requestOf({ authority }),
    incidentOf({ authority }),
  ];
  expect(restsOn({ kind: 'approval', requestId })).toEqual([requestId, null]);
  expect(restsOn({ kind: 'break_glass', incidentId })).toEqual([null, incidentId]);
  expect(restsOn({ kind: 'policy' })).toEqual([null, null]);
});
