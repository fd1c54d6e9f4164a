import { canonicalJson } from '#lib/canonical';
import { lockName, rowsOf } from '#lib/database';
import type { RowSeals, SealedRow, Tx } from '#lib/kernel';
import type { HookStore } from '../application/lifecycle-hook.ports.js';
import type { LifecycleHook } from '../domain/lifecycle-hook.js';
import { lifecycleHookEntity } from './lifecycle-hook.entity.js';

/** Hooks in PostgreSQL. */
export class TypeormHooks implements HookStore {
  constructor(private readonly seals: RowSeals) {}

  async all(tx: Tx): Promise<readonly LifecycleHook[]> {
    const rows = await rowsOf(tx, lifecycleHookEntity).find({}, { order: { position: 'ASC' } });
    const holds = await Promise.all(rows.map((row) => this.seals.holds(sealedHook(tx, row), row.seal)));
    return rows.filter((_, index) => holds[index]).map(({ seal: _seal, ...hook }) => hook);
  }

  async lockForChange(tx: Tx): Promise<void> {
    await lockName(tx, `countersign.lifecycle_hook:${tx.tenantId}`);
  }

  async replace(tx: Tx, hooks: readonly LifecycleHook[]): Promise<void> {
    const table = rowsOf(tx, lifecycleHookEntity);
    await table.delete({});
    if (hooks.length === 0) return;
    const rows = hooks.map(async (hook) => ({ ...hook, seal: await this.seals.seal(sealedHook(tx, hook)) }));
    await table.insert(await Promise.all(rows));
  }
}

/** All of a hook. */
const sealedHook = (
  tx: Tx,
  { id, name, position, event, matcher, action, enabled, createdBy, createdAt }: LifecycleHook,
): SealedRow => ({
  table: 'lifecycle_hook',
  tenantId: tx.tenantId,
  id,
  columns: {
    name,
    position,
    event,
    matcher,
    action: canonicalJson({ ...action }),
    enabled,
    created_by: createdBy,
    created_at: createdAt,
  },
});
