import type { ApprovalSlot } from '#lib/formats';
import { WAYS_TO_THEIR_VOTE } from '#lib/identity';
import type { PersonId } from '#lib/kernel';
import { matchQuorum, type Approver, type Quorum } from './match-quorum.js';

/** Whether the people of the tenant could fill the slots, one vote a seat. */
export interface ReviewerCount {
  readonly enough: boolean;
  readonly needed: readonly ApprovalSlot[];
  /** The slots that people cannot fill, each with the number that it lacks. */
  readonly missing: Quorum['open'];
  /** The people who could still approve, without those who have. */
  readonly people: readonly PersonId[];
  /** Whether more people would count if none shared a vote. */
  readonly shared: boolean;
}

/**
 * @param given the people who have approved already.
 * @param able the people who could; policy was asked about each of them.
 */
export function countVotes(
  needed: readonly ApprovalSlot[],
  given: readonly Approver[],
  able: readonly Approver[],
): ReviewerCount {
  const { complete, open, filled } = matchQuorum(needed, [...given, ...able]);
  const apart = matchQuorum(
    needed,
    [...given, ...able].map((one) => ({ ...one, sharedWith: [] })),
  );
  const reviewed = new Set(given.map(({ personId }) => personId));
  const people = able.map(({ personId }) => personId).filter((id) => !reviewed.has(id));
  return { enough: complete, needed, missing: open, people, shared: apart.filled.length > filled.length };
}

/** How a shortage is told, by names. */
export interface ShortageNames {
  /** `this request`, or `requests of drift-bot in production`. */
  readonly what: string;
  readonly people: readonly string[];
  /** Those who could by their roles, and are barred; with the reason. */
  readonly barred: readonly string[];
  /** True if a shared vote bars one of them. */
  readonly barredByVote: boolean;
  /** Those who could, and lack the second factor that it takes. */
  readonly withoutFactor: readonly string[];
}

/** The reason why the quorum cannot be completed, and the next step; null if enough people exist. */
export function shortageInWords({ enough, needed, shared }: ReviewerCount, names: ShortageNames): string | null {
  if (enough) return null;
  const takes = needed.map(({ count, roles }) => `${String(count)} of ${roles.join(' or ')}`).join(' and ');
  const could = names.people.length === 0 ? 'nobody could give it' : `only ${listed(names.people)} could`;
  return [
    `Too few people could approve ${names.what}: it takes ${takes}, and ${could}.`,
    ...(shared ? ['People who came in by one hand share one vote.'] : []),
    ...(names.barred.length === 0
      ? []
      : [
          `${listed(names.barred)} may not review it: they submitted it, answer for its agent, or share a vote with somebody who does.`,
        ]),
    ...(names.withoutFactor.length === 0 ? [] : [`${listed(names.withoutFactor)} could with a second factor.`]),
    'Invite another person and give them one of these roles, or give the agent another owner.',
    ...(shared || names.barredByVote ? [WAYS_TO_THEIR_VOTE] : []),
  ].join(' ');
}

const MAX_NAMED = 5;

function listed(names: readonly string[]): string {
  const more = names.length - MAX_NAMED;
  const all = more > 0 ? [...names.slice(0, MAX_NAMED), `${String(more)} more`] : names;
  return all.length < 3 ? all.join(' and ') : `${all.slice(0, -1).join(', ')} and ${all.at(-1) ?? ''}`;
}
