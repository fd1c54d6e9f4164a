import type { z } from 'zod';
import { bytesToHex } from '@noble/hashes/utils.js';
import type { AuditEntryView, ProvenEntry, PublishedAuditKey, SignedCheckpoint } from '#lib/audit';
import type { auditEntrySchema, auditKeySchema, checkpointSchema, provenAuditEntrySchema } from '#lib/api-schemas';
import { toTimestamp, toTimestampOrNull } from '#lib/kernel';

export function entryView({ header, payload }: AuditEntryView): z.infer<typeof auditEntrySchema> {
  const shown = {
    ...header,
    within: [...header.within],
    evidence: [...header.evidence],
  };
  return payload === undefined
    ? { header: shown }
    : // Zod's type of JSON has no readonly members.
      { header: shown, payload: payload as z.infer<typeof auditEntrySchema>['payload'] };
}

export function provenEntryView(entry: ProvenEntry): z.infer<typeof provenAuditEntrySchema> {
  const { proof, salt } = entry;
  return {
    ...entryView(entry),
    salt: salt === undefined ? null : bytesToHex(salt),
    proof:
      proof === null
        ? null
        : {
            epoch: proof.epoch,
            leaf_index: proof.leafIndex,
            inclusion: proof.inclusion.map((hash) => bytesToHex(hash)),
            checkpoint: checkpointView(proof.checkpoint),
          },
  };
}

export function checkpointView(checkpoint: SignedCheckpoint): z.infer<typeof checkpointSchema> {
  return {
    epoch: checkpoint.epoch,
    tree_size: checkpoint.treeSize,
    root_hash: bytesToHex(checkpoint.rootHash),
    note: checkpoint.note,
    key_name: checkpoint.keyName,
    signed_at: toTimestamp(checkpoint.signedAt),
    published_at: toTimestampOrNull(checkpoint.publishedAt),
    published_outside: checkpoint.publishedElsewhere,
  };
}

export function keyView({ name, key, validFrom, validTo }: PublishedAuditKey): z.infer<typeof auditKeySchema> {
  return { name, key, valid_from: toTimestamp(validFrom), valid_to: toTimestampOrNull(validTo) };
}
