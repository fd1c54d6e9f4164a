import type { AgentId, PersonId } from '#lib/kernel';

/** A program that asks, and the person accountable for it. Times are epoch milliseconds. */
export interface Agent {
  readonly id: AgentId;
  readonly name: string;
  readonly description: string;
  readonly ownerId: PersonId;
  readonly createdAt: number;
  readonly disabledAt: number | null;
  /** As a person's. */
  readonly nameNote: string | null;
}
