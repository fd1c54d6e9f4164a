import { In, Not } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import type { AdvertisedMcpServer } from '#lib/formats';
import type { Tx } from '#lib/kernel';
import type { CountedMcpServer, RunnerMcpServers } from '../application/runner-mcp-servers.port.js';
import type { RunnerId } from '../domain/ids.js';
import { runnerMcpServerEntity } from './runner.entity.js';

const SERVER = runnerMcpServerEntity.all;
const LISTED = runnerMcpServerEntity.pick('name', 'problem', 'tools');

/** The MCP servers of runners in PostgreSQL. */
export class SqlRunnerMcpServers implements RunnerMcpServers {
  async replace(tx: Tx, runnerId: RunnerId, servers: readonly AdvertisedMcpServer[]): Promise<void> {
    const names = servers.map(({ name }) => name);
    await rowsOf(tx, runnerMcpServerEntity).delete({ runnerId, name: Not(In(names)) });
    for (const { name, problem, tools } of servers) {
      await sqlOf(tx).execute(
        `insert into ${SERVER.into} values ($1, $2, $3, $4, $5)
           on conflict on constraint runner_mcp_server_pk do update set problem = excluded.problem, tools = excluded.tools
           where (runner_mcp_server.problem, runner_mcp_server.tools) is distinct from (excluded.problem, excluded.tools)`,
        [tx.tenantId, ...SERVER.parametersOf({ runnerId, name, problem, tools })],
      );
    }
  }

  async onRunners(
    tx: Tx,
    { pool, environment, server }: Parameters<RunnerMcpServers['onRunners']>[1],
    since: number,
  ): Promise<readonly AdvertisedMcpServer[]> {
    const rows = await sqlOf(tx).query<object>(
      `select ${LISTED.columns('listed')}
         from runner join runner_mcp_server listed on listed.tenant_id = runner.tenant_id and listed.runner_id = runner.id
        where runner.tenant_id = $1 and runner.pool = $2 and listed.name = $5
          and $3 = any (runner.environments) and $3 = any (runner.works_in)
          and runner.revoked_at is null and runner.left_at is null and runner.last_seen_at > $4
        order by runner.name`,
      [tx.tenantId, pool, environment, new Date(since), server],
    );
    return rows.map((row) => LISTED.row(row));
  }

  async counted(tx: Tx): Promise<ReadonlyMap<RunnerId, readonly CountedMcpServer[]>> {
    const rows = await sqlOf(tx).query<CountedMcpServer & { readonly runner_id: RunnerId }>(
      `select runner_id, name, problem, jsonb_array_length(tools) as tools from runner_mcp_server
        where tenant_id = $1 order by runner_id, name`,
      [tx.tenantId],
    );
    const counted = new Map<RunnerId, CountedMcpServer[]>();
    for (const { runner_id: id, name, problem, tools } of rows) {
      const before = counted.get(id) ?? [];
      counted.set(id, [...before, { name, problem, tools }]);
    }
    return counted;
  }
}
