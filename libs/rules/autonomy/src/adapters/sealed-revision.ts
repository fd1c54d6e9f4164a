import type { AutonomyRevisionId, SealedRow, Tx } from '#lib/kernel';

/** The deciding columns of a revision. @param revision.document canonical JSON, as it is stored. */
export const sealedRevision = (
  tx: Pick<Tx, 'tenantId'>,
  { id, number, document }: { readonly id: AutonomyRevisionId; readonly number: number; readonly document: string },
): SealedRow => ({ table: 'autonomy_revision', tenantId: tx.tenantId, id, columns: { number, document } });
