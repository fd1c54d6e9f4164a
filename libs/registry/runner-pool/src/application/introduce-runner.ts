import type { UnitOfWork } from '#lib/kernel';
import type { RunnerIntroduction, RunnerRepository } from './runner.ports.js';
import type { ProvenRunner } from './verify-proof.js';

/** Notes what a runner says of itself. Its word assigns no risk: a tool that the catalog does not have is denied. */
export class IntroduceRunner {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
  ) {}

  async execute({ tenantId, runner }: ProvenRunner, said: RunnerIntroduction): Promise<void> {
    await this.uow.run(tenantId, (tx) => this.runners.introduce(tx, runner.id, said));
  }
}
