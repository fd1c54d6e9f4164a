import { storedActorSchema, type SessionEnd, type SessionState } from '#lib/formats';
import { boolean, entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import type { AgentId, CredentialId, Digest, EnvironmentId, PersonId, SessionId } from '#lib/kernel';
import { SUBMITTER } from '#lib/task';
import type { SessionTrustId } from '../domain/ids.js';
import type { SessionAutonomy } from '../domain/session.js';

export const sessionEntity = entity(
  'session',
  { id: uuid<SessionId>() },
  {
    environmentId: uuid<EnvironmentId>(),
    ...SUBMITTER,
    preset: nullable(text<NonNullable<SessionAutonomy['preset']>>()),
    level: text<SessionAutonomy['level']>(),
    mode: text<SessionAutonomy['mode']>(),
    revision: integer(),
    model: nullable(text()),
    idleSeconds: integer(),
    approvalSeconds: integer(),
    callsPerTurn: integer(),
    callBudget: integer(),
    state: text<SessionState>(),
    endedReason: nullable(text<SessionEnd>()),
    openedAt: moment(),
    lastUsedAt: moment(),
    idleAt: moment(),
    endedAt: nullable(moment()),
    seal: text(),
  },
);

export const sessionAgentEntity = entity(
  'session_agent',
  { sessionId: uuid<SessionId>(), agentId: uuid<AgentId>() },
  {},
);

export const sessionTrustEntity = entity(
  'session_trust',
  { id: uuid<SessionTrustId>() },
  {
    sessionId: uuid<SessionId>(),
    toolName: text(),
    toolDigest: text<Digest>(),
    executorDigest: nullable(text<Digest>()),
    shape: text(),
    personId: uuid<PersonId>(),
    credentialId: uuid<CredentialId>(),
    factorProved: boolean(),
    madeAt: moment(),
    revokedAt: nullable(moment()),
    revokedBy: nullable(json(storedActorSchema)),
    seal: text(),
  },
);
