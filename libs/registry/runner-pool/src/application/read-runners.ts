import type { TenantId, UnitOfWork } from '#lib/kernel';
import { runnerState, type Runner, type RunnerState } from '../domain/runner.js';
import type { CountedMcpServer, RunnerMcpServers } from './runner-mcp-servers.port.js';
import type { RunnerRepository } from './runner.ports.js';

/** A runner, as it is now. */
export interface SeenRunner {
  readonly runner: Runner;
  readonly state: RunnerState;
  readonly mcpServers: readonly CountedMcpServer[];
}

export class ReadRunners {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
    private readonly mcpServers: Pick<RunnerMcpServers, 'counted'>,
  ) {}

  /** Newest first, at most 500. */
  async list(tenantId: TenantId): Promise<readonly SeenRunner[]> {
    return this.uow.run(tenantId, async (tx) => {
      const [runners, now] = [await this.runners.list(tx), await tx.now()];
      const servers = await this.mcpServers.counted(tx);
      return runners.map((runner) => ({
        runner,
        state: runnerState(runner, now),
        mcpServers: servers.get(runner.id) ?? [],
      }));
    });
  }
}
