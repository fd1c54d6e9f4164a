import { digestText, newId, type PersonId, type Tx } from '#lib/kernel';
import { FakeRefusal } from '../../../../foundation/kernel/src/fake-refusal.js';
import type { SampleTenant } from '../../../../foundation/kernel/src/fake-tenant.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { SafeToolId } from '../domain/ids.js';
import type { SafeTool } from '../domain/safe-tool.js';
import type { SafeToolRepository } from './safe-tool.ports.js';

/** An entry that the tenant's admin adds. */
export const sampleSafeTool = ({ admin }: SampleTenant, tool: string, version = 1): SafeTool => ({
  ...{ id: newId<SafeToolId>(), tool, version, effect: 'modify', risk: 'state_change_nonprod' },
  digest: digestText('tool', `${tool}@${String(version)}`),
  addedBy: admin.personId,
  addedAt: Date.UTC(2026, 0, 5, 8),
});

interface Row {
  readonly entry: SafeTool;
  readonly forged: boolean;
  readonly removed: boolean;
}

/** Keeps the list in memory. */
export class FakeSafeToolRepository implements SafeToolRepository {
  readonly #rows: FakeTable<Row>;

  constructor(database: FakeUnitOfWork) {
    this.#rows = new FakeTable(database);
  }

  lockForChange(): Promise<void> {
    return Promise.resolve();
  }

  list(tx: Tx): Promise<readonly SafeTool[]> {
    const entries = this.#inForce(tx).flatMap(({ forged, entry }) => (forged ? [] : [entry]));
    return Promise.resolve(entries.toSorted((a, b) => (a.tool < b.tool ? -1 : 1)));
  }

  async find(tx: Tx, tool: string): Promise<SafeTool | null> {
    return (await this.list(tx)).find((entry) => entry.tool === tool) ?? null;
  }

  hold(tx: Tx, tool: string): Promise<SafeTool | null> {
    return this.find(tx, tool);
  }

  insert(tx: Tx, entry: SafeTool): Promise<void> {
    return this.#insert(tx, entry, false);
  }

  /** As a login to the database would. */
  forge(tx: Tx, entry: SafeTool): Promise<void> {
    return this.#insert(tx, entry, true);
  }

  remove(tx: Tx, { id }: SafeTool, _by: PersonId, _at: number): Promise<void> {
    const row = this.#rows.of(tx).get(id);
    if (row === undefined) return Promise.resolve();
    if (row.removed) throw new FakeRefusal('CS001', 'an entry is removed once');
    this.#rows.of(tx).set(id, { ...row, removed: true });
    return Promise.resolve();
  }

  async removeForged(tx: Tx, tool: string, by: PersonId, at: number): Promise<SafeToolId | null> {
    const row = this.#inForce(tx).find(({ forged, entry }) => forged && entry.tool === tool);
    if (row === undefined) return null;
    await this.remove(tx, row.entry, by, at);
    return row.entry.id;
  }

  async #insert(tx: Tx, entry: SafeTool, forged: boolean): Promise<void> {
    if (this.#inForce(tx).some((row) => row.entry.tool === entry.tool))
      throw new FakeRefusal('23505', 'automation_safe_tool_in_force_unique');
    this.#rows.of(tx).set(entry.id, { entry, forged, removed: false });
    return Promise.resolve();
  }

  #inForce(tx: Tx): readonly Row[] {
    return [...this.#rows.of(tx).values()].filter(({ removed }) => !removed);
  }
}
