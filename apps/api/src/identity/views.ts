import type {
  agentSchema,
  meSchema,
  mintedTokenSchema,
  personSchema,
  standingSchema,
  tokenSchema,
} from '#lib/api-schemas';
import type { Agent, Credential, IssuedEnrolment, MintedCredential, NamedStanding, Person } from '#lib/identity';
import {
  type AgentPrincipal,
  type PersonId,
  type PersonPrincipal,
  type Principal,
  toTimestamp,
  toTimestampOrNull,
} from '#lib/kernel';
import type { SignInAddresses } from '#lib/sign-in';
import type { z } from 'zod';

export const personView = (person: Person): z.infer<typeof personSchema> => ({
  id: person.id,
  email: person.email,
  display_name: person.displayName,
  name_note: person.nameNote,
  created_at: toTimestamp(person.createdAt),
  enrolled_at: toTimestampOrNull(person.enrolledAt),
  disabled_at: toTimestampOrNull(person.disabledAt),
  came_in_at: toTimestampOrNull(person.cameInAt),
  roles: person.roles.map((held) => ({
    role: held.role,
    assigned_at: toTimestamp(held.assignedAt),
    assigned_by: held.assignedBy,
    assigned_by_issuer: held.assignedByIssuer,
  })),
});

/** To an agent without the address: an agent needs only names to tell the people apart. */
export const personViewFor =
  (by: Principal, standings: ReadonlyMap<PersonId, NamedStanding> = new Map()) =>
  (person: Person): z.infer<typeof personSchema> => {
    const standing = standings.get(person.id);
    return {
      ...personView(person),
      email: by.kind === 'person' ? person.email : null,
      ...(standing === undefined || by.kind !== 'person' ? {} : { standing: standingView(standing) }),
    };
  };

const standingView = ({ known, knownBy, sharedWith }: NamedStanding): z.infer<typeof standingSchema> => ({
  known,
  known_by: knownBy.map(({ basis, words, counts, at }) => ({ basis, words, counts, at: toTimestamp(at) })),
  shares_vote_with: sharedWith.map(({ id, displayName }) => ({ id, display_name: displayName })),
});

export const agentView = (agent: Agent): z.infer<typeof agentSchema> => ({
  id: agent.id,
  name: agent.name,
  name_note: agent.nameNote,
  description: agent.description,
  owner_id: agent.ownerId,
  created_at: toTimestamp(agent.createdAt),
  disabled_at: toTimestampOrNull(agent.disabledAt),
});

export const tokenView = ({ holder, ...credential }: Credential): z.infer<typeof tokenSchema> => ({
  id: credential.id,
  kind: holder.kind,
  person_id: 'personId' in holder ? holder.personId : null,
  agent_id: 'agentId' in holder ? holder.agentId : null,
  on_behalf_of: holder.kind === 'delegation' ? holder.delegatedBy : null,
  name: credential.name,
  prefix: credential.prefix,
  scopes: [...credential.scopes],
  created_at: toTimestamp(credential.createdAt),
  created_by: credential.createdBy,
  expires_at: toTimestamp(credential.expiresAt),
  revoked_at: toTimestampOrNull(credential.revokedAt),
  last_used_at: toTimestampOrNull(credential.lastUsedAt),
});

export const mintedTokenView = (minted: MintedCredential): z.infer<typeof mintedTokenSchema> => ({
  ...tokenView(minted.credential),
  token: minted.token,
});

export const enrolmentView = (
  issued: IssuedEnrolment,
  addresses: SignInAddresses,
): { enrolment_token: string; invitation_url: string; expires_at: string } => ({
  enrolment_token: issued.token,
  invitation_url: addresses.invitationUrl(issued.token),
  expires_at: toTimestamp(issued.expiresAt),
});

export const meView = (caller: PersonPrincipal | AgentPrincipal, tenantSlug: string): z.infer<typeof meSchema> => ({
  tenant_id: caller.tenantId,
  tenant_slug: tenantSlug,
  kind: caller.kind,
  id: caller.kind === 'person' ? caller.personId : caller.agentId,
  display_name: caller.displayName,
  credential_id: caller.credentialId,
  scopes: [...caller.scopes],
  roles:
    caller.kind === 'person'
      ? caller.roles.map((held) => ({ role: held.role, counts_from: toTimestamp(held.assignedAt) }))
      : [],
  owner_id: caller.kind === 'agent' ? caller.ownerId : null,
  on_behalf_of: caller.kind === 'agent' ? caller.onBehalfOf : null,
});
