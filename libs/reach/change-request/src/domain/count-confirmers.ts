import { shareSeat, type Seated } from '#lib/identity';
import type { PersonId } from '#lib/kernel';

/** How long somebody who was taken out of service, or lost the role, still stands in the way of applying a change alone. */
export const LEAVER_COUNTS_MS = 72 * 3_600_000;

/** Somebody who holds the confirming role, or held it not long ago. */
export interface PossibleConfirmer {
  readonly personId: PersonId;
  /** Whose hands they came in by: these share their vote. */
  readonly sharedWith: readonly PersonId[];
  /** When they lost the role or were disabled; null while they hold it. */
  readonly leftAt: number | null;
}

/** Whether a change waits, and for whom not. */
export type Demand =
  { readonly outcome: 'second_person'; readonly beneficiaryId: PersonId | null } | { readonly outcome: 'alone' };

/**
 * Whether there is a second person for a change. Whoever gains by it counts only where nobody else does. Somebody who was
 * removed within 72 hours counts as if they were there: otherwise one admin disables the other and is alone. People of the
 * author's hand are no second person: a tenant of one hand is alone, however many accounts it has.
 */
export function demandOf(
  possible: readonly PossibleConfirmer[],
  author: Seated,
  beneficiary: Seated | null,
  now: number,
): Demand {
  const others = possible.filter(
    (one) => !shareSeat(one, author) && (one.leftAt === null || now - one.leftAt < LEAVER_COUNTS_MS),
  );
  if (others.length === 0) return { outcome: 'alone' };
  const disinterested = beneficiary === null || others.some((one) => !shareSeat(one, beneficiary));
  return { outcome: 'second_person', beneficiaryId: disinterested ? (beneficiary?.personId ?? null) : null };
}
