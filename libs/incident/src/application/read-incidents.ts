import type { PersonRepository } from '#lib/identity';
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
  /** Who made the way in of whoever broke the glass, and so does not review it. */
  readonly enrollers: readonly PersonId[];
}

/** Incidents, newest first, or one with all that happened to it. Failure: `resource.not_found`. */
export class ReadIncidents {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly incidents: IncidentRepository,
    private readonly pages: PageQueue,
    private readonly people: Pick<PersonRepository, 'enrollersOf'>,
  ) {}

  list(tenantId: TenantId, filter: IncidentFilter, page: PageRequest): Promise<readonly IncidentSeen[]> {
    return this.uow.run(tenantId, (tx) => this.incidents.list(tx, filter, page));
  }

  get(tenantId: TenantId, id: IncidentId): Promise<Result<IncidentDetail>> {
    return this.uow.run(tenantId, async (tx) => {
      const seen = await this.incidents.find(tx, id);
      if (seen === null) return err(notFound('incident'));
      return ok({
        seen,
        timeline: await this.incidents.events(tx, id),
        pages: await this.pages.of(tx, id),
        enrollers: await this.people.enrollersOf(tx, [seen.incident.invokedBy]),
      });
    });
  }
}
