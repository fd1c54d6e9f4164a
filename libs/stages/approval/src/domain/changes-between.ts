import type { ApprovalRequestId } from '#lib/kernel';
import { diffPlans, type PlanDiff } from '#lib/plan';
import type { ApprovalRequest } from './approval-request.js';
import type { SubjectPlan } from './approval-subject.js';
import { compareBindings, type BindingDifference } from './binding.js';

/** The differences from an approval that the reader gave before. */
export interface ChangesSince {
  readonly requestId: ApprovalRequestId;
  /** Epoch milliseconds. */
  readonly approvedAt: number;
  /** Of everything that an approval binds, not of the plan alone. */
  readonly bound: readonly BindingDifference[];
  readonly plan: PlanDiff;
}

/** Compares an approved request with a newer one. */
export const changesBetween = (
  before: { readonly request: ApprovalRequest; readonly plan: SubjectPlan; readonly approvedAt: number },
  after: { readonly request: ApprovalRequest; readonly plan: SubjectPlan },
): ChangesSince => ({
  requestId: before.request.id,
  approvedAt: before.approvedAt,
  bound: compareBindings(before.request.binding, after.request.binding),
  plan: diffPlans(before.plan, after.plan),
});
