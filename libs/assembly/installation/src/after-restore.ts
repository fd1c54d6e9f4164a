import type { VoidRequests } from '#lib/approval';
import type { EpochEffect } from '#lib/audit';
import type { Automations } from '#lib/automation';
import type { GrantRevoker } from '#lib/dispatch';
import type { Principal } from '#lib/kernel';
import type { LifecycleHooks } from '#lib/lifecycle-hook';
import type { PauseForRestore } from '#lib/run';
import type { ToolCalls } from '#lib/tool-call';

/**
 * The effect of a new epoch of a tenant's log on the other libraries, in the epoch's transaction (T30). Grants and approvals
 * from before are void, since both may have been used after the backup. Every run and every automation pauses until a person has
 * looked. No single call leaves, and no program of a hook starts again.
 */
export function afterRestore(
  grants: GrantRevoker,
  approvals: VoidRequests,
  runs: PauseForRestore,
  calls: ToolCalls['restore'],
  automations: Automations['restore'],
  hooks: LifecycleHooks['restore'],
): EpochEffect {
  return async (tx, epoch) => {
    const principal: Principal = { kind: 'system', tenantId: tx.tenantId, name: 'restore' };
    const reason = `The database was restored from a backup; epoch ${String(epoch)} began.`;
    // As a turn of an automation does: its row is locked before those of its calls.
    await automations.execute(tx, { reason });
    await runs.execute(tx, { epoch, reason });
    await approvals.databaseRestored(tx, epoch, principal);
    await calls.execute(tx, { reason });
    await hooks.execute(tx, { reason });
    await grants.revoke(tx, { kind: 'all' }, reason);
  };
}
