/** What people see, derived by the view `plan_status` from plan, latest simulation, latest request and run. */
export const PLAN_STATUSES = [
  'draft',
  'invalid',
  'validated',
  'simulated',
  'awaiting_approval',
  'approved',
  'rejected',
  'changes_requested',
  'expired',
  'executing',
  'executed',
  'superseded',
  'withdrawn',
] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];
