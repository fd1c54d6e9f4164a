import type { AuditSink, UnitOfWork } from '#lib/kernel';
import type { Tools } from '#lib/tool';
import { SqlMcpLooks } from './adapters/sql-mcp-looks.js';
import { AcceptDefinition } from './application/accept-definition.js';
import { FindChangedDefinition } from './application/find-changed-definition.js';
import { LookAtServer } from './application/look-at-server.js';
import type { McpServerReader } from './application/mcp-upstream.ports.js';
import { ReadServers } from './application/read-servers.js';

export interface McpUpstreamDeps {
  readonly uow: UnitOfWork;
  readonly audit: AuditSink;
  readonly tool: Pick<Tools, 'tools' | 'changeCatalog'>;
  readonly reader: McpServerReader;
}

/** Upstream MCP servers. */
export function createMcpUpstreams({ uow, audit, tool, reader }: McpUpstreamDeps) {
  const looks = new SqlMcpLooks();
  return {
    lookAtServer: new LookAtServer(uow, looks, tool.tools, reader, audit),
    readServers: new ReadServers(uow, looks, tool.tools),
    findChangedDefinition: new FindChangedDefinition(looks),
    acceptDefinition: new AcceptDefinition(uow, looks, tool.changeCatalog),
  };
}
