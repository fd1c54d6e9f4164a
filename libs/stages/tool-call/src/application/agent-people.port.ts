import type { AgentId, CredentialId, PersonId, Tx } from '#lib/kernel';
import type { Submitter } from '#lib/task';

/** The people behind somebody who makes calls. A person has none. */
interface PeopleBehind {
  /** Their accountable person now. */
  readonly ownerId: PersonId | null;
  readonly answerable: readonly PersonId[];
}

/** Knows the people behind an agent. */
export interface AgentPeople {
  /** Its accountable person now, and those who answered for it since then or made a token that speaks for it. */
  behind(
    tx: Tx,
    agentId: AgentId,
    since: number,
    credentialId: CredentialId,
  ): Promise<PeopleBehind & { readonly ownerId: PersonId }>;
}

/** @param since the moment of the call, epoch milliseconds. */
export const peopleBehind = (agents: AgentPeople, tx: Tx, submitter: Submitter, since: number): Promise<PeopleBehind> =>
  submitter.kind === 'agent'
    ? agents.behind(tx, submitter.id, since, submitter.credentialId)
    : Promise.resolve({ ownerId: null, answerable: [] });
