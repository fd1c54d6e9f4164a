import type { JsonObject } from '#lib/canonical';
import type { GuardedFetch } from '#lib/dispatch';
import type { TenantId } from '#lib/kernel';
import type { Pager } from '../application/incident.ports.js';

/** PagerDuty's Events API v2 through the guarded fetch: no redirect, and no private address unless the operator allows it (T31). */
export class GuardedPager implements Pager {
  constructor(private readonly fetch: GuardedFetch) {}

  async send(
    tenantId: TenantId,
    url: string,
    event: JsonObject,
  ): Promise<{ readonly status: number; readonly retryAfterSeconds: number | null; readonly body: string }> {
    const answer = await this.fetch(tenantId, url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify(event),
    });
    const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
    return {
      status: answer.status,
      retryAfterSeconds: Number.isFinite(seconds) && seconds >= 0 ? seconds : null,
      body: await answer.text(),
    };
  }
}
