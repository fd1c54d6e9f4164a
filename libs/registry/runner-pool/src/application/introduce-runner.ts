import type { AdvertisedMcpServer } from '#lib/formats';
import type { UnitOfWork } from '#lib/kernel';
import type { Runner } from '../domain/runner.js';
import { withOwnDigests } from '../domain/with-own-digests.js';
import type { RunnerMcpServers } from './runner-mcp-servers.port.js';
import type { RunnerIntroduction, RunnerRepository } from './runner.ports.js';
import type { ProvenRunner } from './verify-proof.js';

/** The words of a runner about itself, with the MCP servers of its operator. */
type SaidOfItself = RunnerIntroduction & { readonly mcpServers: readonly AdvertisedMcpServer[] };

/**
 * Notes the words of a runner about itself. Its word assigns no risk: a tool that the catalog does not have is denied. Nor does it add
 * an environment: it can only leave out some of those that it was added for.
 */
export class IntroduceRunner {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
    private readonly mcpServers: Pick<RunnerMcpServers, 'replace'>,
  ) {}

  async execute({ tenantId, runner }: ProvenRunner, { mcpServers, ...said }: SaidOfItself): Promise<Runner> {
    await this.uow.run(tenantId, async (tx) => {
      await this.runners.introduce(tx, runner.id, said);
      await this.mcpServers.replace(tx, runner.id, mcpServers.map(withOwnDigests));
    });
    return { ...runner, ...said };
  }
}
