/** The most snapshots that a store keeps. */
export const MAX_SNAPSHOTS = 50;
/** The longest time that a store keeps a snapshot: 30 days, in milliseconds. */
const MAX_KEPT_MS = 30 * 86_400_000;

/** A stored snapshot, and the time of its last change in epoch milliseconds. */
export interface StoredSnapshot {
  readonly id: string;
  readonly changedAt: number;
}

/** The ids of the snapshots that are too old, or beyond the newest {@link MAX_SNAPSHOTS}. */
export function outdatedSnapshots(stored: readonly StoredSnapshot[], now: number): readonly string[] {
  return stored
    .toSorted((a, b) => b.changedAt - a.changedAt)
    .filter(({ changedAt }, index) => index >= MAX_SNAPSHOTS || now - changedAt > MAX_KEPT_MS)
    .map(({ id }) => id);
}
