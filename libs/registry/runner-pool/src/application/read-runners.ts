import type { TenantId, UnitOfWork } from '#lib/kernel';
import { runnerState, type Runner, type RunnerState } from '../domain/runner.js';
import type { RunnerRepository } from './runner.ports.js';

/** A runner, as it is now. */
export interface SeenRunner {
  readonly runner: Runner;
  readonly state: RunnerState;
}

export class ReadRunners {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
  ) {}

  /** Newest first, at most 500. */
  async list(tenantId: TenantId): Promise<readonly SeenRunner[]> {
    return this.uow.run(tenantId, async (tx) => {
      const [runners, now] = [await this.runners.list(tx), await tx.now()];
      return runners.map((runner) => ({ runner, state: runnerState(runner, now) }));
    });
  }
}
