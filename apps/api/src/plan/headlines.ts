import { Injectable } from '@nestjs/common';
import type { ToolLevel } from '#lib/formats';
import type { PlanId, TaskId, TenantId } from '#lib/kernel';
import { ReadHeadlines, type PlanHeadline } from '#lib/plan';

/** The summary of a plan in the views of its requests, runs and other parts. */
export interface HeadlineView {
  readonly headline: string | null;
  readonly plan_risk: ToolLevel | null;
}

export const headlineView = (found: PlanHeadline | null | undefined): HeadlineView => ({
  headline: found?.headline ?? null,
  plan_risk: found?.risk ?? null,
});

/** Puts the headline of its plan to each row of a list that does not hold it, in one query. */
@Injectable()
export class Headlines {
  constructor(private readonly reading: ReadHeadlines) {}

  async ofPlans<Item>(
    tenantId: TenantId,
    items: readonly Item[],
    planOf: (item: Item) => PlanId,
  ): Promise<(item: Item) => HeadlineView> {
    const found = await this.reading.ofPlans(tenantId, items.map(planOf));
    return (item) => headlineView(found.get(planOf(item)));
  }

  async ofPlan(tenantId: TenantId, planId: PlanId): Promise<HeadlineView> {
    return headlineView((await this.reading.ofPlans(tenantId, [planId])).get(planId));
  }

  async ofTasks(tenantId: TenantId, ids: readonly TaskId[]): Promise<(id: TaskId) => HeadlineView> {
    const found = await this.reading.ofTasks(tenantId, ids);
    return (id) => headlineView(found.get(id));
  }
}
