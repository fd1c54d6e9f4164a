import type { AutonomyLine } from '#lib/autonomy';
import type { PlanDiffView, PlanSummaryView, PlanView } from '#lib/api-schemas';
import { planWords } from '#lib/formats';
import { type FieldError, toTimestamp } from '#lib/kernel';
import type { ComparedPlans, ExplainedPlan, ListedPlan, Plan, PlanDiff, ValueChange } from '#lib/plan';
import { explanationView, submitterView } from '../task/task-views.js';
import { headlineView } from './headlines.js';

export const planSummaryView = ({ plan, status }: ListedPlan): PlanSummaryView => ({
  id: plan.id,
  task_id: plan.taskId,
  revision: plan.revision,
  state: plan.state,
  status,
  digest: plan.expansion?.digest ?? null,
  ...headlineView(plan.headline),
  submitted_by: submitterView(plan.submitter),
  created_at: toTimestamp(plan.createdAt),
  updated_at: toTimestamp(plan.updatedAt),
});

export const planView = (explained: ExplainedPlan, line: AutonomyLine | null): PlanView => ({
  ...planSummaryView(explained),
  document: explained.plan.document,
  words: [...planWords.read(explained.plan.document)],
  expanded: explained.plan.expansion?.plan ?? null,
  description: explained.description,
  errors: explained.plan.errors.map(fieldErrorView),
  explanation: explanationView(explained.decision, line),
});

export const planDiffView = ({ before, after, diff }: ComparedPlans): PlanDiffView => ({
  before: revisionView(before),
  after: revisionView(after),
  ...planChangesView(diff),
});

/** The differences, without the numbers of the revisions compared. */
export const planChangesView = (diff: PlanDiff): Pick<PlanDiffView, 'document' | 'calls' | 'in_words' | 'targets'> => ({
  document: diff.document.map(changeView),
  calls:
    diff.calls?.map((call) => ({
      kind: call.kind,
      phase: call.phase,
      step_id: call.stepId,
      targets: [...call.targets],
      seq_before: call.seqBefore,
      seq_after: call.seqAfter,
      changes: call.changes.map(changeView),
    })) ?? null,
  in_words: diff.inWords.map((change) => ({ ...change })),
  targets: { added: [...diff.targets.added], removed: [...diff.targets.removed] },
});

const revisionView = (plan: Plan): PlanDiffView['before'] => ({
  id: plan.id,
  revision: plan.revision,
  digest: plan.expansion?.digest ?? null,
});

// Zod's type of JSON has no readonly members.
const changeView = (change: ValueChange): PlanDiffView['document'][number] =>
  change as PlanDiffView['document'][number];

const fieldErrorView = (error: FieldError): PlanView['errors'][number] => error;
