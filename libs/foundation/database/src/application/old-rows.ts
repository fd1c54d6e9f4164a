import type { Tx } from '#lib/kernel';

/** Rows of a library that are of no use after some time. Upkeep deletes them in each tenant that has some. */
export interface OldRows {
  /** The name of the work that deletes them. */
  readonly name: string;
  /** The function that finds the tenants with rows from before a moment. */
  readonly tenants: string;
  /** How long they are kept, in milliseconds. */
  readonly ageMs: number;
  /** Deletes a batch of those from before a moment. @returns how many. */
  readonly drop: (tx: Tx, before: Date) => Promise<number>;
}
