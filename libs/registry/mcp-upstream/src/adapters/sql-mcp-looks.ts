import { In } from 'typeorm';
import type { JsonObject } from '#lib/canonical';
import { rowsOf, sqlOf } from '#lib/database';
import { serverOnRunner } from '#lib/dispatch';
import type { Digest, Tx } from '#lib/kernel';
import { environmentEntity } from '#lib/tenancy';
import { executorEntity, executorVersionEntity, type ExecutorId } from '#lib/tool';
import type { LookedServer, McpLook, McpLooks } from '../application/mcp-upstream.ports.js';
import { mcpDefinitionEntity, mcpLookEntity } from './mcp-upstream.entity.js';

const ENVIRONMENT = environmentEntity.as('environment');
const E = executorEntity.as('e');
const LOOK = mcpLookEntity.as('look');
const V = executorVersionEntity.as('v');

const LOOK_ROW = mcpLookEntity.pick('executorId', 'lookedAt', 'problem', 'tools');

const HEAD = executorEntity.pick('name');
const VERSION = executorVersionEntity.pick('url', 'secret', 'settings');

interface ServerRow {
  readonly environment: string;
}

const SELECT = `select ${LOOK_ROW.columns('look')}, ${ENVIRONMENT.name} as environment, ${HEAD.columns('e')}, ${VERSION.columns('v')}
  from mcp_look look
  join executor e on e.tenant_id = look.tenant_id and ${E.id} = ${LOOK.executorId}
  join executor_version v on v.tenant_id = e.tenant_id and ${V.executorId} = ${E.id} and ${V.version} = ${E.version} and ${V.kind} = 'mcp'
  join environment on environment.tenant_id = e.tenant_id and ${ENVIRONMENT.id} = ${E.environmentId}
 where look.tenant_id = $1`;

function lookedServer(row: ServerRow): LookedServer {
  const { executorId: id, lookedAt, problem, tools } = LOOK_ROW.row(row);
  const { environment, name, url, secret, settings } = VERSION.row(HEAD.row(row));
  const server = { id, environment, name, url, secret, onRunner: serverOnRunner(settings) };
  return { server, look: { lookedAt, problem, tools } };
}

/** Looks at upstream MCP servers in PostgreSQL. */
export class SqlMcpLooks implements McpLooks {
  async all(tx: Tx): Promise<readonly LookedServer[]> {
    const order = `order by ${ENVIRONMENT.name}, ${E.name}`;
    return (await sqlOf(tx).query<ServerRow>(`${SELECT} ${order}`, [tx.tenantId])).map(lookedServer);
  }

  async named(tx: Tx, environment: string, name: string): Promise<LookedServer | null> {
    const where = `and ${ENVIRONMENT.name} = $2 and ${E.name} = $3`;
    const [row] = await sqlOf(tx).query<ServerRow>(`${SELECT} ${where}`, [tx.tenantId, environment, name]);
    return row === undefined ? null : lookedServer(row);
  }

  async lock(tx: Tx, id: ExecutorId): Promise<LookedServer | null> {
    const [row] = await sqlOf(tx).query<ServerRow>(`${SELECT} and ${LOOK.executorId} = $2 for update of look`, [
      tx.tenantId,
      id,
    ]);
    return row === undefined ? null : lookedServer(row);
  }

  async putOff(tx: Tx, executorId: ExecutorId, until: number): Promise<void> {
    await rowsOf(tx, mcpLookEntity).update({ executorId }, { nextLookAt: until });
  }

  async save(tx: Tx, executorId: ExecutorId, { lookedAt, problem, tools }: McpLook): Promise<void> {
    await rowsOf(tx, mcpLookEntity).update({ executorId }, { lookedAt, problem, tools });
  }

  async keep(tx: Tx, digest: Digest, definition: JsonObject, at: number): Promise<void> {
    await rowsOf(tx, mcpDefinitionEntity).insertUnless(['digest'], { digest, definition, keptAt: at });
  }

  async kept(tx: Tx, digests: readonly string[]): Promise<ReadonlyMap<string, JsonObject>> {
    const rows = await rowsOf(tx, mcpDefinitionEntity).find({ digest: In([...digests]) });
    return new Map(rows.map(({ digest, definition }) => [digest, definition]));
  }
}
