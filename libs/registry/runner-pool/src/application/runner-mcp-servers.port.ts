import type { AdvertisedMcpServer } from '#lib/formats';
import type { Tx } from '#lib/kernel';
import type { RunnerId } from '../domain/ids.js';

/** A server of a runner, without its definitions. */
export interface CountedMcpServer extends Pick<AdvertisedMcpServer, 'name' | 'problem'> {
  readonly tools: number;
}

/** The MCP servers that the operators of runners list, as each runner said last. */
export interface RunnerMcpServers {
  /** Replaces the servers of a runner. An unchanged server is not written again. */
  replace(tx: Tx, runnerId: RunnerId, servers: readonly AdvertisedMcpServer[]): Promise<void>;
  /**
   * The server of that name, of each runner of the pool that serves the environment and is online.
   *
   * @param since from when on a call of a runner counts as online (epoch milliseconds).
   */
  onRunners(
    tx: Tx,
    listed: { readonly pool: string; readonly environment: string; readonly server: string },
    since: number,
  ): Promise<readonly AdvertisedMcpServer[]>;
  /** The servers of all runners, by name. */
  counted(tx: Tx): Promise<ReadonlyMap<RunnerId, readonly CountedMcpServer[]>>;
}
