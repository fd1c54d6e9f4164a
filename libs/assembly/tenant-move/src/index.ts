/**
 * The move of a tenant from one installation to another, while it works (ADR 33).
 *
 * Owns the table tenant_move, the steps of a move, and the repetition or undoing of each step. Owns the sealed
 * hand-over of encrypted values. Invariants: one installation at most serves a tenant; the target serves it only if
 * every table, every plaintext and the tree of the audit log are equal; no master key and no unsealed plaintext leaves
 * a process; rights that a move gives are taken back at its end.
 *
 * Never decides whether a tenant may move: the operator of both databases does.
 */
export { lineReceiver } from './adapters/line-receiver.js';
export { keysOfMovingTenants } from './adapters/keys-of-moving-tenants.js';
export { identityOf, moveOf, newestEpoch } from './adapters/sql-reached-database.js';
export { serveReceiver, type TargetKeys } from './adapters/serve-receiver.js';
export type { CellMap, MoveResult, SourceCell, SourceKeys, SourceLog } from './application/move.ports.js';
export type { Forgotten } from './application/forget-tenant.js';
export { createTenantMove, openSourceCell, openTargetCell } from './create-tenant-move.js';
export { checkNames, checkSlug } from './domain/check-target.js';
export type { MoveState } from './domain/move-state.js';
