import type { UnitOfWork } from '#lib/kernel';
import type { Runner } from '../domain/runner.js';
import type { RunnerIntroduction, RunnerRepository } from './runner.ports.js';
import type { ProvenRunner } from './verify-proof.js';

/**
 * Notes the words of a runner about itself. Its word assigns no risk: a tool that the catalog does not have is denied. Nor does it add
 * an environment: it can only leave out some of those that it was added for.
 */
export class IntroduceRunner {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
  ) {}

  async execute({ tenantId, runner }: ProvenRunner, said: RunnerIntroduction): Promise<Runner> {
    await this.uow.run(tenantId, (tx) => this.runners.introduce(tx, runner.id, said));
    return { ...runner, ...said };
  }
}
