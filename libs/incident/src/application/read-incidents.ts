import { shareSeat, type Seats } from '#lib/identity';
import {
  err,
  type IncidentId,
  notFound,
  ok,
  type PageRequest,
  type PersonId,
  type Result,
  type TenantId,
  type UnitOfWork,
} from '#lib/kernel';
import type { IncidentEvent } from '../domain/incident.js';
import type { IncidentFilter, IncidentRepository, IncidentSeen, Page, PageQueue } from './incident.ports.js';

/** One incident with its timeline, and what PagerDuty was told. */
export interface IncidentDetail {
  readonly seen: IncidentSeen;
  readonly timeline: readonly IncidentEvent[];
  readonly pages: readonly Page[];
  /** Whether the reader and whoever broke the glass have one vote together, so that neither reviews it. */
  readonly readerSharesVote: boolean;
}

/** Incidents, newest first, or one with all that happened to it. Failure: `resource.not_found`. */
export class ReadIncidents {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly incidents: IncidentRepository,
    private readonly pages: PageQueue,
    private readonly seats: Pick<Seats, 'standingOf'>,
  ) {}

  list(tenantId: TenantId, filter: IncidentFilter, page: PageRequest): Promise<readonly IncidentSeen[]> {
    return this.uow.run(tenantId, (tx) => this.incidents.list(tx, filter, page));
  }

  get(tenantId: TenantId, id: IncidentId, readerId: PersonId): Promise<Result<IncidentDetail>> {
    return this.uow.run(tenantId, async (tx) => {
      const seen = await this.incidents.find(tx, id);
      if (seen === null) return err(notFound('incident'));
      const { invokedBy, openedAt } = seen.incident;
      const both = await this.seats.standingOf(tx, [invokedBy, readerId], openedAt);
      const [invoker, reader] = [both.get(invokedBy), both.get(readerId)];
      return ok({
        seen,
        timeline: await this.incidents.events(tx, id),
        pages: await this.pages.of(tx, id),
        readerSharesVote: invoker === undefined || reader === undefined || shareSeat(invoker, reader),
      });
    });
  }
}
