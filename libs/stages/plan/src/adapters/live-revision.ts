import type { TaskId } from '#lib/kernel';
import type { LiveRevision } from '../domain/plan.js';
import { planEntity } from './plan.entity.js';

/** The columns that {@link liveRevisionOf} reads. */
export const LIVE = planEntity.pick('id', 'revision', 'digest');

/** The row of a task's validated plan. @throws {Error} if it breaks a constraint of the table. */
export function liveRevisionOf(taskId: TaskId, { id, revision, digest }: NonNullable<typeof LIVE.holds>): LiveRevision {
  if (digest === null) throw new Error(`plan ${id} is validated and has no digest`);
  return { id, taskId, revision, state: 'validated', expansion: { digest } };
}
