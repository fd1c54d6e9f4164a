import { bytes, entity, moment, nullable, text, texts, uuid } from '#lib/database';
import type { AgentId, CredentialId, PersonId, Scope } from '#lib/kernel';
import type { CredentialHolder } from '../domain/credential.js';
import type { EnrolmentChannel } from '../domain/seats.js';

export const personEntity = entity(
  'person',
  { id: uuid<PersonId>() },
  {
    email: text(),
    displayName: text(),
    createdAt: moment(),
    disabledAt: nullable(moment()),
    enrolledAt: nullable(moment()),
    signedInAt: nullable(moment()),
    passkeySignedInAt: nullable(moment()),
    operatorSignedInAt: nullable(moment()),
    formerName: nullable(text()),
    renamedAt: nullable(moment()),
  },
);

export const agentEntity = entity(
  'agent',
  { id: uuid<AgentId>() },
  {
    name: text(),
    description: text(),
    ownerPersonId: uuid<PersonId>(),
    createdAt: moment(),
    disabledAt: nullable(moment()),
  },
);

export const roleAssignmentEntity = entity(
  'role_assignment',
  { id: uuid() },
  {
    personId: uuid<PersonId>(),
    role: text(),
    assignedAt: moment(),
    assignedBy: nullable(uuid<PersonId>()),
    assignedByIssuer: nullable(uuid()),
    revokedAt: nullable(moment()),
    revokedBy: nullable(uuid<PersonId>()),
    revokedByIssuer: nullable(uuid()),
    seal: text(),
  },
);

export const personVouchEntity = entity(
  'person_vouch',
  { id: uuid() },
  { personId: uuid<PersonId>(), vouchedBy: uuid<PersonId>(), vouchedAt: moment(), seal: text() },
);

export const credentialEntity = entity(
  'credential',
  { id: uuid<CredentialId>() },
  {
    kind: text<CredentialHolder['kind']>(),
    personId: nullable(uuid<PersonId>()),
    agentId: nullable(uuid<AgentId>()),
    delegatedBy: nullable(uuid<PersonId>()),
    name: text(),
    prefix: text(),
    tokenDigest: bytes(),
    scopes: texts<Scope>(),
    createdAt: moment(),
    createdBy: nullable(uuid<PersonId>()),
    expiresAt: moment(),
    revokedAt: nullable(moment()),
    lastUsedAt: nullable(moment()),
    seal: text(),
  },
);

export const enrolmentEntity = entity(
  'enrolment',
  { id: uuid() },
  {
    personId: uuid<PersonId>(),
    tokenDigest: bytes(),
    channel: text<EnrolmentChannel>(),
    createdAt: moment(),
    createdBy: nullable(uuid<PersonId>()),
    expiresAt: moment(),
    usedAt: nullable(moment()),
    voidedAt: nullable(moment()),
    seal: text(),
  },
);
