import { bigint, boolean, bytes, entity, integer, moment, nullable, text, uuid } from '#lib/database';
import type { AuditLevel } from '#lib/kernel';
import type { LogFollowerId } from '../domain/ids.js';

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
