import type { ApprovalRequestView, PlanSummaryView, RunView, TaskView } from '#lib/api-schemas';

/** One thing that became of a task. */
export interface Chapter {
  readonly at: string;
  readonly title: string;
  readonly state: string;
  readonly path: string | null;
  /** Who, and why it ended as it did. */
  readonly detail: string | null;
}

interface Story {
  readonly task: TaskView;
  readonly plans: readonly PlanSummaryView[];
  readonly requests: readonly ApprovalRequestView[];
  readonly runs: readonly RunView[];
}

/** All that became of a task, in the order in which it began. */
export function storyOf({ task, plans, requests, runs }: Story): Chapter[] {
  const chapters: Chapter[] = [
    { at: task.created_at, title: 'Task submitted', state: 'created', path: null, detail: null },
    ...plans.map((plan) => ({
      at: plan.created_at,
      title: `Plan, revision ${String(plan.revision)}`,
      state: plan.status,
      path: `/plans/${plan.id}`,
      detail: null,
    })),
    ...requests.map((request) => ({
      at: request.opened_at,
      title: 'Approval asked for',
      state: request.state,
      path: `/requests/${request.id}`,
      detail:
        request.closed_reason?.message ??
        (request.quorum.filled.map(({ person }) => person.display_name).join(', ') || null),
    })),
    ...runs.map((run) => ({
      at: run.created_at,
      title: `Run of ${run.scope === 'all' ? 'all phases' : run.scope === 'canary' ? 'the canary' : 'the rest'}`,
      state: run.state,
      path: `/runs/${run.id}`,
      detail: run.reason?.message ?? null,
    })),
  ];
  return chapters.sort((one, other) => one.at.localeCompare(other.at));
}
