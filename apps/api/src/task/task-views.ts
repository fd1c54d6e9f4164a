import type { AutonomyLine } from '#lib/autonomy';
import type { ExplainedTaskView, Explanation, SubmitterView, TaskView } from '#lib/api-schemas';
import { toTimestamp } from '#lib/kernel';
import type { RecordedDecision } from '#lib/policy';
import type { Submitter, Task } from '#lib/task';
import type { HeadlineView } from '../plan/headlines.js';

export const taskView = (task: Task, headline: HeadlineView): TaskView => ({
  id: task.id,
  state: task.state,
  spec: task.spec,
  digest: task.digest,
  ...headline,
  submitted_by: submitterView(task.submitter),
  created_at: toTimestamp(task.createdAt),
  updated_at: toTimestamp(task.updatedAt),
});

export const explainedTaskView = (
  task: Task,
  headline: HeadlineView,
  decision: RecordedDecision | null,
  line: AutonomyLine | null,
): ExplainedTaskView => ({ ...taskView(task, headline), explanation: explanationView(decision, line) });

export const submitterView = ({ kind, id, onBehalfOf }: Submitter): SubmitterView => ({
  kind,
  id,
  on_behalf_of: onBehalfOf,
});

/** A decision beside the state that it explains, and the line of the autonomy document behind it. */
export const explanationView = (logged: RecordedDecision | null, line: AutonomyLine | null): Explanation | null =>
  logged === null
    ? null
    : {
        decision_id: logged.id,
        decision: logged.decision,
        bundle_revision: logged.bundleRevision,
        decided_at: toTimestamp(logged.decidedAt),
        autonomy_line: line,
      };
