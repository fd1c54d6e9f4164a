import type { Json } from '#lib/canonical';
import { FailureError, type Failure } from './failure.js';

/** The tables that decide about callers, approvals, and outgoing calls, or that people decide by. */
export type SealedTable =
  | 'absence'
  | 'approval_request'
  | 'automation'
  | 'automation_run'
  | 'automation_safe_tool'
  | 'autonomy_revision'
  | 'call_grant'
  | 'change_request'
  | 'credential'
  | 'enrolment'
  | 'external_identity'
  | 'factor'
  | 'grant_key'
  | 'issuer'
  | 'issuer_standing'
  | 'lifecycle_hook'
  | 'person_vouch'
  | 'review'
  | 'role_assignment'
  | 'run'
  | 'runner'
  | 'runner_enrolment'
  | 'runner_key'
  | 'session'
  | 'session_trust'
  | 'tool_call';

/** A row with the columns that decide, which never change without a new seal. */
export interface SealedRow {
  readonly table: SealedTable;
  /** Null for the installation's own rows. */
  readonly tenantId: string | null;
  readonly id: string;
  readonly columns: Readonly<Record<string, Json>>;
}

/**
 * Seals rows: an HMAC under a key of the keyring over table, tenant, id and the deciding columns. So a login to the database alone
 * neither writes, alters nor moves a row that decides (T42).
 */
export interface RowSeals {
  /** The seal to store beside the row. */
  seal(row: SealedRow): Promise<string>;
  /** Whether the seal is this very row's. One that is not is reported, wherever the caller's transaction ends. */
  holds(row: SealedRow, seal: string | null): Promise<boolean>;
}

const NOT_AUTHENTIC = 'record.not_authentic';

/** A row that decides was not written by Countersign. */
const rowNotAuthentic = (table: SealedTable): Failure => ({
  kind: 'forbidden',
  code: NOT_AUTHENTIC,
  message: `A stored record (${table}) was not written by Countersign, or was changed since.`,
  action: 'Nothing was done with it. Have the operator find out who wrote to the database.',
  details: { table },
});

/** @throws {FailureError} `record.not_authentic` unless the seal is this very row's. */
export async function requireSeal(seals: RowSeals, row: SealedRow, seal: string | null): Promise<void> {
  if (!(await seals.holds(row, seal))) throw new FailureError(rowNotAuthentic(row.table));
}

/**
 * The result of the work. If a record that it needs is not authentic, the result is that of `otherwise`. So a look at
 * many rows goes on with the others.
 *
 * @param otherwise is given the failure of the record.
 */
export async function unlessNotAuthentic<T, Other = T>(
  work: Promise<T>,
  otherwise: (failure: Failure) => Other | Promise<Other>,
): Promise<T | Other> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === NOT_AUTHENTIC) return otherwise(error.failure);
    throw error;
  }
}
