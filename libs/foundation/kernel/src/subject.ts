import type { PlanId, TaskId } from './ids.js';

/**
 * The thing that a record is about: its kind, and its id among things of that kind.
 *
 * A record names its subject by this pair, and never by one nullable column a kind. A kind is the same word everywhere:
 * in the database, signed documents, the API and the audit log.
 *
 * @example `SubjectRef<'plan', PlanId>` is a plan; a union of such pairs is discriminated by `type`.
 */
export interface SubjectRef<Type extends string = string, Id extends string = string> {
  readonly type: Type;
  readonly id: Id;
}

/** A plan and the task that it belongs to. */
export interface PlanRef {
  readonly taskId: TaskId;
  readonly planId: PlanId;
}

/** A plan in its task, outermost first. */
export const inPlan = ({ taskId, planId }: PlanRef): readonly SubjectRef[] => [
  { type: 'task', id: taskId },
  { type: 'plan', id: planId },
];
