import { isJsonList, type Json } from '#lib/canonical';
import { documentDigest } from './audit-entry.js';
import { member } from './json-member.js';
import { knownLines, type KnownPeople } from './known-by.js';
import type { Pack, PackEntry } from './pack-shape.js';
import type { Refuse } from './verification-failure.js';

/** How a change can end, by the action that is recorded then. */
const ENDINGS = new Map([
  ['change.confirmed', 'confirmed'],
  ['change.rejected', 'rejected'],
  ['change.withdrawn', 'withdrawn'],
  ['change.expired', 'expired'],
  ['change.voided', 'voided'],
]);

interface LocatedEntry {
  readonly entry: PackEntry;
  readonly pointer: string;
}

/**
 * Checks the entries of a change of the guardrails against each other. The author is the one that the document names,
 * and it ended once. A second person confirmed it and carried it out. The check reads headers and the document; facts
 * are checked too, if they are still there.
 */
export function checkChange(pack: Pack, refuse: Refuse): string[] {
  const { id } = pack.subject;
  const document = pack.documents.find((one) => one.kind === 'change-request' && one.id === id)?.document;
  if (document === undefined)
    return refuse('story.change_missing', `The pack lacks the change ${id} as it was asked for.`, '/documents');
  const digest = documentDigest('change-request', document);
  const located = pack.entries.map((entry, index): LocatedEntry => ({ entry, pointer: `/entries/${String(index)}` }));
  const fixing = located.filter(({ entry }) => fixes(entry, id, digest));
  const own = fixing.filter(({ entry: { header } }) => header.subject.type === 'change_request');
  const carriedOut = fixing.filter(({ entry: { header } }) => header.subject.type !== 'change_request');
  const requested = checkRequested(own, id, document, refuse);
  const why = reasonLines(requested, document);
  const [ending, again] = located.filter(
    ({ entry: { header } }) => header.subject.id === id && ENDINGS.has(header.action),
  );
  if (again !== undefined) refuse('story.change_ended_twice', `The change ${id} ended more than once.`, again.pointer);
  if (ending?.entry.header.action === 'change.confirmed') {
    checkConfirmed(ending, requested, own, refuse);
    const carried = checkCarriedOut(carriedOut, ending, id, refuse);
    return [
      ...why,
      confirmedLine(requested, ending, carried),
      ...knownLines('as it was confirmed', bothOf(requested, ending), pack),
    ];
  }
  const [without] = carriedOut;
  if (without !== undefined)
    refuse(
      'story.change_carried_out',
      `${without.entry.header.action} was carried out on the change ${id}, which nobody confirmed.`,
      without.pointer,
    );
  const name = requested.entry.header.actor.display_name;
  const end = ending === undefined ? 'open' : ENDINGS.get(ending.entry.header.action);
  return [...why, `Asked for by ${name}; ${String(end)}, and nothing of it was carried out.`];
}

/** Author and confirmer, with the record of how each is known. */
const bothOf = (requested: LocatedEntry, { entry: { header, facts } }: LocatedEntry): KnownPeople =>
  [requested.entry.header.actor, header.actor].map(({ id, display_name: name }) => ({
    name,
    knownBy: facts === null ? null : member(facts.payload, 'seats', id, 'known_by'),
  }));

/** The author's reason for it, in their words. */
function reasonLines({ entry }: LocatedEntry, document: Json): string[] {
  const reason = member(document, 'reason');
  return typeof reason === 'string'
    ? [`${entry.header.actor.display_name} gave as the reason: ${JSON.stringify(reason)}`]
    : [];
}

const fixes = ({ header }: PackEntry, id: string, digest: string): boolean =>
  header.action !== 'evidence_pack.assembled' &&
  header.evidence.some((one) => one.kind === 'change-request' && one.id === id && one.digest === digest);

/** Requested once, by the author that the document names. */
function checkRequested(own: readonly LocatedEntry[], id: string, document: Json, refuse: Refuse): LocatedEntry {
  const [requested, again] = own.filter(({ entry }) => entry.header.action === 'change.requested');
  if (
    requested === undefined ||
    again !== undefined ||
    requested.entry.header.actor.id !== member(document, 'requested_by')
  )
    return refuse(
      'story.change_requested',
      `No entry says that the author it names asked for the change ${id}, once.`,
      requested?.pointer ?? '/entries',
    );
  return requested;
}

/** The second person is neither author nor beneficiary, and has the required role and a second factor. */
function checkConfirmed(
  ending: LocatedEntry,
  requested: LocatedEntry,
  own: readonly LocatedEntry[],
  refuse: Refuse,
): void {
  const { actor } = ending.entry.header;
  const unfit = (message: string): never => refuse('story.change_confirmed', message, ending.pointer);
  if (!own.includes(ending)) unfit('The confirmed change is another than the one in this pack.');
  if (actor.kind !== 'person') unfit(`${actor.display_name}, who is no person, confirmed the change.`);
  if (actor.id === requested.entry.header.actor.id) unfit(`${actor.display_name} confirmed their own change.`);
  const asked = requested.entry.facts?.payload ?? null;
  if (actor.id === member(asked, 'beneficiary_id'))
    unfit(`${actor.display_name} confirmed a change that they gain by.`);
  const { facts } = ending.entry;
  if (facts === null) return;
  const seatOf = (id: string): string[] => [id, ...texts(member(facts.payload, 'seats', id, 'shared_with'))];
  for (const other of [requested.entry.header.actor.id, member(asked, 'beneficiary_id')]) {
    if (typeof other === 'string' && seatOf(other).some((id) => seatOf(actor.id).includes(id)))
      unfit(
        `${actor.display_name} confirmed the change, and shares one vote with the person who asked for it or gains by it.`,
      );
  }
  const held = member(facts.payload, 'roles');
  const role = member(asked, 'required_role');
  if (typeof role === 'string' && !(Array.isArray(held) && held.includes(role)))
    unfit(`${actor.display_name} confirmed the change without the role ${role}.`);
  if (typeof member(facts.payload, 'mfa', 'method') !== 'string')
    unfit(`${actor.display_name} confirmed the change without a second factor.`);
}

const texts = (value: Json): string[] => (isJsonList(value) ? value.filter((item) => typeof item === 'string') : []);

const isSomebody = ({ entry }: LocatedEntry): boolean => entry.header.actor.kind !== 'system';

/** The confirmer carried it out, in this number of recorded actions. */
function checkCarriedOut(
  carriedOut: readonly LocatedEntry[],
  { entry, pointer }: LocatedEntry,
  id: string,
  refuse: Refuse,
): number {
  const other = carriedOut.find((one) => isSomebody(one) && one.entry.header.actor.id !== entry.header.actor.id);
  if (other !== undefined)
    refuse(
      'story.change_carried_out',
      `${other.entry.header.action} was carried out by somebody else than confirmed the change ${id}.`,
      other.pointer,
    );
  if (carriedOut.length === 0)
    refuse(
      'story.change_carried_out',
      `The change ${id} was confirmed, and no entry names the actions that were carried out.`,
      pointer,
    );
  return carriedOut.length;
}

function confirmedLine(requested: LocatedEntry, ending: LocatedEntry, actions: number): string {
  const author = requested.entry.header.actor.display_name;
  const second = ending.entry.header.actor.display_name;
  return `Asked for by ${author}, confirmed by ${second}, who is somebody else, and carried out on that word: exactly this change, ${String(actions)} ${actions === 1 ? 'action' : 'actions'}.`;
}
