import type { VoidRequests } from '#lib/approval';
import type { EpochEffect } from '#lib/audit';
import type { GrantRevoker } from '#lib/dispatch';
import type { Principal } from '#lib/kernel';
import type { PauseForRestore } from '#lib/run';

/**
 * What a new epoch of a tenant's log means to everything else, in its own transaction (T30): no grant from before is good
 * any more, no approval from before can be used, since both may have been used after the backup, and no run goes on
 * before a person has looked.
 */
export function afterRestore(grants: GrantRevoker, approvals: VoidRequests, runs: PauseForRestore): EpochEffect {
  return async (tx, epoch) => {
    const principal: Principal = { kind: 'system', tenantId: tx.tenantId, name: 'restore' };
    const reason = `The database was restored from a backup; epoch ${String(epoch)} began.`;
    await runs.execute(tx, { epoch, reason });
    await approvals.databaseRestored(tx, epoch, principal);
    await grants.revoke(tx, { kind: 'all' }, reason);
  };
}
