import { IsNull } from 'typeorm';
import { rowsOf, sqlOf, type RowOf } from '#lib/database';
import type { PersonId, RowSeals, SealedRow, Tx } from '#lib/kernel';
import type { SafeToolRepository } from '../application/safe-tool.ports.js';
import type { SafeTool } from '../domain/safe-tool.js';
import { automationSafeToolEntity } from './automation.entity.js';

/** The list of safe tools in PostgreSQL. */
export class SqlSafeToolRepository implements SafeToolRepository {
  constructor(private readonly seals: RowSeals) {}

  async lockForChange(tx: Tx): Promise<void> {
    await sqlOf(tx).query(
      `select pg_advisory_xact_lock(hashtextextended('countersign.automation_safe_tool:' || $1, 0))`,
      [tx.tenantId],
    );
  }

  async list(tx: Tx): Promise<readonly SafeTool[]> {
    const rows = await rowsOf(tx, automationSafeToolEntity).find({ removedAt: IsNull() }, { order: { tool: 'ASC' } });
    return this.#authentic(tx, rows);
  }

  async find(tx: Tx, tool: string): Promise<SafeTool | null> {
    const [entry] = await this.#authentic(
      tx,
      await rowsOf(tx, automationSafeToolEntity).find({ tool, removedAt: IsNull() }),
    );
    return entry ?? null;
  }

  async insert(tx: Tx, entry: SafeTool): Promise<void> {
    const seal = await this.seals.seal(sealedSafeTool(tx, entry));
    await rowsOf(tx, automationSafeToolEntity).insert({ ...entry, removedBy: null, removedAt: null, seal });
  }

  async remove(tx: Tx, { id }: SafeTool, by: PersonId, at: number): Promise<void> {
    await rowsOf(tx, automationSafeToolEntity).update({ id }, { removedBy: by, removedAt: at });
  }

  async #authentic(tx: Tx, rows: readonly RowOf<typeof automationSafeToolEntity>[]): Promise<readonly SafeTool[]> {
    const holds = await Promise.all(rows.map((row) => this.seals.holds(sealedSafeTool(tx, row), row.seal)));
    return rows
      .filter((_, index) => holds[index])
      .map(({ seal: _seal, removedBy: _by, removedAt: _at, ...entry }) => entry);
  }
}

/** All of an entry but its end. */
const sealedSafeTool = (
  tx: Tx,
  { id, tool, version, digest, effect, risk, addedBy, addedAt }: SafeTool,
): SealedRow => ({
  table: 'automation_safe_tool',
  tenantId: tx.tenantId,
  id,
  columns: { tool, version, digest, effect, risk, added_by: addedBy, added_at: addedAt },
});
