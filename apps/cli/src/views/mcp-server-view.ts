import pc from 'picocolors';
import type { McpServerView } from '#lib/api-schemas';
import { ownMember } from '#lib/canonical';
import { moment, oneLine } from '../output.js';

type Tool = McpServerView['tools'][number];
type Definition = NonNullable<Tool['definition']>;

const COLOURS: Readonly<Record<Tool['standing'], (text: string) => string>> = {
  accepted: pc.green,
  unassigned: pc.yellow,
  changed: pc.red,
  gone: pc.red,
  unusable: pc.red,
};

const shown = (definition: Definition | null, member: string): string => {
  const value = ownMember(definition, member);
  return oneLine(typeof value === 'string' ? value : JSON.stringify(value ?? null));
};

/** The address of a server, or the runners that start it. */
export const mcpAddress = ({ url, pool, server }: Pick<McpServerView, 'url' | 'pool' | 'server'>): string =>
  pool === null ? oneLine(url ?? 'no address') : `${String(server)} over stdio on the pool ${pool}`;

/** A server with each of its tools. The words of the server stand in one line each, so that they imitate nothing. */
export function mcpServerLines(server: McpServerView): string[] {
  const { environment, name, looked_at: at, problem, tools } = server;
  const looked = at === null ? 'not looked at yet' : `looked at ${moment(at)}`;
  return [
    `${pc.bold(name)} of ${environment}: ${mcpAddress(server)}, ${looked}`,
    ...(problem === null ? [] : [pc.red(oneLine(problem))]),
    ...(tools.length === 0 ? ['It lists no tool.'] : tools.flatMap(toolLines)),
  ];
}

function toolLines(tool: Tool): string[] {
  const { standing, digest, definition, accepted_definition: accepted, differs, waiting } = tool;
  return [
    '',
    `${pc.bold(oneLine(tool.name))} ${COLOURS[standing](standing)}${digest === null ? '' : ` ${digest}`}`,
    ...(waiting === null
      ? []
      : [
          pc.yellow(
            `  ${waiting.digest === digest ? 'accepted' : `another definition, ${waiting.digest}, was accepted`} by one person: change ${waiting.change_request_id} waits for a second`,
          ),
        ]),
    ...(tool.problem === null ? [] : [`  ${oneLine(tool.problem)}`]),
    ...(standing === 'changed'
      ? differs.flatMap((member) => [
          `  ${member}`,
          pc.red(`  - ${shown(accepted, member)}`),
          pc.green(`  + ${shown(definition, member)}`),
        ])
      : ['description', 'inputSchema', 'annotations']
          .filter((member) => ownMember(definition, member) !== undefined)
          .map((member) => `  ${member}: ${shown(definition, member)}`)),
  ];
}
