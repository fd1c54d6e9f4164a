import type { UnitOfWork } from '#lib/kernel';
import type { RunnerRepository } from './runner.ports.js';
import type { ProvenRunner } from './verify-proof.js';

/** Notes that a runner ends: it is offline at once, and not only after a minute without a request. */
export class LeavePool {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: Pick<RunnerRepository, 'left'>,
  ) {}

  async execute({ tenantId, runner }: ProvenRunner): Promise<void> {
    await this.uow.run(tenantId, async (tx) => this.runners.left(tx, runner.id, await tx.now()));
  }
}
