import { ownMember } from '#lib/canonical';
import { toMinute, stateInWords } from '#lib/words';
import type { IncidentId, OutboxPayloads, PersonId, Tx } from '#lib/kernel';
import type { NoticeSource, NoticeToTell } from '#lib/delivery';
import type { ReadDescription } from '#lib/plan';
import { destinationsOf } from '../domain/escalation.js';
import { stepsOf } from '../domain/incident.js';
import { notifiedOf } from '../domain/notified-of.js';
import type { AlwaysNotified, IncidentRepository, IncidentSeen, IncidentSettingsStore } from './incident.ports.js';

/**
 * The notices of an incident, to the destinations that `notifies` names and the channel of its environment. Each
 * PlatformAdmin and SecurityReviewer gets them, too. Each escalation is a message of its own, since an edit sends no
 * notification.
 */
export class IncidentNotices implements NoticeSource<'incident.changed'> {
  /** @param publicUrl the address of Countersign in a browser. */
  constructor(
    private readonly incidents: IncidentRepository,
    private readonly settings: IncidentSettingsStore,
    private readonly notified: AlwaysNotified,
    private readonly descriptions: Pick<ReadDescription, 'execute'>,
    private readonly publicUrl: string,
  ) {}

  async read(tx: Tx, { incident_id: id, event }: OutboxPayloads['incident.changed']): Promise<NoticeToTell | null> {
    const seen = await this.incidents.find(tx, id);
    if (seen === null) return null;
    const { incident, environment } = seen;
    const { destinations } = await this.settings.read(tx);
    const invoker = nameOf(seen, incident.invokedBy);
    const done = await this.descriptions.execute(tx, incident.planId);
    const headline = done?.headline ?? 'a plan';
    return {
      id: event === 'overdue' ? `${incident.id}:${String(incident.escalations)}` : incident.id,
      title: `BREAK-GLASS: ${headline} in ${environment}: ${seen.overdue ? 'the review is overdue' : `the incident is ${stateInWords(incident.state)}`}`,
      lines: linesOf(seen, invoker, headline),
      done,
      words: { of: invoker, text: incident.justification },
      url: incidentUrl(this.publicUrl, incident.id),
      environment,
      people: notifiedOf(incident, await this.notified.read(tx)).map(({ id }) => id),
      always: true,
      alsoTo: [...new Set(destinationsOf(incident, destinations).flatMap((name) => addressesOf(destinations, name)))],
    };
  }
}

export const incidentUrl = (publicUrl: string, id: IncidentId): string =>
  new URL(`/incidents/${id}`, publicUrl).toString();

const nameOf = ({ people }: IncidentSeen, id: PersonId): string => people.get(id) ?? id;

const addressesOf = (destinations: Readonly<Record<string, readonly string[]>>, name: string): readonly string[] =>
  ownMember(destinations, name) ?? [];

function linesOf(seen: IncidentSeen, invoker: string, headline: string): readonly string[] {
  const { incident, runState } = seen;
  const { acknowledged, resolved, reviewed } = stepsOf(incident);
  return [
    `${invoker} executed ${headline} without an approval.`,
    `Its run is ${runState}.`,
    acknowledged === null ? 'Nobody has acknowledged it.' : `Acknowledged by ${nameOf(seen, acknowledged.by)}.`,
    ...(resolved === null ? [] : [`Resolved by ${nameOf(seen, resolved.by)}.`]),
    reviewed === null
      ? `To be reviewed by ${toMinute(incident.reviewDueAt)}, by somebody else than ${invoker}.`
      : `Reviewed by ${nameOf(seen, reviewed.by)}.`,
  ];
}
