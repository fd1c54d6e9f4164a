import type { AdvertisedMcpServer } from '#lib/formats';
import type { Tx, UnitOfWork } from '#lib/kernel';
import type { Runner } from '../domain/runner.js';
import { withOwnDigests } from '../domain/with-own-digests.js';
import type { RunnerMcpServers } from './runner-mcp-servers.port.js';
import type { RunnerIntroduction, RunnerRepository } from './runner.ports.js';
import type { ProvenRunner } from './verify-proof.js';

/**
 * The words of a runner about itself. With them it names the MCP servers of its operator, and the sessions that it
 * keeps a folder for.
 */
type SaidOfItself = RunnerIntroduction & {
  readonly mcpServers: readonly AdvertisedMcpServer[];
  readonly sessions: readonly string[];
};

/** Knows the sessions of agents, which a later library keeps. */
export interface OpenSessionIds {
  /** Those of these sessions that are open. */
  open(tx: Tx, ids: readonly string[]): Promise<readonly string[]>;
}

/**
 * Notes the words of a runner about itself. Its word assigns no risk: a tool that the catalog does not have is denied. Nor does it add
 * an environment: it can only leave out some of those that it was added for. The runner hears which of its sessions have ended; one
 * that its tenant does not have counts as ended.
 */
export class IntroduceRunner {
  constructor(
    private readonly uow: UnitOfWork,
    private readonly runners: RunnerRepository,
    private readonly mcpServers: Pick<RunnerMcpServers, 'replace'>,
    private readonly sessions: OpenSessionIds,
  ) {}

  async execute(
    { tenantId, runner }: ProvenRunner,
    { mcpServers, sessions, ...said }: SaidOfItself,
  ): Promise<{ readonly runner: Runner; readonly endedSessions: readonly string[] }> {
    const open = await this.uow.run(tenantId, async (tx) => {
      await this.runners.introduce(tx, runner.id, said);
      await this.mcpServers.replace(tx, runner.id, mcpServers.map(withOwnDigests));
      return new Set(sessions.length === 0 ? [] : await this.sessions.open(tx, sessions));
    });
    return { runner: { ...runner, ...said }, endedSessions: sessions.filter((id) => !open.has(id)) };
  }
}
