import pc from 'picocolors';
import type { RunnerView } from '#lib/api-schemas';
import { moment, oneLine, table } from '../output.js';

const HEADING = ['runner', 'pool', 'environments', 'state', 'version', 'tools', 'last seen', ''];

/** A line for each runner. Below them the reasons for which one gets fewer calls than it was added for, or has no way back. */
export function runnerLines(runners: readonly RunnerView[]): string[] {
  if (runners.length === 0) return ['There is no runner.'];
  const rows = runners.map((each) => [
    each.name,
    each.pool,
    each.environments.join(', '),
    each.state,
    each.version ?? '',
    String(each.tools.length),
    each.last_seen_at === null ? 'never' : moment(each.last_seen_at),
    each.id,
  ]);
  const warnings = runners.filter(({ state }) => state !== 'revoked').flatMap(warningsOf);
  return [...table(HEADING, rows, [3]), ...warnings.map((warning) => pc.yellow(`warning: ${oneLine(warning)}`))];
}

function warningsOf({ name, environments, works_in: worksIn, no_way_back: noWayBack, ...more }: RunnerView): string[] {
  const notAdded = worksIn?.filter((each) => !environments.includes(each)) ?? [];
  const notThere = worksIn === null ? [] : environments.filter((each) => !worksIn.includes(each));
  const gets = (names: readonly string[]): string =>
    `${names.join(', ')}, and gets no call of ${names.length === 1 ? 'it' : 'them'}.`;
  return [
    ...(notAdded.length === 0
      ? []
      : [`${name} was not added for ${gets(notAdded)} Add it again with countersign runner add.`]),
    ...(notThere.length === 0
      ? []
      : [`${name} does not work in ${gets(notThere)} Set its COUNTERSIGN_RUNNER_ENVIRONMENTS.`]),
    ...more.mcp_servers.flatMap(({ name: server, problem }) =>
      problem === null ? [] : [`${name} cannot read the tools of the MCP server ${server}. ${problem}`],
    ),
    ...(noWayBack === null ? [] : [`${name} has no way back from a command line: ${noWayBack}.`]),
  ];
}
