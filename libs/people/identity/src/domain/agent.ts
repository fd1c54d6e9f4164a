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

/** An agent's name as somebody who decides reads it: marked if it could be taken for another (T48). */
export const shownAgentName = ({ name, nameNote }: Pick<Agent, 'name' | 'nameNote'>): string =>
  nameNote === null ? name : `${name} (${nameNote})`;
