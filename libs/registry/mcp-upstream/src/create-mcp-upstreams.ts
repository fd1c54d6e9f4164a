import type { AuditSink, UnitOfWork } from '#lib/kernel';
import type { Tools } from '#lib/tool';
import { SqlMcpLooks } from './adapters/sql-mcp-looks.js';
import { AcceptDefinition } from './application/accept-definition.js';
import { FindChangedDefinition } from './application/find-changed-definition.js';
import { LookAtServer } from './application/look-at-server.js';
import type { McpLooks, McpServerReader } from './application/mcp-upstream.ports.js';
import { ReadServers } from './application/read-servers.js';

/** The stored looks at servers, over PostgreSQL. */
export const createMcpLooks = (): McpLooks => new SqlMcpLooks();

export interface McpUpstreamDeps {
  readonly uow: UnitOfWork;
  readonly looks: McpLooks;
  readonly audit: AuditSink;
  readonly tool: Pick<Tools, 'tools' | 'changeCatalog'>;
  readonly reader: McpServerReader;
}

/** Upstream MCP servers. */
export function createMcpUpstreams({ uow, looks, audit, tool, reader }: McpUpstreamDeps) {
  return {
    lookAtServer: new LookAtServer(uow, looks, tool.tools, reader, audit),
    readServers: new ReadServers(uow, looks, tool.tools),
    findChangedDefinition: new FindChangedDefinition(looks),
    acceptDefinition: new AcceptDefinition(uow, looks, tool.changeCatalog),
  };
}
