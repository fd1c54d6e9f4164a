import type { IncidentDuty } from '#lib/formats';
import { shareSeat, type Seats } from '#lib/identity';
import {
  err,
  type Failure,
  type IncidentId,
  notFound,
  ok,
  type PageRequest,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { barredFromReview } from '../domain/decide-incident.js';
import { dutyOf } from '../domain/incident-duty.js';
import { isRunEnded } from '../domain/run-ended.js';
import type { IncidentEvent } from '../domain/incident.js';
import { notifiedOf } from '../domain/notified-of.js';
import type {
  AlwaysNotified,
  IncidentFilter,
  IncidentRepository,
  IncidentSeen,
  Page,
  PageQueue,
  NotifiedPerson,
} from './incident.ports.js';

/** One incident with its timeline and its events for PagerDuty. */
export interface IncidentDetail {
  readonly seen: IncidentSeen;
  readonly timeline: readonly IncidentEvent[];
  readonly pages: readonly Page[];
  /** The people who hear of it, with their channels. */
  readonly notified: readonly NotifiedPerson[];
  /** The reason why the reader may never review it; null if they may. */
  readonly barred: Failure | null;
}

/** An incident with the duty of its reader. */
export interface IncidentWaiting {
  readonly seen: IncidentSeen;
  readonly duty: IncidentDuty;
}

/** Incidents, newest first, or one with its whole timeline. Failure: `resource.not_found`. */
export class ReadIncidents {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly incidents: IncidentRepository,
    private readonly pages: PageQueue,
    private readonly seats: Pick<Seats, 'standingOf'>,
    private readonly notified: AlwaysNotified,
  ) {}

  list(tenantId: TenantId, filter: IncidentFilter, page: PageRequest): Promise<readonly IncidentSeen[]> {
    return this.uow.run(tenantId, (tx) => this.incidents.list(tx, filter, page));
  }

  /** Incidents that wait for this person, newest first. */
  async waitingFor(by: PersonPrincipal, limit: number): Promise<readonly IncidentWaiting[]> {
    return this.uow.run(by.tenantId, async (tx) => {
      const found = await this.incidents.list(tx, { unreviewed: true }, { limit, after: null });
      const waiting: IncidentWaiting[] = [];
      for (const seen of found) {
        const { incident } = seen;
        const facts = {
          runEnded: isRunEnded(seen.runState),
          sharesInvokersVote:
            incident.state === 'resolved' &&
            (await this.#shareVote(tx, incident.invokedBy, by.personId, incident.openedAt)),
        };
        const duty = dutyOf(incident, by, facts);
        if (duty !== null) waiting.push({ seen, duty });
      }
      return waiting;
    });
  }

  get(tenantId: TenantId, id: IncidentId, readerId: PersonId): Promise<Result<IncidentDetail>> {
    return this.uow.run(tenantId, async (tx) => {
      const seen = await this.incidents.find(tx, id);
      if (seen === null) return err(notFound('incident'));
      const { invokedBy, openedAt } = seen.incident;
      return ok({
        seen,
        timeline: await this.incidents.events(tx, id),
        pages: await this.pages.of(tx, id),
        notified: notifiedOf(seen.incident, await this.notified.read(tx)),
        barred: barredFromReview(seen.incident, {
          personId: readerId,
          sharesInvokersVote: await this.#shareVote(tx, invokedBy, readerId, openedAt),
        }),
      });
    });
  }

  /** An unknown person counts as sharing the vote. */
  async #shareVote(tx: Tx, one: PersonId, other: PersonId, before: number): Promise<boolean> {
    const both = await this.seats.standingOf(tx, [one, other], before);
    const [first, second] = [both.get(one), both.get(other)];
    return first === undefined || second === undefined || shareSeat(first, second);
  }
}
