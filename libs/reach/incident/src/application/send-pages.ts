import { actorOf, type TenantId, type UnitOfWork } from '#lib/kernel';
import type { SecretVault } from '#lib/tenancy';
import { pageEvent, pageOutcome, type PageOutcome, unreachable } from '../domain/page-event.js';
import { incidentUrl } from './incident-notices.js';
import type { IncidentJournal } from './incident-journal.js';
import type {
  IncidentRepository,
  IncidentSeen,
  IncidentSettingsStore,
  Page,
  PageQueue,
  Pager,
} from './incident.ports.js';

/** The lease of an event: longer than one call may take. */
const LEASE_MS = 60_000;

/** The parts that send events. */
export interface SendPagesParts {
  readonly pages: PageQueue;
  readonly incidents: IncidentRepository;
  readonly settings: IncidentSettingsStore;
  readonly vault: Pick<SecretVault, 'resolve'>;
  readonly pager: Pager;
  readonly journal: IncidentJournal;
  /** The address of Countersign in a browser. */
  readonly publicUrl: string;
}

/** A page with the content of its event. */
interface Prepared {
  readonly page: Page;
  readonly seen: IncidentSeen;
  readonly url: string;
  readonly routingKey: string;
}

/**
 * Sends incidents on to PagerDuty (Events API v2): trigger, acknowledge and resolve, in this order. Do not call inside a
 * transaction. A failed event is tried again with growing pauses. A final failure is an entry of the timeline.
 */
export class SendPages {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly parts: SendPagesParts,
  ) {}

  async execute(tenantId: TenantId, id: string): Promise<void> {
    const prepared = await this.#prepare(tenantId, id);
    if (prepared === null) return;
    const { page } = prepared;
    const outcome = 'failure' in prepared ? prepared.failure : await this.#call(tenantId, prepared);
    await this.#settle(tenantId, page, outcome);
  }

  #prepare(
    tenantId: TenantId,
    id: string,
  ): Promise<Prepared | { readonly page: Page; readonly failure: PageOutcome } | null> {
    const { pages, incidents, settings, vault } = this.parts;
    return this.uow.run(tenantId, async (tx) => {
      const page = await pages.claim(tx, id, LEASE_MS);
      if (page === null) return null;
      const seen = await incidents.find(tx, page.incidentId);
      const { pagerDuty } = await settings.read(tx);
      if (seen === null || pagerDuty === null) {
        return { page, failure: { kind: 'failed', error: 'PagerDuty was switched off since.' } };
      }
      const routingKey = await vault.resolve(tx, pagerDuty.secret, { purpose: 'incidents' });
      if (!routingKey.ok) return { page, failure: { kind: 'failed', error: routingKey.error.message } };
      return { page, seen, url: pagerDuty.url, routingKey: routingKey.value };
    });
  }

  async #call(tenantId: TenantId, { page, seen, url, routingKey }: Prepared): Promise<PageOutcome> {
    const { incident, environment, runId, people } = seen;
    const event = pageEvent(incident, page.action, {
      environment,
      invoker: people.get(incident.invokedBy) ?? incident.invokedBy,
      runId,
      url: incidentUrl(this.parts.publicUrl, incident.id),
    });
    try {
      const answer = await this.parts.pager.send(tenantId, url, { routing_key: routingKey, ...event });
      return pageOutcome(answer, page.attempts);
    } catch (error) {
      return unreachable(error instanceof Error ? error.message : String(error), page.attempts);
    }
  }

  #settle(tenantId: TenantId, page: Page, outcome: PageOutcome): Promise<void> {
    const { pages, incidents, journal } = this.parts;
    return this.uow.run(tenantId, async (tx) => {
      if (outcome.kind === 'sent') return pages.sent(tx, page.id);
      if (outcome.kind === 'later') return pages.postpone(tx, page.id, outcome.error, outcome.delayMs);
      const incident = await incidents.lock(tx, page.incidentId);
      await pages.giveUp(tx, page.id, outcome.error);
      if (incident === null) return;
      const recorded = await journal.record(tx, incident, {
        kind: 'page_failed',
        actor: actorOf({ kind: 'system', tenantId, name: 'incident-pager' }),
        text: `PagerDuty did not take the event "${page.action}": ${outcome.error}`,
        data: { page_action: page.action, attempts: page.attempts },
        at: await tx.now(),
        notice: null,
      });
      await incidents.save(tx, recorded);
    });
  }
}
