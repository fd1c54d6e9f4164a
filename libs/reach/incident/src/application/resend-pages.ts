import { sendAgain, type GivenUp } from '#lib/delivery';
import type { AuditSink, PageRequest, PersonPrincipal, Result, UnitOfWork } from '#lib/kernel';
import type { Page, PageQueue } from './incident.ports.js';

/**
 * Lists events that PagerDuty did not take, and sends them again for an admin. Failures: `resource.not_found`,
 * `incident_page.not_failed`.
 */
export class ResendPages {
  readonly #messages: GivenUp<Page>;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly pages: PageQueue,
    private readonly audit: AuditSink,
  ) {
    this.#messages = {
      what: 'incident page',
      notFailed: { code: 'incident_page.not_failed', subject: 'The event for PagerDuty' },
      lock: (tx, id) => pages.lock(tx, id),
      retry: (tx, page) => pages.retry(tx, page),
      audited: ({ id, incidentId, action, attempts, lastError }) => ({
        action: 'incident_page.retried',
        subject: { type: 'incident', id: incidentId },
        payload: { page_id: id, page_action: action, attempts, last_error: lastError },
      }),
    };
  }

  failed(by: PersonPrincipal, page: PageRequest): Promise<readonly Page[]> {
    return this.uow.run(by.tenantId, (tx) => this.pages.failed(tx, page));
  }

  /** Sends all later events again too, in order: PagerDuty would otherwise keep an outdated state. */
  execute(by: PersonPrincipal, id: string): Promise<Result<Page>> {
    return sendAgain({ uow: this.uow, audit: this.audit }, this.#messages, by, id);
  }
}
