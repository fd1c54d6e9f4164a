import type { AgentId, CredentialId, PersonId } from '#lib/kernel';
import type { Submitter } from '../domain/task.js';

/** A submitter as the tables of every stage hold it. */
export interface SubmitterColumns {
  readonly agent_id: string | null;
  readonly person_id: string | null;
  readonly on_behalf_of: string | null;
  readonly credential_id: string;
}

export const submitterColumns = (submitter: Submitter): SubmitterColumns => ({
  agent_id: submitter.kind === 'agent' ? submitter.id : null,
  person_id: submitter.kind === 'person' ? submitter.id : null,
  on_behalf_of: submitter.onBehalfOf,
  credential_id: submitter.credentialId,
});

/** The inverse of {@link submitterColumns}; the database checks that exactly one of agent and person is there. */
export function submitterFromColumns(row: SubmitterColumns): Submitter {
  const credentialId = row.credential_id as CredentialId;
  return row.agent_id === null
    ? { kind: 'person', id: row.person_id as PersonId, onBehalfOf: null, credentialId }
    : { kind: 'agent', id: row.agent_id as AgentId, onBehalfOf: row.on_behalf_of as PersonId | null, credentialId };
}
