import type { Tx } from '#lib/kernel';
import type { ExecutionStore } from './lifecycle-hook.ports.js';

/**
 * Applies a restore from a backup to executions of hooks (T30). The backup lacks starts of programs that did happen, so that none of
 * these executions starts a program again. The log has no entry of each: the one of the new epoch stands for all of them.
 */
export class EndHooksForRestore {
  constructor(private readonly executions: Pick<ExecutionStore, 'failSent' | 'expireBeyond'>) {}

  async execute(tx: Tx, { reason }: { readonly reason: string }): Promise<void> {
    const fault = { code: 'lifecycle_hook.restored', message: reason };
    await this.executions.failSent(tx, fault);
    await this.executions.expireBeyond(tx, 0, fault);
  }
}
