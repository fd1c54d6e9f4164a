import { z } from 'zod';
import { bigint, boolean, bytes, entity, integer, json, moment, nullable, text, uuid } from '#lib/database';
import { storedActorSchema } from '#lib/formats';
import type { AuditEntryId, AuditLevel, DecisionId, SubjectRef } from '#lib/kernel';
import type { EntryHeader } from '#lib/verifier';
import type { LogFollowerId } from '../domain/ids.js';

const within: z.ZodType<readonly SubjectRef[]> = z.array(z.object({ type: z.string(), id: z.string() }));
const evidence: z.ZodType<EntryHeader['evidence']> = z.array(
  z.object({ kind: z.string(), id: z.string(), digest: z.string() }),
);

export const auditEntryEntity = entity(
  'audit_entry',
  { id: uuid<AuditEntryId>() },
  {
    occurredAt: moment(),
    level: text<AuditLevel>(),
    action: text(),
    actor: json(storedActorSchema),
    subjectType: text(),
    subjectId: text(),
    within: json(within),
    decisionId: nullable(uuid<DecisionId>()),
    evidence: json(evidence),
    payloadDigest: bytes(),
    salt: nullable(bytes()),
    payload: nullable(text()),
  },
);

export const auditEvidenceEntity = entity('audit_evidence', { digest: text(), entryId: uuid<AuditEntryId>() }, {});

export const auditEpochEntity = entity('audit_epoch', { epoch: integer() }, { startedAt: moment(), reason: text() });

export const auditLeafEntity = entity(
  'audit_leaf',
  { epoch: integer(), leafIndex: bigint() },
  { entryId: uuid<AuditEntryId>(), leafHash: bytes() },
);

export const auditNodeEntity = entity(
  'audit_node',
  { epoch: integer(), level: integer(), nodeIndex: bigint() },
  { hash: bytes() },
);

export const auditRetentionEntity = entity(
  'audit_retention',
  { level: text<AuditLevel>() },
  { keepDays: integer(), setAt: moment() },
);

export const auditSigningKeyEntity = entity(
  'audit_signing_key',
  { keyName: text() },
  { publicKey: bytes(), validFrom: moment(), validTo: nullable(moment()) },
);

export const auditCheckpointEntity = entity(
  'audit_checkpoint',
  { epoch: integer(), treeSize: bigint() },
  { rootHash: bytes(), note: text(), keyName: text(), signedAt: moment() },
);

export const auditPublicationEntity = entity(
  'audit_publication',
  { epoch: integer(), treeSize: bigint() },
  { publishedAt: moment(), elsewhere: boolean() },
);

export const logFollowerEntity = entity(
  'log_follower',
  { id: uuid<LogFollowerId>() },
  {
    name: text(),
    epoch: integer(),
    nextIndex: bigint(),
    headEpoch: integer(),
    headSize: bigint(),
    behindSince: moment(),
    notBefore: moment(),
    failures: integer(),
    atOnce: integer(),
    byLoop: boolean(),
  },
);
