/** `count` distinct people, each with one of `roles`; `any` is every person. */
export interface Slot {
  readonly count: number;
  readonly roles: readonly string[];
}

export interface Approver {
  readonly personId: string;
  readonly roles: readonly string[];
}

const ANY_ROLE = 'any';
const fits = (slot: Slot, { roles }: Approver): boolean =>
  slot.roles.includes(ANY_ROLE) || slot.roles.some((role) => roles.includes(role));

/**
 * Whether distinct people can fill every place of every slot, one place a person (a bipartite matching). Written apart
 * from the server's own, so that a mistake there does not vouch for itself.
 */
export function quorumReached(slots: readonly Slot[], approvers: readonly Approver[]): boolean {
  const wanted = slots.reduce((sum, { count }) => sum + count, 0);
  if (wanted > approvers.length) return false;
  const places = slots.flatMap((slot) => Array.from({ length: slot.count }, () => slot));
  const seatOf = new Map<number, number>();
  const seat = (place: number, tried: Set<number>): boolean =>
    approvers.some((approver, person) => {
      const slot = places[place];
      if (slot === undefined || tried.has(person) || !fits(slot, approver)) return false;
      tried.add(person);
      const taken = seatOf.get(person);
      if (taken !== undefined && !seat(taken, tried)) return false;
      seatOf.set(person, place);
      return true;
    });
  return places.every((_, place) => seat(place, new Set()));
}
