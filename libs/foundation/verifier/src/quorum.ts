/** `count` distinct people, each with one of `roles`; `any` is every person. */
export interface Slot {
  readonly count: number;
  readonly roles: readonly string[];
}

export interface Approver {
  readonly personId: string;
  readonly roles: readonly string[];
  /** People who share one vote with them: through an enrolment, in either direction, or through a delegation. */
  readonly sharedWith: readonly string[];
}

/** People who have one vote together: one of them fills a seat for all of them. */
export type Seat = readonly Approver[];

const ANY_ROLE = 'any';
const fits = (slot: Slot, seat: Seat): boolean =>
  seat.some(({ roles }) => slot.roles.includes(ANY_ROLE) || slot.roles.some((role) => roles.includes(role)));

/** Those who share somebody with each other, directly or over others, as one. */
export function seatsOf(approvers: readonly Approver[]): Seat[] {
  const left = [...approvers];
  const seats: Approver[][] = [];
  for (let first = left.shift(); first !== undefined; first = left.shift()) {
    const seat = [first];
    const people = new Set([first.personId, ...first.sharedWith]);
    for (let index = 0; index < left.length; index += 1) {
      const other = left[index];
      if (other === undefined || ![other.personId, ...other.sharedWith].some((id) => people.has(id))) continue;
      left.splice(index, 1);
      seat.push(other);
      for (const id of [other.personId, ...other.sharedWith]) people.add(id);
      // They may share somebody with one who was passed over.
      index = -1;
    }
    seats.push(seat);
  }
  return seats;
}

/**
 * Whether distinct seats can fill every slot, each seat counting once (a bipartite matching). Written apart
 * from the server's own, so that a mistake there does not vouch for itself.
 */
export function quorumReached(slots: readonly Slot[], approvers: readonly Approver[]): boolean {
  const wanted = slots.reduce((sum, { count }) => sum + count, 0);
  const seats = seatsOf(approvers);
  if (wanted > seats.length) return false;
  const singles = slots.flatMap((slot) => Array.from({ length: slot.count }, () => slot));
  const seatOf = new Map<number, number>();
  const seat = (position: number, tried: Set<number>): boolean =>
    seats.some((approver, person) => {
      const slot = singles[position];
      if (slot === undefined || tried.has(person) || !fits(slot, approver)) return false;
      tried.add(person);
      const taken = seatOf.get(person);
      if (taken !== undefined && !seat(taken, tried)) return false;
      seatOf.set(person, position);
      return true;
    });
  return singles.every((_, position) => seat(position, new Set()));
}
