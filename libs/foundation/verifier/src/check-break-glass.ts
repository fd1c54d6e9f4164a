import { isJsonList, type Json } from '#lib/canonical';
import { idWithin } from './audit-entry.js';
import { member } from './json-member.js';
import { knownLines, type KnownPeople } from './known-by.js';
import type { Pack } from './pack-shape.js';
import type { Refuse, Warn } from './verification-failure.js';

/**
 * A run without approval needs a person who invoked break-glass, and a decision of policy that allowed it. It also
 * needs an incident with its whole timeline. A run that rests on an incident outside the pack is refused.
 *
 * @param warn takes a line that is true and no comfort.
 */
export function checkBreakGlass(pack: Pack, planDigest: string, refuse: Refuse, warn: Warn): string[] {
  return [...runsByIncident(pack)].flatMap(([incidentId, runId]) => {
    const index = pack.documents.findIndex(({ kind, id }) => kind === 'incident' && id === incidentId);
    const incident = pack.documents[index]?.document;
    if (incident === undefined) {
      return refuse(
        'story.break_glass_incident',
        `The run ${runId} was made by break-glass, and its incident is not in the pack.`,
        '/documents',
      );
    }
    const pointer = `/documents/${String(index)}`;
    if (member(incident, 'run_id') !== runId || member(incident, 'plan_digest') !== planDigest) {
      refuse('story.break_glass_incident', `The incident ${incidentId} is of another run or plan.`, pointer);
    }
    const invoked = pack.entries.find(
      ({ header }) =>
        header.action === 'break_glass.invoked' && idWithin(header, 'run') === runId && header.level === 'critical',
    );
    if (invoked?.header.actor.kind !== 'person' || invoked.header.actor.id !== member(incident, 'invoked_by')) {
      return refuse('story.break_glass_person', `The record names no person for the break-glass of ${runId}.`, pointer);
    }
    const decisionId = member(incident, 'decision_id');
    const decision = pack.documents.find(({ kind, id }) => kind === 'decision' && id === decisionId)?.document;
    if (
      decision === undefined ||
      member(decision, 'entrypoint') !== 'break_glass' ||
      member(decision, 'result', 'outcome') !== 'allow'
    ) {
      refuse('story.break_glass_decision', `No policy allowed the break-glass of the run ${runId}.`, pointer);
    }
    const timeline = checkTimeline(pack, incidentId, refuse);
    const reviewed = timeline.find((event) => member(event, 'kind') === 'reviewed');
    const reviewer = reviewed === undefined ? null : member(reviewed, 'actor', 'id');
    if (reviewer !== null && reviewer === invoked.header.actor.id) {
      refuse(
        'story.break_glass_review',
        `The person who broke the glass reviewed the incident ${incidentId} themselves.`,
        pointer,
      );
    }
    if (
      typeof reviewer === 'string' &&
      shareOneVote(member(reviewed ?? null, 'data', 'seats'), invoked.header.actor.id, reviewer)
    ) {
      refuse(
        'story.break_glass_review',
        `The reviewer of the incident ${incidentId} shares one vote with the person who broke the glass.`,
        pointer,
      );
    }
    warn(
      `BREAK-GLASS: ${invoked.header.actor.display_name} executed this plan without an approval; its incident has ${String(timeline.length)} entries and was ${reviewed === undefined ? 'NOT REVIEWED' : 'reviewed by somebody else'}.`,
    );
    const both: KnownPeople = [invoked.header.actor, ...reviewerOf(reviewed)].map(({ id, display_name: name }) => ({
      name,
      knownBy: member(reviewed ?? null, 'data', 'seats', id, 'known_by'),
    }));
    return knownLines('as it was reviewed', both, pack);
  });
}

function reviewerOf(reviewed: Json | undefined): { readonly id: string; readonly display_name: string }[] {
  const [id, name] = ['id', 'display_name'].map((key) => member(reviewed ?? null, 'actor', key));
  return typeof id === 'string' && typeof name === 'string' ? [{ id, display_name: name }] : [];
}

/** Whether two people have one vote together, according to their records. */
function shareOneVote(seats: Json, one: string, other: string): boolean {
  const seatOf = (id: string): Json[] => {
    const shared = member(seats, id, 'shared_with');
    return [id, ...(isJsonList(shared) ? shared : [])];
  };
  return seatOf(one).some((id) => seatOf(other).includes(id));
}

/** The incident of each run, from the entries of its start and its end. */
function runsByIncident(pack: Pack): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { kind, id, document } of pack.documents) {
    const incident = kind === 'run' ? member(document, 'incident_id') : null;
    if (typeof incident === 'string') found.set(incident, id);
  }
  for (const { header, facts } of pack.entries) {
    const run = idWithin(header, 'run');
    if (header.action !== 'run.created' || run === null || facts === null) continue;
    const incident = member(facts.payload, 'incident_id');
    if (typeof incident === 'string') found.set(incident, run);
  }
  return found;
}

/** From its opening on, without a gap. */
function checkTimeline(pack: Pack, incidentId: string, refuse: Refuse): readonly Json[] {
  const timeline = pack.documents
    .filter(({ kind, document }) => kind === 'incident-event' && member(document, 'incident_id') === incidentId)
    .map(({ document }) => document);
  const gap = timeline.findIndex((event, index) => member(event, 'seq') !== index + 1);
  if (gap >= 0 || member(timeline[0] ?? null, 'kind') !== 'opened') {
    refuse('story.break_glass_timeline', `The timeline of the incident ${incidentId} has a gap.`, '/documents');
  }
  return timeline;
}
