import { z } from 'zod';
import { requireSeal, type AutonomyRevisionId, type Digest, type RowSeals, type Tx } from '#lib/kernel';
import { storedId } from '#lib/formats';
import type { AutonomyInForce } from '../application/autonomy.ports.js';
import { sealedRevision } from './sealed-revision.js';
import { storedDocument } from './stored-document.js';

/** The revision in force as the functions of later stages return it. */
export const revisionInForceSchema = z.object({
  id: storedId<AutonomyRevisionId>(),
  number: z.int(),
  /** Canonical JSON. */
  document: z.string(),
  // A constraint of the column has checked its form.
  digest: z.string().transform((digest) => digest as Digest),
  seal: z.string().nullable(),
});

/** @throws {FailureError} `record.not_authentic`; `record.malformed` if the text is no autonomy document. */
export async function revisionInForce(
  seals: RowSeals,
  tx: Tx,
  row: z.infer<typeof revisionInForceSchema>,
): Promise<AutonomyInForce> {
  await requireSeal(seals, sealedRevision(tx, row), row.seal);
  const { id: revisionId, number, digest } = row;
  return { revisionId, number, digest, document: storedDocument(row.document, row.id) };
}
