import { escapeLiteral } from 'pg';
import { isUuid, type TenantId, type TransactionMode } from '#lib/kernel';
import type { MoveQuestion } from './held-tenants.js';
import { waitsAs, type Waits } from './waits.js';

/** Bounds of one transaction, in milliseconds. */
export interface TransactionLimits extends Waits {
  /** Between two statements; more ends the database session (25P03), so that a stuck request holds no locks. */
  readonly idleMs: number;
  /** Transactions that cannot write, as at a replica. */
  readonly readOnly?: true;
}

export const DEFAULT_LIMITS: TransactionLimits = { statementMs: 15_000, lockMs: 5_000, idleMs: 30_000 };

/**
 * Begins and sets in one message, which takes text without parameters. Every setting is local to the transaction, as
 * with `set_config(…, true)`, but without a query to plan. Nothing survives on a connection that is used again.
 *
 * @param question when the transaction asks for its rights: always, or only if it begins late. It asks since its tenant
 * may be moving. A call of a procedure is not planned either.
 */
export function beginAs(
  tenantId: TenantId,
  limits: TransactionLimits,
  mode: TransactionMode | undefined,
  question: MoveQuestion,
): string {
  if (!isUuid(tenantId)) throw new Error('A tenant is named by a UUID.');
  const settings = {
    'app.tenant_id': tenantId,
    idle_in_transaction_session_timeout: String(limits.idleMs),
    ...(mode === 'losable' ? { synchronous_commit: 'off' } : {}),
  };
  return [
    beginning(limits, mode),
    waitsAs(limits),
    ...Object.entries(settings).map(([name, value]) => `set local ${name} = ${escapeLiteral(value)}`),
    question === 'ask'
      ? 'select tenant_move_restrict()'
      : `call tenant_move_restrict_after(${escapeLiteral(question.knownUntil)})`,
  ].join('; ');
}

function beginning({ readOnly }: TransactionLimits, mode: TransactionMode | undefined): string {
  // Read only, too: while a tenant moves, a snapshot may be older than the state of the move.
  if (mode === 'snapshot') return 'begin isolation level repeatable read read only';
  return readOnly === true ? 'begin read only' : 'begin';
}
