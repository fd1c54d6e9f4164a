import { newId, type Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { LifecycleHookId } from '../domain/ids.js';
import type { LifecycleHook } from '../domain/lifecycle-hook.js';
import type { HookStore } from './lifecycle-hook.ports.js';

/** A hook that writes an entry about each failed run. */
export const sampleHook = ({ owner }: SampleTenant, changes: Partial<LifecycleHook> = {}): LifecycleHook => ({
  id: newId<LifecycleHookId>(),
  ...{ name: 'tell', position: 0, event: 'run.failed', matcher: '*', enabled: true },
  action: { type: 'log', message: 'failed' },
  createdBy: owner.personId,
  createdAt: 1_800_000_000_000,
  ...changes,
});

/** Keeps hooks in memory. Its transactions come one after the other, so that each has the lock. */
export class FakeHooks implements HookStore {
  readonly #hooks: FakeTable<LifecycleHook>;

  constructor(database: FakeUnitOfWork) {
    this.#hooks = new FakeTable(database);
  }

  all(tx: Tx): Promise<readonly LifecycleHook[]> {
    return Promise.resolve([...this.#hooks.of(tx).values()].sort((a, b) => a.position - b.position));
  }

  lockForChange(_tx: Tx): Promise<void> {
    return Promise.resolve();
  }

  replace(tx: Tx, hooks: readonly LifecycleHook[]): Promise<void> {
    if (new Set(hooks.map(({ name }) => name)).size < hooks.length)
      throw new FakeRefusal('23505', 'lifecycle_hook_name_key');
    const kept = this.#hooks.of(tx);
    for (const id of [...kept.keys()]) kept.delete(id);
    for (const hook of hooks) kept.set(hook.id, hook);
    return Promise.resolve();
  }
}
