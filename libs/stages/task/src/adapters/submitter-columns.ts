import type { AgentId, CredentialId, PersonId } from '#lib/kernel';
import { nullable, uuid } from '#lib/database';
import type { Submitter } from '../domain/task.js';

/** The columns of a submitter in the entity of each stage. */
export const SUBMITTER = {
  agentId: nullable(uuid<AgentId>()),
  personId: nullable(uuid<PersonId>()),
  onBehalfOf: nullable(uuid<PersonId>()),
  credentialId: uuid<CredentialId>(),
};

export interface StoredSubmitter {
  readonly agentId: AgentId | null;
  readonly personId: PersonId | null;
  readonly onBehalfOf: PersonId | null;
  readonly credentialId: CredentialId;
}

export const storedSubmitter = ({ kind, id, onBehalfOf, credentialId }: Submitter): StoredSubmitter => ({
  agentId: kind === 'agent' ? id : null,
  personId: kind === 'person' ? id : null,
  onBehalfOf,
  credentialId,
});

/** The inverse of {@link storedSubmitter}; the database checks that exactly one of agent and person is there. */
export function submitterIn({ agentId, personId, onBehalfOf, credentialId }: StoredSubmitter): Submitter {
  if (agentId !== null) return { kind: 'agent', id: agentId, onBehalfOf, credentialId };
  if (personId !== null) return { kind: 'person', id: personId, onBehalfOf: null, credentialId };
  throw new Error('A row has neither an agent nor a person as its submitter.');
}
