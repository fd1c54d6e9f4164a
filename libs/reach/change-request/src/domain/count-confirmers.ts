import { shareSeat, type Seated } from '#lib/identity';
import type { PersonId } from '#lib/kernel';

/** For this long, an admin who was disabled or lost the role still counts as another person. */
export const DEPARTED_ADMIN_GRACE_MS = 72 * 3_600_000;

/** A person who holds the confirming role, or held it not long ago. */
export interface PossibleConfirmer {
  readonly personId: PersonId;
  /** The hands that they came in by: these share their vote. */
  readonly sharedWith: readonly PersonId[];
  /** When they lost the role or were disabled; null while they hold it. */
  readonly leftAt: number | null;
}

/** The answer: a change waits, except for its beneficiary, or its author is alone. */
export type Demand =
  | { readonly outcome: 'second_person'; readonly beneficiaryId: PersonId | null }
  | { readonly outcome: 'alone' };

/**
 * Decides whether a second person exists for a change. Its beneficiary counts only if no other person does. A person who
 * was removed within 72 hours still counts: otherwise one admin disables the other and is alone. People of the author's
 * hand do not count: a tenant of one hand is alone, however many accounts it has.
 */
export function demandOf(
  possible: readonly PossibleConfirmer[],
  author: Seated,
  beneficiary: Seated | null,
  now: number,
): Demand {
  const others = possible.filter(
    (one) => !shareSeat(one, author) && (one.leftAt === null || now - one.leftAt < DEPARTED_ADMIN_GRACE_MS),
  );
  if (others.length === 0) return { outcome: 'alone' };
  const disinterested = beneficiary === null || others.some((one) => !shareSeat(one, beneficiary));
  return { outcome: 'second_person', beneficiaryId: disinterested ? (beneficiary?.personId ?? null) : null };
}
