/** An MCP server of 2026-07-28 over stdio, on the SDK of the protocol. It counts its calls in the file that its argument names. */
import { appendFileSync } from 'node:fs';
import { fromJsonSchema, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const [, , mark] = process.argv;
const inputSchema = fromJsonSchema({
  type: 'object',
  properties: { host: { type: 'string', maxLength: 100 } },
  required: ['host'],
  additionalProperties: false,
});

serveStdio(
  () => {
    const server = new McpServer({ name: 'modern', version: '1' });
    server.registerTool('restart', { description: 'Restarts a host.', inputSchema }, async ({ host }) => {
      appendFileSync(mark, `${host}\n`);
      // The call for this host never ends by itself.
      if (host === 'slow') await new Promise(() => setInterval(() => undefined, 60_000));
      return { content: [{ type: 'text', text: `restarted ${host}` }] };
    });
    return server;
  },
  { legacy: 'reject' },
);
