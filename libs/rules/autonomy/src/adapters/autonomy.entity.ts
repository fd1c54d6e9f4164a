import { entity, integer, moment, text, uuid } from '#lib/database';
import type { AutonomyRevisionId, Digest, PersonId } from '#lib/kernel';

export const autonomyRevisionEntity = entity(
  'autonomy_revision',
  { id: uuid<AutonomyRevisionId>() },
  {
    number: integer(),
    source: text(),
    sourceSha256: text(),
    document: text(),
    digest: text<Digest>(),
    createdAt: moment(),
    createdBy: uuid<PersonId>(),
    seal: text(),
  },
);

/** The revision in force: one row a tenant. */
export const autonomyHeadEntity = entity(
  'autonomy_head',
  {},
  { revisionId: uuid<AutonomyRevisionId>(), updatedAt: moment() },
);
