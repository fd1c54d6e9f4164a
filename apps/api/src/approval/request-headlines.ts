import { Injectable } from '@nestjs/common';
import type { ApprovalRequest, ListedRequest } from '#lib/approval';
import type { TenantId } from '#lib/kernel';
import { Headlines } from '../plan/headlines.js';

/** Puts its headline to each request of a list, in one query. A request has that of its plan, or the effect of its call. */
@Injectable()
export class RequestHeadlines {
  constructor(private readonly headlines: Headlines) {}

  async ofListed(tenantId: TenantId, items: readonly ListedRequest[]): Promise<(item: ListedRequest) => string | null> {
    const plans = items.flatMap(({ request: { subject } }) => (subject.type === 'plan' ? [subject.id] : []));
    const headlineOf = await this.headlines.ofPlans(tenantId, plans, (id) => id);
    return ({ request: { subject }, about }) =>
      subject.type === 'plan' ? headlineOf(subject.id).headline : about.type === 'tool_call' ? about.impact : null;
  }

  /** Null for a request about a call: its lists and its page show the effect. */
  async ofRequest(tenantId: TenantId, { subject }: Pick<ApprovalRequest, 'subject'>): Promise<string | null> {
    return subject.type === 'plan' ? (await this.headlines.ofPlan(tenantId, subject.id)).headline : null;
  }
}
