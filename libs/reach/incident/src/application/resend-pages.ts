import {
  actorOf,
  err,
  notFound,
  ok,
  type AuditSink,
  type Failure,
  type PageRequest,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { stateInWords } from '#lib/words';
import type { Page, PageQueue } from './incident.ports.js';

/**
 * Lists events that PagerDuty did not take, and sends them again for an admin. Failures: `resource.not_found`,
 * `incident_page.not_failed`.
 */
export class ResendPages {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly pages: PageQueue,
    private readonly audit: AuditSink,
  ) {}

  failed(by: PersonPrincipal, page: PageRequest): Promise<readonly Page[]> {
    return this.uow.run(by.tenantId, (tx) => this.pages.failed(tx, page));
  }

  /** Sends all later events again too, in order: PagerDuty would otherwise keep an outdated state. */
  execute(by: PersonPrincipal, id: string): Promise<Result<Page>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const page = await this.pages.lock(tx, id);
      if (page === null) return err(notFound('incident page'));
      if (page.state !== 'failed') return err(notFailed(page.state));
      await this.pages.retry(tx, page);
      await this.audit.record(tx, {
        action: 'incident_page.retried',
        actor: actorOf(by),
        level: 'detailed',
        subject: { type: 'incident', id: page.incidentId },
        payload: { page_id: id, page_action: page.action, attempts: page.attempts, last_error: page.lastError },
      });
      return ok((await this.pages.lock(tx, id)) ?? page);
    });
  }
}

const notFailed = (state: string): Failure => ({
  kind: 'conflict',
  code: 'incident_page.not_failed',
  message: `What PagerDuty is to be told is ${stateInWords(state)}.`,
  action: 'Only messages that were given up can be sent again.',
});
