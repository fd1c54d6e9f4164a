import { isJsonList, type Json } from '#lib/canonical';
import { member } from './json-member.js';
import type { PackEntry } from './pack-shape.js';
import type { Approver, Slot } from './quorum.js';

const items = (value: Json): readonly Json[] => (isJsonList(value) ? value : []);
export const texts = (value: Json): string[] => items(value).filter((item) => typeof item === 'string');

/** The people that a request asks for, by the payload of its opening. */
export const slotsOf = (opened: Json): Slot[] =>
  items(member(opened, 'obligations', 'approvals')).map((slot) => {
    const count = member(slot, 'count');
    return {
      count: typeof count === 'number' && count >= 1 ? count : Number.POSITIVE_INFINITY,
      roles: texts(member(slot, 'roles')),
    };
  });

/** The people that a request excluded when it was opened, by the payload of its opening. */
export const excludedIn = (opened: Json): string[] =>
  items(member(opened, 'excluded')).flatMap((one) => texts([member(one, 'person_id')]));

/** The vote of a review. The person who delegated the roles shares it. */
export function voteOf({ header, facts }: PackEntry): Approver {
  const review = facts?.payload ?? null;
  return {
    personId: header.actor.id,
    roles: texts(member(review, 'roles')),
    sharedWith: [...texts([member(review, 'delegated_by')]), ...texts(member(review, 'seat', 'shared_with'))],
  };
}
