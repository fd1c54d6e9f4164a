import { GuardedUnitOfWork, TenantGate, type Database } from '#lib/database';
import { FailureError, type TenantId } from '#lib/kernel';
import type { PublishedCheckpoints } from './application/audit.ports.js';
import { createOutsideCheck, createTreeStore } from './create-audit.js';

/**
 * The database, for a process that serves. No transaction of a tenant begins before its log was compared with the
 * checkpoints outside. That happens at the start and after each promotion.
 *
 * @param onRefused told why a tenant is refused, once for each reason.
 */
export function guardLogs(
  database: Database,
  destinations: readonly PublishedCheckpoints[],
  onRefused: (error: Error) => void,
): Database {
  if (destinations.length === 0) return database;
  const { uow, primary, rehearsals, enclosingTransactions } = database;
  const outside = createOutsideCheck(primary, createTreeStore(), destinations);
  const told = new Map<TenantId, string>();
  const check = async (tenantId: TenantId): Promise<void> => {
    try {
      await outside.execute(tenantId);
      told.delete(tenantId);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      if (told.get(tenantId) !== why) onRefused(of(tenantId, error));
      told.set(tenantId, why);
      throw error;
    }
  };
  const gate = new TenantGate(check, () => performance.now());
  database.onPromotion(() => {
    gate.close();
  });
  const guarded = new GuardedUnitOfWork(
    {
      run: (...work) => uow.run(...work),
      rehearse: (...work) => rehearsals.rehearse(...work),
      enclose: (...work) => enclosingTransactions.enclose(...work),
    },
    gate,
  );
  const metrics: Database['metrics'] = () => ({ ...database.metrics(), refusedTenants: byCode(gate.refusals) });
  return { ...database, uow: guarded, rehearsals: guarded, enclosingTransactions: guarded, metrics };
}

/** The error, for somebody who has to know whose log it is about. */
function of(tenantId: TenantId, error: unknown): Error {
  if (!(error instanceof FailureError)) return new Error(`Tenant ${tenantId}: ${String(error)}`, { cause: error });
  const { failure } = error;
  return new FailureError({ ...failure, message: `Tenant ${tenantId}: ${failure.message}` }, { cause: error });
}

/** Of the refusals of a log; a database that did not answer has metrics of its own. */
function byCode(refusals: readonly unknown[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const error of refusals) {
    const code = error instanceof FailureError ? error.failure.code : '';
    if (code.startsWith('audit.')) counts.set(code, (counts.get(code) ?? 0) + 1);
  }
  return counts;
}
