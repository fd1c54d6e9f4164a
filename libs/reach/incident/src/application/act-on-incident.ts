import { seatDocument, shareSeat, type Seats, type Standing } from '#lib/identity';
import {
  actorOf,
  err,
  type IncidentId,
  maskSecretText,
  notFound,
  ok,
  type PersonId,
  type PersonPrincipal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import { isRunEnded } from '../domain/run-ended.js';
import { decideIncident, type IncidentAction, type IncidentEntry } from '../domain/decide-incident.js';
import { postponeEscalation } from '../domain/escalation.js';
import type { IncidentJournal } from './incident-journal.js';
import type { IncidentRepository, IncidentSeen } from './incident.ports.js';

export type { IncidentAction } from '../domain/decide-incident.js';

/**
 * A person acknowledges an incident, notes something, resolves it with a post-mortem, or reviews that.
 *
 * Failures: `resource.not_found`, `incident.wrong_state`, `incident.run_not_ended`, `incident.own_review`,
 * `incident.same_hand`, `incident.timeline_full`.
 */
export class ActOnIncident {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly incidents: IncidentRepository,
    private readonly seats: Pick<Seats, 'standingOf'>,
    private readonly journal: IncidentJournal,
  ) {}

  execute(principal: PersonPrincipal, id: IncidentId, action: IncidentAction): Promise<Result<IncidentSeen>> {
    return this.uow.run(principal.tenantId, async (tx) => {
      const incident = await this.incidents.lock(tx, id);
      const seen = await this.incidents.find(tx, id);
      if (incident === null || seen === null) return err(notFound('incident'));
      const at = await tx.now();
      const runEnded = isRunEnded(seen.runState);
      const both = await this.seats.standingOf(tx, [incident.invokedBy, principal.personId], incident.openedAt);
      const [invoker, reviewer] = [both.get(incident.invokedBy), both.get(principal.personId)];
      const sharesInvokersVote = invoker === undefined || reviewer === undefined || shareSeat(invoker, reviewer);
      const { personId } = principal;
      const decided = decideIncident(incident, maskedAction(action), { personId, at, runEnded, sharesInvokersVote });
      if (!decided.ok) return decided;
      const { next, entry } = decided.value;
      const recorded = await this.journal.record(tx, postponeEscalation(next, sharesInvokersVote, at), {
        kind: entry.kind,
        actor: actorOf(principal),
        text: entry.text,
        // From these an offline check tells whether the two people have a vote each.
        ...(entry.kind === 'reviewed' ? { data: { seats: seatsOf(both) } } : {}),
        at,
        notice: NOTICES[entry.kind],
      });
      await this.incidents.save(tx, recorded);
      const after = await this.incidents.find(tx, id);
      return after === null ? err(notFound('incident')) : ok(after);
    });
  }
}

const seatsOf = (standings: ReadonlyMap<PersonId, Standing>) =>
  Object.fromEntries([...standings].map(([id, standing]) => [id, seatDocument(standing)]));

/** The notice of each entry. A note is shown on the page alone. */
const NOTICES: Readonly<Record<IncidentEntry['kind'], string | null>> = {
  acknowledged: 'acknowledged',
  note: null,
  resolved: 'resolved',
  reviewed: 'reviewed',
};

/** Masks secrets before the text is stored and digested (T32). */
function maskedAction(action: IncidentAction): IncidentAction {
  switch (action.kind) {
    case 'acknowledge':
      return { ...action, note: maskSecretText(action.note) };
    case 'note':
      return { ...action, text: maskSecretText(action.text) };
    case 'resolve':
      return { ...action, postMortem: maskSecretText(action.postMortem) };
    case 'review':
      return { ...action, comment: maskSecretText(action.comment) };
  }
}
