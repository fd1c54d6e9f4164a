import type { SealedRow, TenantId } from '#lib/kernel';
import type { RunnerId } from '../domain/ids.js';

/** The pool of a runner, its environments, and its maker. How it ends is set once, and refuses only. */
export const sealedRunner = (
  tenantId: TenantId,
  row: {
    readonly id: RunnerId;
    readonly name: string;
    readonly pool: string;
    readonly environments: readonly string[];
    readonly createdBy: string;
  },
): SealedRow => ({
  table: 'runner',
  tenantId,
  id: row.id,
  columns: { name: row.name, pool: row.pool, environments: [...row.environments], created_by: row.createdBy },
});

/** The runner of a token. Its digest is an HMAC. */
export const sealedEnrolment = (
  tenantId: TenantId,
  row: { readonly id: string; readonly runnerId: RunnerId; readonly expiresAt: number },
): SealedRow => ({
  table: 'runner_enrolment',
  tenantId,
  id: row.id,
  columns: { runner_id: row.runnerId, expires_at: row.expiresAt },
});

/** The key, its runner, and its age: a later key takes the place of an earlier one. */
export const sealedKey = (
  tenantId: TenantId,
  row: { readonly id: string; readonly runnerId: RunnerId; readonly publicKey: string; readonly createdAt: number },
): SealedRow => ({
  table: 'runner_key',
  tenantId,
  id: row.id,
  columns: { runner_id: row.runnerId, public_key: row.publicKey, created_at: row.createdAt },
});
