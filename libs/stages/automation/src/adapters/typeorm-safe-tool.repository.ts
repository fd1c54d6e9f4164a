import { IsNull } from 'typeorm';
import { lockName, rowsOf, type RowOf } from '#lib/database';
import type { PersonId, RowSeals, SealedRow, Tx } from '#lib/kernel';
import type { SafeToolRepository } from '../application/safe-tool.ports.js';
import type { SafeToolId } from '../domain/ids.js';
import type { SafeTool } from '../domain/safe-tool.js';
import { automationSafeToolEntity } from './automation.entity.js';

type Row = RowOf<typeof automationSafeToolEntity>;

/** The list of safe tools in PostgreSQL. */
export class TypeormSafeToolRepository implements SafeToolRepository {
  constructor(private readonly seals: RowSeals) {}

  async lockForChange(tx: Tx): Promise<void> {
    await lockName(tx, `countersign.automation_safe_tool:${tx.tenantId}`);
  }

  async list(tx: Tx): Promise<readonly SafeTool[]> {
    const rows = await rowsOf(tx, automationSafeToolEntity).find({ removedAt: IsNull() }, { order: { tool: 'ASC' } });
    const holds = await Promise.all(rows.map((row) => this.#holds(tx, row)));
    return rows.filter((_, index) => holds[index]).map(entryOf);
  }

  async find(tx: Tx, tool: string): Promise<SafeTool | null> {
    return this.#entry(tx, await inForce(tx, tool));
  }

  async hold(tx: Tx, tool: string): Promise<SafeTool | null> {
    return this.#entry(tx, await rowsOf(tx, automationSafeToolEntity).findOne(ofTool(tool), { lock: 'share' }));
  }

  async #entry(tx: Tx, row: Row | null): Promise<SafeTool | null> {
    return row !== null && (await this.#holds(tx, row)) ? entryOf(row) : null;
  }

  async insert(tx: Tx, entry: SafeTool): Promise<void> {
    const seal = await this.seals.seal(sealedSafeTool(tx, entry));
    await rowsOf(tx, automationSafeToolEntity).insert({ ...entry, removedBy: null, removedAt: null, seal });
  }

  async remove(tx: Tx, { id }: Pick<SafeTool, 'id'>, by: PersonId, at: number): Promise<void> {
    await rowsOf(tx, automationSafeToolEntity).update({ id }, { removedBy: by, removedAt: at });
  }

  async removeForged(tx: Tx, tool: string, by: PersonId, at: number): Promise<SafeToolId | null> {
    const row = await inForce(tx, tool);
    if (row === null || (await this.#holds(tx, row))) return null;
    await this.remove(tx, row, by, at);
    return row.id;
  }

  #holds(tx: Tx, row: Row): Promise<boolean> {
    return this.seals.holds(sealedSafeTool(tx, row), row.seal);
  }
}

const ofTool = (tool: string) => ({ tool, removedAt: IsNull() });

/** One at most: a unique index keeps a forged row from standing beside a true one. */
const inForce = (tx: Tx, tool: string): Promise<Row | null> =>
  rowsOf(tx, automationSafeToolEntity).findOne(ofTool(tool));

const entryOf = ({ seal: _seal, removedBy: _by, removedAt: _at, ...entry }: Row): SafeTool => entry;

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
