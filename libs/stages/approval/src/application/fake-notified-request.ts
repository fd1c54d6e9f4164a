import type { ExpandedPlan } from '#lib/formats';
import { digestOf, type PlanId } from '#lib/kernel';
import type { FakeApprovalWorld, PlanRequest } from './fake-approval-world.js';
import { simulationOf } from './fake-subject.js';

const withoutLastBatch = ({ phases, ...plan }: ExpandedPlan): ExpandedPlan => ({
  ...plan,
  revision: plan.revision + 1,
  phases: phases.map((phase) => (phase.canary ? phase : { ...phase, batches: phase.batches.slice(0, -1) })),
});

/** The next revision of the plan of a request, simulated: one batch shorter. */
export async function revised(world: FakeApprovalWorld, { subject: { id } }: PlanRequest): Promise<PlanId> {
  const before = await world.inTx((tx) => world.subjects.read(tx, id));
  if (before === null) throw new Error('the plan is gone');
  const { task } = before;
  const expanded = withoutLastBatch(before.plan.expanded);
  const [{ revision }, digest] = [expanded, digestOf('plan', expanded)];
  const planId = world.planned({
    change: ({ plan }) => ({
      task,
      plan: { ...plan, revision, expanded, digest },
      simulation: simulationOf({ digest }, world.uow.now),
    }),
  });
  const rows = world.requests.plans.of(world.tenant);
  const row = rows.get(planId);
  if (row === undefined) throw new Error('the plan is unknown');
  rows.set(planId, { ...row, taskId: task.id, revision });
  return planId;
}
