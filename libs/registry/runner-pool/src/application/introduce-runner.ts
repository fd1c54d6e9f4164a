import type { AdvertisedTool } from '#lib/formats';
import type { UnitOfWork } from '#lib/kernel';
import type { RunnerRepository } from './runner.ports.js';
import type { ProvenRunner } from './verify-proof.js';

/** Notes what a runner says of itself. Its word assigns no risk: a tool that the catalog does not have is denied. */
export class IntroduceRunner {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
  ) {}

  async execute(
    { tenantId, runner }: ProvenRunner,
    said: { readonly version: string; readonly tools: readonly AdvertisedTool[] },
  ): Promise<void> {
    await this.uow.run(tenantId, (tx) => this.runners.introduce(tx, runner.id, said.version, said.tools));
  }
}
