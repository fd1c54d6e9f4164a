import { idWithin } from './audit-entry.js';
import { member } from './json-member.js';
import { excludedIn, texts, voteOf } from './review-facts.js';
import { isThere, type CallRequest, type LocatedEntry, type SessionLog } from './session-log.js';
import type { Refuse } from './verification-failure.js';

/**
 * Checks the answers of people about a call of a session. Only a person answers, in a browser or in Slack, as policy allowed it. People
 * behind the call do not answer (T03), except that the owner of its agent may outside production.
 *
 * @returns how many answers came from that owner.
 */
export function checkCallAnswers(log: SessionLog, request: CallRequest, refuse: Refuse): number {
  const callId = request.asked.entry.header.subject.id;
  for (const one of [request.opened, ...request.reviews]) {
    if (one === undefined || idWithin(one.entry.header, 'tool_call') === callId) continue;
    refuse('story.call_not_asked', `The request ${request.id} is about another call than ${callId}.`, one.pointer);
  }
  const barred = barredFrom(log, request, refuse);
  for (const review of request.reviews) {
    const { actor } = review.entry.header;
    const wrong = (what: string): never =>
      refuse('story.reviewer', `${actor.display_name}, who ${what}, answered the call ${callId}.`, review.pointer);
    if (actor.kind !== 'person') wrong('is no person');
    const input = checkAllowed(log, request, review, refuse);
    if (member(input, 'reviewer', 'via') !== 'browser' && member(input, 'reviewer', 'via') !== 'slack')
      wrong('came with a token');
    const { sharedWith } = voteOf(review.entry);
    const excluded = new Set([...barred, ...excludedIn(member(input, 'request'))]);
    if (excluded.has(actor.id)) wrong('has a part in it');
    if (sharedWith.some((id) => excluded.has(id))) wrong('shares one vote with somebody who has a part in it');
  }
  const owner = member(request.asked.payload, 'asked_by', 'owner_id');
  return request.reviews.filter(({ entry }) => entry.header.actor.id === owner).length;
}

/** The decision that the review names let this person give this answer. @returns its input. */
function checkAllowed(log: SessionLog, request: CallRequest, review: LocatedEntry, refuse: Refuse) {
  const { actor } = review.entry.header;
  const decision = log.decisionOf(review);
  const input = decision?.input ?? null;
  const allowed =
    decision?.entrypoint === 'review' &&
    member(decision.result, 'outcome') === 'allow' &&
    member(input, 'request', 'id') === request.id &&
    member(input, 'reviewer', 'id') === actor.id &&
    (!isThere(review) || member(input, 'verdict') === member(review.payload, 'verdict'));
  return allowed
    ? input
    : refuse(
        'story.review_decision',
        `No decision in the pack lets ${actor.display_name} answer the request ${request.id} so.`,
        review.pointer,
      );
}

/** People who may not answer: those that the request excluded, and those behind the call. */
function barredFrom(log: SessionLog, { asked, opened }: CallRequest, refuse: Refuse): Set<string> {
  const untold = (message: string): never => refuse('story.reviewer', message, asked.pointer);
  return new Set([
    ...behindCall(log, asked, untold),
    ...(opened === undefined ? [] : [opened.entry.header.actor.id, ...excludedIn(opened.payload)]),
  ]);
}

/**
 * The people behind a call who may not answer it. Outside production, the owner of its agent is not one of them.
 *
 * @param told the entry that the one who asked for the call made.
 * @param untold refuses an entry that does not tell the owner.
 */
export function behindCall(
  log: SessionLog,
  told: LocatedEntry,
  untold: (message: string) => never,
): ReadonlySet<string> {
  const by = member(told.payload, 'asked_by');
  const [owner] = texts([member(by, 'owner_id')]);
  if (owner === undefined && member(by, 'kind') === 'agent')
    untold('The entry does not say who answers for the agent of the call.');
  const { actor } = told.entry.header;
  const behind = texts([actor.on_behalf_of, owner ?? null]);
  const outsideProduction = member(log.decisionOf(told)?.input ?? null, 'environment', 'production') === false;
  const mayAnswer = (id: string): boolean => id === owner && outsideProduction;
  return new Set([actor.id, ...texts([member(by, 'id')]), ...behind.filter((id) => !mayAnswer(id))]);
}
