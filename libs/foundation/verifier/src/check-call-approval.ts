import type { Json } from '#lib/canonical';
import { documentDigest } from './audit-entry.js';
import { member } from './json-member.js';
import { quorumReached, type Approver } from './quorum.js';
import { slotsOf, voteOf } from './review-facts.js';
import { isThere, type LocatedEntry, type SessionLog } from './session-log.js';
import type { Refuse } from './verification-failure.js';

/**
 * Policy asked people about the call, and enough of the right people approved exactly it, before it was decided so. Each of them typed
 * the word CONFIRM if policy obliged to it.
 *
 * @returns that word, or null.
 */
export function checkCallApproval(log: SessionLog, decided: LocatedEntry, refuse: Refuse): Json {
  const { subject } = decided.entry.header;
  if (member(log.decisionOf(decided)?.result ?? null, 'outcome') !== 'require_approval')
    refuse(
      'story.call_decision',
      `The call ${subject.id} is said to be approved, and no decision in the pack asks people about it.`,
      decided.pointer,
    );
  const without = (): never =>
    refuse('story.quorum', `The call ${subject.id} was approved without the people it asked for.`, decided.pointer);
  const request = log.requestAbout(subject.id);
  if (request === null) {
    // A payload that is not there may name the request: the check is listed as not made. One that is there has to.
    const asked = log.asked.get(subject.id);
    return asked === undefined || isThere(asked) ? without() : null;
  }
  const { opened } = request;
  if (opened === undefined) return without();
  const reviews = request.reviews.filter(({ index }) => index < decided.index);
  // A payload that is not there may say otherwise: the check is listed as not made.
  if (![opened, ...reviews].every(isThere)) return null;
  const binding = member(opened.payload, 'binding_digest');
  const bound = member(opened.payload, 'binding');
  if (documentDigest('binding', bound) !== binding)
    refuse('story.approval_digest', `The request about the call ${subject.id} binds something else.`, opened.pointer);
  const word = wordAsked(log, decided, opened, refuse);
  const approvers = new Map<string, Approver>();
  for (const { entry, payload, pointer } of reviews) {
    const { actor } = entry.header;
    // A later review by the same person replaces the earlier.
    approvers.delete(actor.id);
    if (member(payload, 'verdict') !== 'approve') continue;
    if (
      member(payload, 'binding_digest') !== binding ||
      member(payload, 'subject_digest') !== member(bound, 'subject', 'tool_call')
    )
      refuse(
        'story.approval_digest',
        `${actor.display_name} approved something else than the call ${subject.id}.`,
        pointer,
      );
    if (member(payload, 'confirm_word') !== word)
      refuse(
        'story.confirm_word',
        `${actor.display_name} approved the call ${subject.id} ${word === null ? 'with a word that it does not take' : 'without the word that its decision obliges to'}.`,
        pointer,
      );
    approvers.set(actor.id, voteOf(entry));
  }
  const slots = slotsOf(opened.payload);
  if (slots.length === 0 || !quorumReached(slots, [...approvers.values()])) without();
  return word;
}

/** The word that each approval of the call takes, or null. The decision obliges to it, and its request asks for it. */
function wordAsked(log: SessionLog, decided: LocatedEntry, opened: LocatedEntry, refuse: Refuse): Json {
  const obliged = member(log.decisionOf(decided)?.result ?? null, 'obligations', 'confirm_word');
  if (member(opened.payload, 'obligations', 'confirm_word') !== obliged)
    refuse(
      'story.confirm_word',
      `The request about the call ${decided.entry.header.subject.id} asks for another word than its decision obliges to.`,
      opened.pointer,
    );
  return obliged;
}
