import type { Json } from '#lib/canonical';
import { documentDigest } from './audit-entry.js';
import { member } from './json-member.js';
import { quorumReached, type Approver, type Slot } from './quorum.js';
import type { Pack, PackEntry } from './pack-shape.js';
import type { Refuse } from './verification-failure.js';

interface Placed {
  readonly entry: PackEntry;
  readonly pointer: string;
}

/** A decision on a call, with its payload. */
interface Decided extends Placed {
  readonly payload: Json;
  readonly word: string;
}

/** Words of a decision that people gave, or had the time to give. */
const OF_PEOPLE: readonly string[] = ['approved', 'rejected', 'timeout'];
/** Words of a decision that policy gave without people. */
const OF_POLICY: readonly string[] = ['auto_approved', 'trusted'];

/**
 * Checks the entries of a session of agents against each other: each call was decided once, as policy or people said, and about
 * the very arguments and command line that were asked about; none was sent with others, and none was allowed after the end; each
 * "always" is part of a person's answer.
 */
export function checkSession(pack: Pack, refuse: Refuse): string[] {
  const placed = pack.entries.map((entry, place): Placed => ({ entry, pointer: `/entries/${String(place)}` }));
  const asked = new Map(
    placed.flatMap((one) =>
      one.entry.header.action === 'tool_call.asked' ? [[one.entry.header.subject.id, one]] : [],
    ),
  );
  const told = new Map<string, Decided>();
  const seen = new Set<string>();
  const counts = new Map<string, number>();
  let ended = false;
  for (const one of placed) {
    const { action, subject } = one.entry.header;
    if (action === 'session.ended') ended = true;
    if (action === 'session.trusted') checkTrust(one, placed, asked, refuse);
    if (action === 'tool_call.dispatched') checkSent(one, told.get(subject.id), refuse);
    if (action !== 'tool_call.decided') continue;
    if (seen.has(subject.id))
      refuse('story.call_decided_twice', `The call ${subject.id} was decided more than once.`, one.pointer);
    seen.add(subject.id);
    const { facts } = one.entry;
    const word = facts === null ? null : member(facts.payload, 'decided_as');
    if (facts === null || typeof word !== 'string') continue;
    counts.set(word, (counts.get(word) ?? 0) + 1);
    const decided: Decided = { ...one, payload: facts.payload, word };
    told.set(subject.id, decided);
    if (ended && (OF_POLICY.includes(word) || word === 'approved'))
      refuse('story.call_after_end', `The call ${subject.id} was allowed after the session had ended.`, one.pointer);
    if (OF_POLICY.includes(word)) checkByPolicy(decided, pack, refuse);
    if (OF_PEOPLE.includes(word)) checkByPeople(decided, asked.get(subject.id), refuse);
    if (word === 'approved') checkApproved(decided, placed, refuse);
  }
  if (seen.size === 0) return ['No call was decided in the session.'];
  const said = [...counts].map(([word, count]) => `${String(count)} ${word.replaceAll('_', ' ')}`).sort();
  return [
    `${String(seen.size)} ${seen.size === 1 ? 'call' : 'calls'} decided, each once (${said.join(', ')}): as policy and people said, about these very arguments.`,
  ];
}

/** The decision that the entry names allows it. */
function checkByPolicy({ entry: { header }, pointer, word }: Decided, pack: Pack, refuse: Refuse): void {
  const decision = pack.documents.find(({ kind, id }) => kind === 'decision' && id === header.decision_id);
  if (decision !== undefined && member(decision.document, 'result', 'outcome') === 'allow') return;
  refuse(
    'story.call_decision',
    `The call ${header.subject.id} is said to be ${word.replaceAll('_', ' ')}, and no decision in the pack allows it.`,
    pointer,
  );
}

/** People were asked about exactly this call before. */
function checkByPeople({ entry, pointer, payload, word }: Decided, asked: Placed | undefined, refuse: Refuse): void {
  const { id } = entry.header.subject;
  if (asked === undefined || asked.entry.leafIndex >= entry.leafIndex)
    return refuse('story.call_not_asked', `The call ${id} is ${word}, and nobody was asked about it before.`, pointer);
  if (asked.entry.facts === null) return;
  for (const name of ['arguments_digest', 'tree', 'tool', 'tool_version', 'environment', 'request_id'])
    if (member(asked.entry.facts.payload, name) !== member(payload, name))
      refuse(
        'story.call_changed',
        `The call ${id} was decided with another ${name} than people were asked about.`,
        pointer,
      );
}

