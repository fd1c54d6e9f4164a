import { newId, type AutomationRunId, type PageRequest, type Tx } from '#lib/kernel';
import { fakePage } from '../../../../foundation/kernel/src/fake-page.js';
import { FakeRefusal, requireTransition } from '../../../../foundation/kernel/src/fake-refusal.js';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import { AUTOMATION_RUN_TRANSITIONS } from '../domain/automation-transitions.js';
import type { Automation, AutomationRun, AutomationStepRun } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import type { AutomationRunRepository } from './automation.ports.js';

/** A queued run, for an occurrence of its own. */
export const sampleAutomationRun = ({ id }: Automation, createdAt = Date.UTC(2026, 0, 5, 8)): AutomationRun => ({
  ...{ id: newId<AutomationRunId>(), automationId: id, version: 1, revision: 1, occurrence: newId(), dueAt: createdAt },
  inputs: { service: 'web', count: 2, really: true },
  ...{ state: 'queued', position: 0, callId: null, fault: null, createdAt, finishedAt: null },
});

/** Keeps runs and their steps in memory. */
export class FakeAutomationRunRepository implements AutomationRunRepository {
  readonly #runs: FakeTable<AutomationRun>;
  readonly #steps: FakeTable<AutomationStepRun>;

  constructor(database: FakeUnitOfWork) {
    this.#runs = new FakeTable(database);
    this.#steps = new FakeTable(database);
  }

  insert(tx: Tx, run: AutomationRun): Promise<boolean> {
    if (this.#of(tx, run.automationId).some(({ occurrence }) => occurrence === run.occurrence))
      return Promise.resolve(false);
    requireTransition(AUTOMATION_RUN_TRANSITIONS, '', run.state);
    this.#runs.of(tx).set(run.id, run);
    return Promise.resolve(true);
  }

  find(tx: Tx, id: AutomationRunId): Promise<AutomationRun | null> {
    return Promise.resolve(this.#runs.of(tx).get(id) ?? null);
  }

  lock(tx: Tx, id: AutomationRunId): Promise<AutomationRun | null> {
    return this.find(tx, id);
  }

  list(tx: Tx, automationId: AutomationId, page: PageRequest): Promise<readonly AutomationRun[]> {
    return Promise.resolve(fakePage(this.#of(tx, automationId), ({ createdAt }) => createdAt, page));
  }

  latest(tx: Tx, automationIds: readonly AutomationId[]): Promise<ReadonlyMap<AutomationId, AutomationRun>> {
    const found = automationIds.flatMap((id) =>
      fakePage(this.#of(tx, id), ({ createdAt }) => createdAt, { limit: 1, after: null }),
    );
    return Promise.resolve(new Map(found.map((run) => [run.automationId, run])));
  }

  open(tx: Tx, automationId: AutomationId): Promise<readonly AutomationRun[]> {
    const open = this.#of(tx, automationId).filter(({ finishedAt }) => finishedAt === null);
    return Promise.resolve(open.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)));
  }

  countExecuting(tx: Tx): Promise<number> {
    return Promise.resolve([...this.#runs.of(tx).values()].filter(({ state }) => state === 'executing').length);
  }

  async automationOf(tx: Tx, id: AutomationRunId): Promise<AutomationId | null> {
    return (await this.find(tx, id))?.automationId ?? null;
  }

  startedSince(tx: Tx, automationId: AutomationId, since: number): Promise<number> {
    const started = [...this.#runs.of(tx).values()].filter(
      (run) => run.automationId === automationId && run.createdAt > since && !run.occurrence.startsWith('cron:'),
    );
    return Promise.resolve(started.length);
  }

  calledBy(tx: Tx, automationId: AutomationId, calls: readonly string[]): Promise<ReadonlySet<string>> {
    const own = [...this.#steps.of(tx).values()].flatMap(({ runId, callId }) =>
      callId !== null && this.#runs.of(tx).get(runId)?.automationId === automationId ? [callId as string] : [],
    );
    return Promise.resolve(new Set(own.filter((id) => calls.includes(id))));
  }

  save(tx: Tx, { id, state, position, callId, fault, finishedAt }: AutomationRun): Promise<void> {
    const before = this.#runs.of(tx).get(id);
    if (before === undefined) return Promise.resolve();
    requireTransition(AUTOMATION_RUN_TRANSITIONS, before.state, state);
    if (position < before.position) throw new FakeRefusal('CS001', 'a run never goes back');
    this.#runs.of(tx).set(id, { ...before, state, position, callId, fault, finishedAt });
    return Promise.resolve();
  }

  insertStep(tx: Tx, step: AutomationStepRun): Promise<void> {
    if (this.#steps.of(tx).has(stepKey(step))) throw new FakeRefusal('23505', 'automation_step_run_pk');
    this.#steps.of(tx).set(stepKey(step), step);
    return Promise.resolve();
  }

  saveStep(tx: Tx, { state, fault, finishedAt, ...step }: AutomationStepRun): Promise<void> {
    const before = this.#steps.of(tx).get(stepKey(step));
    if (before !== undefined) this.#steps.of(tx).set(stepKey(step), { ...before, state, fault, finishedAt });
    return Promise.resolve();
  }

  steps(tx: Tx, runId: AutomationRunId): Promise<readonly AutomationStepRun[]> {
    const own = [...this.#steps.of(tx).values()].filter((step) => step.runId === runId);
    return Promise.resolve(own.toSorted((a, b) => a.seq - b.seq));
  }

  #of(tx: Tx, automationId: AutomationId): readonly AutomationRun[] {
    return [...this.#runs.of(tx).values()].filter((run) => run.automationId === automationId);
  }
}

const stepKey = ({ runId, seq }: Pick<AutomationStepRun, 'runId' | 'seq'>): string => `${runId} ${String(seq)}`;
