import { ANY_ROLE, type ApprovalSlot } from '#lib/formats';
import type { PersonId } from '#lib/kernel';

/** A person who approved, with the roles that count. */
export interface Approver {
  readonly personId: PersonId;
  readonly roles: readonly string[];
  /** The person who delegated their roles; null for own roles. */
  readonly delegatedBy: PersonId | null;
  /** The hands that they, or the person they stand in for, came in by: these share their vote. */
  readonly sharedWith: readonly PersonId[];
}

/**
 * Approvers who count as one: a delegate, the person they stand in for, and further delegates of that person; people who
 * came in by one hand, and that hand.
 */
type Seat = readonly Approver[];

export interface Quorum {
  readonly complete: boolean;
  /** The people in each slot: at most one slot a person, at most `count` people a slot. */
  readonly filled: readonly {
    readonly slot: number;
    readonly roles: readonly string[];
    readonly personId: PersonId;
    /** Which of their roles fill it; all that count if anybody may. */
    readonly as: readonly string[];
  }[];
  /** The slots that are still open, each with the number of people that it lacks. */
  readonly open: readonly { readonly slot: number; readonly roles: readonly string[]; readonly count: number }[];
}

/** Whether somebody with these roles may fill the slot; `any` takes every person of the tenant. */
export const fills = (slot: ApprovalSlot, roles: readonly string[]): boolean =>
  slot.roles.includes(ANY_ROLE) || slot.roles.some((role) => roles.includes(role));

/**
 * The largest assignment of distinct people to slots. Slots are conjunctive: it is complete if each slot has its number of
 * people. Somebody who holds several roles is moved between slots if that helps (augmenting paths). So the order of reviews
 * never decides whether a quorum is reached.
 */
export function matchQuorum(slots: readonly ApprovalSlot[], approvers: readonly Approver[]): Quorum {
  const taken: Seat[][] = slots.map(() => []);
  for (const person of seatsOf(approvers)) seat(person, slots, taken, new Set());
  const open = slots.flatMap((slot, index) => {
    const count = slot.count - (taken[index]?.length ?? 0);
    return count > 0 ? [{ slot: index, roles: slot.roles, count }] : [];
  });
  const filled = slots.flatMap((slot, index) =>
    (taken[index] ?? []).flatMap((shared) => {
      const person = shared.find(({ roles }) => fills(slot, roles));
      if (person === undefined) return [];
      const as = person.roles.filter((role) => slot.roles.includes(ANY_ROLE) || slot.roles.includes(role));
      return [{ slot: index, roles: slot.roles, personId: person.personId, as }];
    }),
  );
  return { complete: open.length === 0, filled, open };
}

/** Assigns the person to a slot, moving others to another slot if that helps. */
function seat(person: Seat, slots: readonly ApprovalSlot[], taken: Seat[][], tried: Set<number>): boolean {
  for (const [index, slot] of slots.entries()) {
    const seated = taken[index];
    if (seated === undefined || tried.has(index) || !person.some(({ roles }) => fills(slot, roles))) continue;
    tried.add(index);
    if (seated.length < slot.count) {
      seated.push(person);
      return true;
    }
    for (const [position, other] of seated.entries()) {
      if (seat(other, slots, taken, tried)) {
        seated[position] = person;
        return true;
      }
    }
  }
  return false;
}

/**
 * Those who share a person with each other, directly or through others, have one seat together. `policies/approval` and the
 * verifier count the same, each by its own means: test/support/seat-cases.ts holds the three to one answer (ADR 5).
 */
function seatsOf(approvers: readonly Approver[]): Seat[] {
  let seats: Seat[] = [];
  for (const approver of approvers) {
    const mine = seats.filter((shared) => shared.some((other) => share(other, approver)));
    seats = [...seats.filter((shared) => !mine.includes(shared)), [...mine.flat(), approver]];
  }
  return seats;
}

const share = (one: Approver, other: Approver): boolean =>
  personsOf(one).some((person) => personsOf(other).includes(person));

const personsOf = ({ personId, delegatedBy, sharedWith }: Approver): readonly PersonId[] => [
  personId,
  ...(delegatedBy === null ? [] : [delegatedBy]),
  ...sharedWith,
];
