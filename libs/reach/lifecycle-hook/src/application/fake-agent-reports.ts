import type { AgentId, Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { AgentReports } from './agent-reports.ports.js';

const MINUTE_MS = 60_000;

/** Counts reports in memory. */
export class FakeAgentReports implements AgentReports {
  readonly #counted: FakeTable<{ readonly minute: number; readonly reports: number }>;

  constructor(private readonly database: FakeUnitOfWork) {
    this.#counted = new FakeTable(database);
  }

  count(tx: Tx, agentId: AgentId, most: number): Promise<boolean> {
    const minute = Math.floor(this.database.now / MINUTE_MS);
    const before = this.#counted.of(tx).get(agentId);
    const reports = before?.minute === minute ? before.reports : 0;
    if (reports >= most) return Promise.resolve(false);
    this.#counted.of(tx).set(agentId, { minute, reports: reports + 1 });
    return Promise.resolve(true);
  }
}
