import {
  err,
  notFound,
  ok,
  type AutomationRunId,
  type PageRequest,
  type Principal,
  type Result,
  type UnitOfWork,
} from '#lib/kernel';
import type { Automation, AutomationRun, AutomationStepRun } from '../domain/automation.js';
import type { AutomationId } from '../domain/ids.js';
import type { AutomationRepository, AutomationRunRepository } from './automation.ports.js';

/** A run with the outcomes of its steps. */
export interface SeenRun {
  readonly run: AutomationRun;
  readonly steps: readonly AutomationStepRun[];
}

/** An automation with its newest run; null before its first. */
export interface ListedAutomation {
  readonly automation: Automation;
  readonly lastRun: AutomationRun | null;
}

/** Reads automations and their runs. Everybody in the tenant sees them. Failures: `resource.not_found`. */
export class ReadAutomations {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly automations: Pick<AutomationRepository, 'find' | 'list'>,
    private readonly runs: Pick<AutomationRunRepository, 'find' | 'latest' | 'list' | 'steps'>,
  ) {}

  /** Newest first. */
  list(by: Principal, page: PageRequest): Promise<readonly ListedAutomation[]> {
    return this.uow.run(by.tenantId, async (tx) => {
      const automations = await this.automations.list(tx, page);
      const ids = automations.map(({ id }) => id);
      const latest = await this.runs.latest(tx, ids);
      return automations.map((automation) => ({ automation, lastRun: latest.get(automation.id) ?? null }));
    });
  }

  get(by: Principal, id: AutomationId): Promise<Result<Automation>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const automation = await this.automations.find(tx, id);
      return automation === null ? err(notFound('automation')) : ok(automation);
    });
  }

  /** Newest first. */
  listRuns(by: Principal, id: AutomationId, page: PageRequest): Promise<Result<readonly AutomationRun[]>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const automation = await this.automations.find(tx, id);
      return automation === null ? err(notFound('automation')) : ok(await this.runs.list(tx, id, page));
    });
  }

  getRun(by: Principal, id: AutomationId, runId: AutomationRunId): Promise<Result<SeenRun>> {
    return this.uow.run(by.tenantId, async (tx) => {
      const run = await this.runs.find(tx, runId);
      if (run?.automationId !== id) return err(notFound('run of the automation'));
      return ok({ run, steps: await this.runs.steps(tx, runId) });
    });
  }
}
