import type { ToolLevel } from '#lib/formats';
import type { PlanHeadline } from '#lib/plan';

/** The summary of a plan in the views of its task, its runs and its incidents. */
export interface HeadlineView {
  readonly headline: string | null;
  readonly plan_risk: ToolLevel | null;
}

export const headlineView = (found: PlanHeadline | null | undefined): HeadlineView => ({
  headline: found?.headline ?? null,
  plan_risk: found?.risk ?? null,
});