/** A call is sent with the arguments, and the tree of its command line, that it was allowed with (T53). */
function checkSent({ entry, pointer }: Placed, decided: Decided | undefined, refuse: Refuse): void {
  if (entry.facts === null || decided === undefined) return;
  const { id } = entry.header.subject;
  const sent = entry.facts.payload;
  if (member(sent, 'arguments_digest') !== member(decided.payload, 'arguments_digest'))
    refuse('story.executed_digest', `The call ${id} was sent with other arguments than it was allowed with.`, pointer);
  if (member(sent, 'tree') !== member(decided.payload, 'tree'))
    refuse(
      'story.executed_tree',
      `The call ${id} was sent with another tree of its command line than it was allowed with.`,
      pointer,
    );
}

/** The person who is said to trust later calls said so in the answer to one. */
function checkTrust(
  { entry, pointer }: Placed,
  placed: readonly Placed[],
  asked: ReadonlyMap<string, Placed>,
  refuse: Refuse,
): void {
  if (entry.facts === null) return;
  const id = member(entry.facts.payload, 'tool_call_id');
  const call = typeof id === 'string' ? asked.get(id) : undefined;
  if (call?.entry.facts === null) return;
  const request = call === undefined ? null : member(call.entry.facts.payload, 'request_id');
  const { actor } = entry.header;
  const said = placed.some(
    ({ entry: { header, facts, leafIndex } }) =>
      header.action === 'review.submitted' &&
      header.subject.id === request &&
      header.actor.id === actor.id &&
      leafIndex < entry.leafIndex &&
      // A payload that is not there may say it: the check is listed as not made.
      (facts === null || member(facts.payload, 'always') === true),
  );
  if (!said) refuse('story.trust', `${actor.display_name} said no "always" in an answer to a call.`, pointer);
}

/** Enough of the right people approved exactly this call. */
function checkApproved(
  { entry: { header }, pointer, payload }: Decided,
  placed: readonly Placed[],
  refuse: Refuse,
): void {
  const request = member(payload, 'request_id');
  const ofRequest = placed.filter(({ entry }) => entry.header.subject.id === request);
  const opened = ofRequest.find(({ entry }) => entry.header.action === 'approval_request.opened');
  const without = (): never =>
    refuse('story.quorum', `The call ${header.subject.id} was approved without the people it asked for.`, pointer);
  if (opened === undefined) return without();
  const reviews = ofRequest.filter(({ entry }) => entry.header.action === 'review.submitted');
  // A payload that is not there may say otherwise: the check is listed as not made.
  if ([opened, ...reviews].some(({ entry }) => entry.facts === null)) return;
  const facts = opened.entry.facts?.payload ?? null;
  const binding = member(facts, 'binding_digest');
  const approvers = new Map<string, Approver>();
  for (const { entry, pointer: place } of reviews) {
    const { actor } = entry.header;
    const review = entry.facts?.payload ?? null;
    if (actor.kind !== 'person')
      refuse('story.quorum', `${actor.display_name}, who is no person, answered the call ${header.subject.id}.`, place);
    approvers.delete(actor.id);
    if (member(review, 'verdict') !== 'approve' || member(review, 'binding_digest') !== binding) continue;
    approvers.set(actor.id, {
      personId: actor.id,
      roles: texts(member(review, 'roles')),
      sharedWith: texts(member(review, 'seat', 'shared_with')),
    });
  }
  const slots = items(member(facts, 'obligations', 'approvals')).map(slotOf);
  if (slots.length === 0 || !quorumReached(slots, [...approvers.values()])) without();
  const bound = member(facts, 'binding');
  if (bound !== null && documentDigest('binding', bound) !== binding)
    refuse('story.approval_digest', `The request about the call ${header.subject.id} binds something else.`, pointer);
}

const items = (value: Json): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);
const texts = (value: Json): string[] => items(value).filter((item) => typeof item === 'string');

function slotOf(slot: Json): Slot {
  const count = member(slot, 'count');
  return {
    count: typeof count === 'number' && count >= 1 ? count : Number.POSITIVE_INFINITY,
    roles: texts(member(slot, 'roles')),
  };
}
