import type { PlanId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { ToolUsage } from './tool.ports.js';

/** Keeps the live plans of tools in memory. */
export class FakeToolUsage implements ToolUsage {
  readonly #plans: FakeTable<readonly string[]>;

  constructor(database: FakeUnitOfWork) {
    this.#plans = new FakeTable(database);
  }

  livePlans(tx: Tx, names: readonly string[]): Promise<ReadonlyMap<string, readonly PlanId[]>> {
    const plans = [...this.#plans.of(tx)].sort(([a], [b]) => (a < b ? -1 : 1));
    const holding = (name: string): PlanId[] =>
      plans.flatMap(([id, tools]) => (tools.includes(name) ? [id as PlanId] : []));
    return Promise.resolve(
      new Map(names.map((name) => [name, holding(name)] as const).filter(([, held]) => held.length > 0)),
    );
  }

  /** A live plan holds these tools from now on. */
  hold(tx: Pick<Tx, 'tenantId'>, id: PlanId, tools: readonly string[]): void {
    this.#plans.of(tx).set(id, tools);
  }

  /** The plan ended. */
  release(tx: Pick<Tx, 'tenantId'>, id: PlanId): void {
    this.#plans.of(tx).delete(id);
  }
}
