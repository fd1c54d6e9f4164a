import type { PageRequest, TenantId, UnitOfWork } from '#lib/kernel';
import type { HookExecution } from '../domain/hook-execution.js';
import type { LifecycleHookId } from '../domain/ids.js';
import type { LifecycleHook } from '../domain/lifecycle-hook.js';
import type { ExecutionFilter, ExecutionStore, HookStore } from './lifecycle-hook.ports.js';

/** The hooks of a tenant, each with its newest execution. */
export interface HooksSeen {
  readonly hooks: readonly LifecycleHook[];
  readonly latest: ReadonlyMap<LifecycleHookId, HookExecution>;
}

/** Reads hooks and their executions. */
export class ReadHooksInForce {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly hooks: Pick<HookStore, 'all'>,
    private readonly executions: Pick<ExecutionStore, 'latest' | 'list'>,
  ) {}

  all(tenantId: TenantId): Promise<HooksSeen> {
    return this.uow.run(tenantId, async (tx) => ({
      hooks: await this.hooks.all(tx),
      latest: await this.executions.latest(tx),
    }));
  }

  /** Newest first. */
  executionsOf(tenantId: TenantId, filter: ExecutionFilter, page: PageRequest): Promise<readonly HookExecution[]> {
    return this.uow.run(tenantId, (tx) => this.executions.list(tx, filter, page));
  }
}
