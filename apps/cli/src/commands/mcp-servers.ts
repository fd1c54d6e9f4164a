import { Option, type Command } from 'commander';
import pc from 'picocolors';
import type { McpAcceptanceBody, ToolChangePlan } from '#lib/api-schemas';
import { HITL_REQUIREMENTS, TOOL_EFFECTS, TOOL_RISKS, TOOL_SCOPES } from '#lib/formats';
import { moment, oneLine, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';
import { mcpAddress, mcpServerLines } from '../views/mcp-server-view.js';

interface AcceptOptions {
  readonly digest: string;
  readonly risk: McpAcceptanceBody['risk'];
  readonly scope: McpAcceptanceBody['scope'];
  readonly effect?: NonNullable<McpAcceptanceBody['effect']>;
  readonly hitl?: NonNullable<McpAcceptanceBody['requires_hitl']>;
  readonly idempotent?: true;
  readonly plan: boolean;
  readonly simulation: boolean;
  readonly target: readonly string[];
  readonly timeLimit?: string;
  readonly description?: string;
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

const acceptanceOf = (options: AcceptOptions): McpAcceptanceBody => ({
  digest: options.digest,
  risk: options.risk,
  scope: options.scope,
  idempotent: options.idempotent === true,
  ...(options.effect === undefined ? {} : { effect: options.effect }),
  ...(options.hitl === undefined ? {} : { requires_hitl: options.hitl }),
  ...(options.plan ? {} : { requires_plan: false }),
  ...(options.simulation ? {} : { simulation: 'not_applicable' as const }),
  ...(options.target.length === 0 ? {} : { identity_fields: [...options.target] }),
  ...(options.timeLimit === undefined ? {} : { time_limit_seconds: Number(options.timeLimit) }),
  ...(options.description === undefined ? {} : { description: options.description }),
});

/** `countersign mcp-server`: upstream MCP servers, and the tools of them that people accept. */
export function addMcpServers(program: Command, context: () => CommandContext): void {
  const servers = program.command('mcp-server').description('upstream MCP servers, whose tools you accept one by one');

  servers
    .command('list')
    .description('list the upstream MCP servers')
    .addHelpText('after', '\nExample:\n  countersign mcp-server list\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/mcp-servers');
      const rows = found.items.map((server) => {
        const { environment, name, tools, looked_at: at, problem } = server;
        return [
          environment,
          name,
          mcpAddress(server),
          String(tools.filter(({ standing }) => standing === 'accepted').length),
          String(tools.filter(({ standing }) => standing === 'changed' || standing === 'gone').length),
          at === null ? 'not looked at yet' : moment(at),
          oneLine(problem ?? ''),
        ];
      });
      const heading = ['environment', 'server', 'address', 'accepted', 'changed', 'looked at', ''];
      output.result(found, rows.length === 0 ? ['There is no MCP server.'] : table(heading, rows));
    });

  const seen = (verb: string, description: string) =>
    servers
      .command(verb)
      .description(description)
      .argument('<environment>', 'its environment')
      .argument('<name>', 'its name as an executor')
      .addHelpText('after', `\nExample:\n  countersign mcp-server ${verb} staging ops\n`);
  seen('show', 'show each tool, and the difference to the definition that was accepted').action(
    async (environment: string, name: string) => {
      const { client, output } = context();
      const found = await client().get('/v1/mcp-servers/{environment}/{name}', { path: { environment, name } });
      output.result(found, mcpServerLines(found));
    },
  );
  seen('look', 'read its tools now, and show them').action(async (environment: string, name: string) => {
    const { client, output } = context();
    const path = { environment, name };
    const found = await client().post('/v1/mcp-servers/{environment}/{name}/look', { path });
    output.result(found, mcpServerLines(found));
  });

  servers
    .command('accept')
    .description('accept the definition of a tool, and assign its risk')
    .argument('<environment>', 'the environment of the server')
    .argument('<name>', 'the name of the server as an executor')
    .argument('<tool>', 'the tool, by its name at the server')
    .requiredOption('--digest <digest>', 'of the definition that you saw, as `mcp-server show` lists it')
    .addOption(new Option('--risk <risk>', 'its risk').choices([...TOOL_RISKS]).makeOptionMandatory())
    .addOption(
      new Option('--scope <scope>', 'how far one call reaches').choices([...TOOL_SCOPES]).makeOptionMandatory(),
    )
    .addOption(new Option('--effect <effect>', 'destructive if left out, for a change').choices([...TOOL_EFFECTS]))
    .addOption(new Option('--hitl <rule>', 'whether people approve it').choices([...HITL_REQUIREMENTS]))
    .option('--idempotent', 'calling it again with the same arguments changes nothing more')
    .option('--no-plan', 'let it be called by itself, outside a plan')
    .option('--no-simulation', 'let it go without a simulation')
    .option('--target <pointer>', 'a JSON Pointer to the names of its targets; once for each', collect, [])
    .option('--time-limit <seconds>', 'how long an answer is awaited')
    .option('--description <text>', "in place of the server's own words")
    .addHelpText(
      'after',
      '\nIt waits for a second person, if there is one. Hints of the server about risk count for nothing.\n\nExample:\n  countersign mcp-server accept staging ops list_hosts --digest sha256:… --risk read_only --scope environment --idempotent\n',
    )
    .action(async (environment: string, name: string, tool: string, options: AcceptOptions) => {
      const { client, output } = context();
      const accepted = await client().post('/v1/mcp-servers/{environment}/{name}/tools/{tool}/accept', {
        path: { environment, name, tool },
        body: acceptanceOf(options),
      });
      const lines = guardedLines<ToolChangePlan>(accepted, ({ changes }) =>
        changes.map(
          (each) => `${pc.bold(oneLine(each.name))}: ${each.change}, version ${String(each.to_version ?? '')}`,
        ),
      );
      output.result(accepted, lines);
    });
}
