/** How pressing something is that waits. */
export interface Urgency {
  readonly production: boolean;
  /** From 0, low, to 3, critical. */
  readonly risk: number;
  /** How much it touches. */
  readonly targets: number;
  /** Since when it waits, epoch milliseconds. */
  readonly since: number;
}

/** Production first, then the higher risk, then more targets, then the longer wait. */
export const byUrgency = (one: Urgency, other: Urgency): number =>
  Number(other.production) - Number(one.production) ||
  other.risk - one.risk ||
  other.targets - one.targets ||
  one.since - other.since;
