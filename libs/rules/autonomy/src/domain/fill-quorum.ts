import { ANY_ROLE, type ApprovalSlot } from '#lib/formats';

/** A number of people who hold exactly these roles. */
export interface RoleHolders {
  readonly roles: readonly string[];
  readonly people: number;
}

/**
 * Decides whether distinct people can fill all slots at once. A maximum flow from slots to people. Counting slot by
 * slot would let one person who holds two roles fill two slots.
 */
export function canFill(slots: readonly ApprovalSlot[], holders: readonly RoleHolders[]): boolean {
  const left = holders.map(({ people }) => people);
  const taken = slots.map(() => holders.map(() => 0));
  const fits = slots.map(({ roles }) =>
    holders.map((held) => roles.includes(ANY_ROLE) || held.roles.some((role) => roles.includes(role))),
  );

  /** Finds one more person for a slot, and moves people between slots if that makes room. */
  const fillOne = (slot: number, seen: Set<number>): boolean => {
    const row = taken[slot];
    if (row === undefined) return false;
    for (let group = 0; group < holders.length; group += 1) {
      if (fits[slot]?.[group] !== true || seen.has(group)) continue;
      seen.add(group);
      const free = left[group] ?? 0;
      if (free > 0) {
        left[group] = free - 1;
        row[group] = (row[group] ?? 0) + 1;
        return true;
      }
      for (const [other, others] of taken.entries()) {
        if (other === slot || (others[group] ?? 0) === 0) continue;
        if (fillOne(other, seen)) {
          others[group] = (others[group] ?? 0) - 1;
          row[group] = (row[group] ?? 0) + 1;
          return true;
        }
      }
    }
    return false;
  };

  return slots.every(({ count }, slot) => Array.from({ length: count }).every(() => fillOne(slot, new Set())));
}

/** The holders without one person who holds exactly these roles. */
export function without(holders: readonly RoleHolders[], roles: readonly string[]): readonly RoleHolders[] {
  const key = roles.toSorted().join(' ');
  return holders.map((held) =>
    held.roles.toSorted().join(' ') === key ? { ...held, people: Math.max(held.people - 1, 0) } : held,
  );
}

/**
 * Decides whether any request can get these approvals. A requester excludes at least one person from reviewing: themselves,
 * or the accountable owner of the agent. So the slots must be fillable after one person is left out.
 */
export function canEverFill(slots: readonly ApprovalSlot[], holders: readonly RoleHolders[]): boolean {
  return holders.some((held) => held.people > 0 && canFill(slots, without(holders, held.roles)));
}
