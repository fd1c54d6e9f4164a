import { In, Not } from 'typeorm';
import { rowsOf, sqlOf } from '#lib/database';
import type { AdvertisedMcpServer } from '#lib/formats';
import type { Tx } from '#lib/kernel';
import type { CountedMcpServer, RunnerMcpServers } from '../application/runner-mcp-servers.port.js';
import type { RunnerId } from '../domain/ids.js';
import { runnerEntity, runnerMcpServerEntity } from './runner.entity.js';

const COLUMN = runnerMcpServerEntity.column;
const RUNNER_MCP_SERVER = runnerMcpServerEntity.as('runner_mcp_server');
const LISTED = runnerMcpServerEntity.as('listed');
const RUNNER = runnerEntity.as('runner');

const SERVER = runnerMcpServerEntity.all;
const COUNTED = runnerMcpServerEntity.pick('runnerId', 'name', 'problem');
const LISTED_ROW = runnerMcpServerEntity.pick('name', 'problem', 'tools');

/** The MCP servers of runners in PostgreSQL. */
export class SqlRunnerMcpServers implements RunnerMcpServers {
  async replace(tx: Tx, runnerId: RunnerId, servers: readonly AdvertisedMcpServer[]): Promise<void> {
    const names = servers.map(({ name }) => name);
    await rowsOf(tx, runnerMcpServerEntity).delete({ runnerId, name: Not(In(names)) });
    for (const { name, problem, tools } of servers) {
      await sqlOf(tx).execute(
        `insert into ${SERVER.into} values ($1, $2, $3, $4, $5)
           on conflict on constraint runner_mcp_server_pk do update set ${COLUMN.problem} = excluded.${COLUMN.problem},
             ${COLUMN.tools} = excluded.${COLUMN.tools}
           where (${RUNNER_MCP_SERVER.problem}, ${RUNNER_MCP_SERVER.tools}) is distinct from (excluded.${COLUMN.problem},
             excluded.${COLUMN.tools})`,
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
      `select ${LISTED_ROW.columns('listed')}
         from runner join runner_mcp_server listed on listed.tenant_id = runner.tenant_id and ${LISTED.runnerId} = ${RUNNER.id}
        where runner.tenant_id = $1 and ${RUNNER.pool} = $2 and ${LISTED.name} = $5
          and $3 = any (${RUNNER.environments}) and $3 = any (${RUNNER.worksIn})
          and ${RUNNER.revokedAt} is null and ${RUNNER.leftAt} is null and ${RUNNER.lastSeenAt} > $4
        order by ${RUNNER.name}`,
      [tx.tenantId, pool, environment, new Date(since), server],
    );
    return rows.map((row) => LISTED_ROW.row(row));
  }

  async counted(tx: Tx): Promise<ReadonlyMap<RunnerId, readonly CountedMcpServer[]>> {
    const rows = await sqlOf(tx).query<NonNullable<typeof COUNTED.holds> & { readonly tools: number }>(
      `select ${COUNTED.columns('runner_mcp_server')}, jsonb_array_length(${RUNNER_MCP_SERVER.tools}) as tools from runner_mcp_server
        where tenant_id = $1 order by ${RUNNER_MCP_SERVER.runnerId}, ${RUNNER_MCP_SERVER.name}`,
      [tx.tenantId],
    );
    const counted = new Map<RunnerId, CountedMcpServer[]>();
    for (const { runnerId: id, name, problem, tools } of rows) {
      const before = counted.get(id) ?? [];
      counted.set(id, [...before, { name, problem, tools }]);
    }
    return counted;
  }
}
