import type { PersonId } from '#lib/kernel';
import type { Review } from './approval-request.js';

/** The reviewers, the people they stood in for, and the people by whose word or hand they are known. */
export const peopleInReviews = (reviews: readonly Review[]): PersonId[] =>
  reviews.flatMap(({ personId, delegatedBy, seat }) => [
    personId,
    ...(delegatedBy === null ? [] : [delegatedBy]),
    ...seat.sharedWith,
    ...seat.knownBy.flatMap(({ by, hand }) => [by, hand].filter((id) => id !== null)),
  ]);
