import type { Tx } from '#lib/kernel';
import type { ExecutionStore } from './lifecycle-hook.ports.js';

/** Far more than the pools of a tenant have under way at once. */
const SENT_AT_MOST = 1_000;

/**
 * Applies a restore from a backup to executions of hooks (T30). The backup lacks starts of programs that did happen, so that none of
 * these executions starts a program again.
 */
export class EndHooksForRestore {
  constructor(private readonly executions: Pick<ExecutionStore, 'list' | 'settle' | 'expireBeyond'>) {}

  async execute(tx: Tx, { reason }: { readonly reason: string }): Promise<void> {
    const fault = { code: 'lifecycle_hook.restored', message: reason };
    const sent = await this.executions.list(tx, { state: 'sent' }, { after: null, limit: SENT_AT_MOST });
    for (const { id, attempts } of sent)
      await this.executions.settle(tx, id, attempts, 'failed', { exitStatus: null, output: null, fault });
    await this.executions.expireBeyond(tx, 0, fault);
  }
}
