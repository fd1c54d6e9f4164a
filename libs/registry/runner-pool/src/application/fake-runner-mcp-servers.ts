import type { AdvertisedMcpServer } from '#lib/formats';
import type { Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type { RunnerId } from '../domain/ids.js';
import { servedEnvironments } from '../domain/runner.js';
import type { RunnerMcpServers } from './runner-mcp-servers.port.js';
import type { RunnerRepository } from './runner.ports.js';

/** The MCP servers of runners in memory. */
export class FakeRunnerMcpServers implements RunnerMcpServers {
  readonly #servers: FakeTable<readonly AdvertisedMcpServer[]>;

  constructor(
    database: FakeUnitOfWork,
    private readonly runners: Pick<RunnerRepository, 'list'>,
  ) {
    this.#servers = new FakeTable(database);
  }

  replace(tx: Tx, runnerId: RunnerId, servers: readonly AdvertisedMcpServer[]): Promise<void> {
    this.#servers.of(tx).set(runnerId, byName(servers));
    return Promise.resolve();
  }

  async onRunners(
    tx: Tx,
    { pool, environment, server }: Parameters<RunnerMcpServers['onRunners']>[1],
    since: number,
  ): Promise<readonly AdvertisedMcpServer[]> {
    const serving = (await this.runners.list(tx))
      .filter((each) => each.pool === pool && servedEnvironments(each).includes(environment))
      .filter(
        ({ revokedAt, leftAt, lastSeenAt }) => revokedAt === null && leftAt === null && (lastSeenAt ?? 0) > since,
      );
    return byName(serving).flatMap(({ id }) =>
      (this.#servers.of(tx).get(id) ?? []).filter(({ name }) => name === server),
    );
  }

  counted(tx: Tx): ReturnType<RunnerMcpServers['counted']> {
    const entries = [...this.#servers.of(tx)].filter(([, servers]) => servers.length > 0);
    return Promise.resolve(
      new Map(
        entries.map(([id, servers]) => [
          id as RunnerId,
          servers.map(({ name, problem, tools }) => ({ name, problem, tools: tools.length })),
        ]),
      ),
    );
  }
}

const byName = <Named extends { readonly name: string }>(all: readonly Named[]): readonly Named[] =>
  [...all].sort((one, other) => (one.name < other.name ? -1 : 1));
