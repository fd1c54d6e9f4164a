import { executorDocumentSchema, executorNameSchema, slugSchema } from '#lib/formats';
import { err, ok, type FieldError, type Result } from '#lib/kernel';
import type { ExecutorKind, WantedSettings } from '../executor-kind.js';
import { readHttpSettings } from '../http/read-http-settings.js';
import { serverOnRunner } from './server-on-runner.js';
import { McpToolDispatcher } from './mcp-tool-dispatcher.js';

/**
 * An upstream MCP server: over streamable HTTP at an address, or over stdio on the runners of a pool. Its tools are named
 * mcp:<server>:<tool>.
 */
export const mcpKind: ExecutorKind = {
  name: 'mcp',
  title: 'an MCP server that is called over HTTP, or over stdio on a runner',
  answeredBy: 'executor',
  settings: executorDocumentSchema.pick({ url: true, secret: true }).extend({
    pool: slugSchema.optional().meta({
      title: 'Pool',
      description: 'In place of an address: the pool of the runners that start it.',
    }),
    server: executorNameSchema.optional().meta({
      title: 'Server',
      description: 'With a pool: the name that the operators of its runners list it under.',
    }),
  }),
  read: (document, verdict) => {
    const { pool, server } = document.settings;
    if (pool === undefined && server === undefined) return readHttpSettings(document, verdict);
    return readServerOnRunner(document);
  },
  workspacePool: () => null,
  destination: ({ url, settings }) => {
    const onRunner = serverOnRunner(settings);
    return onRunner === null
      ? `the MCP server at ${url ?? 'no address'}`
      : `the MCP server ${onRunner.server} on runners of the pool ${onRunner.pool}`;
  },
  dispatcher: ({ issueGrant, secrets, agents, runnerCalls }) =>
    new McpToolDispatcher(issueGrant, secrets, agents, runnerCalls),
};

/** Codes: `executor.setting_required`, `executor.not_for_a_runner`. */
function readServerOnRunner({
  url,
  secret,
  settings,
}: WantedSettings): Result<{ readonly url: null; readonly secret: null }, readonly FieldError[]> {
  const missing = (['pool', 'server'] as const).find((name) => settings[name] === undefined);
  if (missing !== undefined)
    return err([
      {
        pointer: `/${missing}`,
        code: 'executor.setting_required',
        message: 'An MCP server on a runner has a pool, and a name in the list of the runner’s operator.',
      },
    ]);
  if (url === undefined && (secret ?? null) === null) return ok({ url: null, secret: null });
  return err([
    {
      pointer: url === undefined ? '/secret' : '/url',
      code: 'executor.not_for_a_runner',
      message: 'A runner starts the server by itself: name its pool and the server, and no address or secret.',
    },
  ]);
}
