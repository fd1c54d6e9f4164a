import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import pc from 'picocolors';
import { CountersignError, type CountersignClient } from '#lib/sdk';
import { CommandError, EXIT } from '../exit-codes.js';
import { safe, table } from '../output.js';
import type { Session } from '../session.js';

/** The files of a configuration directory; either may be missing. */
const TOOLS = ['tools.yaml', 'adr-009.yaml'];
const AUTONOMY = 'autonomy.yaml';

/** `countersign apply`: a tenant's tools and autonomy document, from a directory that is kept in version control. */
export function addApply(program: Command, session: () => Session): void {
  program
    .command('apply')
    .description('bring tools and autonomy to what a directory says, and show what changes')
    .argument('<directory>', `holds ${TOOLS.join(' or ')}, and ${AUTONOMY}`)
    .option('--dry-run', 'only show what would change')
    .addHelpText('after', '\nExamples:\n  countersign apply catalog/ --dry-run\n  countersign apply catalog/\n')
    .action(async (directory: string, options: { dryRun?: boolean }) => {
      const { client, output } = session();
      const dryRun = options.dryRun === true;
      const toolsFile = TOOLS.map((name) => join(directory, name)).find((path) => existsSync(path));
      const autonomyFile = join(directory, AUTONOMY);
      if (toolsFile === undefined && !existsSync(autonomyFile)) {
        throw new CommandError(
          EXIT.usage,
          `${directory} holds neither ${TOOLS.join(' nor ')} nor ${AUTONOMY}.`,
          'Name the directory with your configuration.',
        );
      }
      const api = client();
      const tools = toolsFile === undefined ? null : await api.tools.apply(readFileSync(toolsFile, 'utf8'), dryRun);
      const autonomy = existsSync(autonomyFile)
        ? await putAutonomy(api, readFileSync(autonomyFile, 'utf8'), dryRun)
        : null;
      output.result({ tools, autonomy }, [
        ...(tools === null ? [] : toolLines(tools)),
        ...(autonomy === null ? [] : autonomyLines(autonomy)),
        '',
        dryRun ? 'Nothing was changed: this was a dry run.' : pc.green('Applied.'),
      ]);
    });
}

async function putAutonomy(
  api: CountersignClient,
  source: string,
  dryRun: boolean,
): ReturnType<CountersignClient['autonomy']['put']> {
  const etag = await api.autonomy.get().then(
    (current) => current.etag,
    (error: unknown) => {
      if (error instanceof CountersignError && error.status === 404) return undefined;
      throw error;
    },
  );
  return api.autonomy.put(source, { dryRun, ...(etag === undefined ? {} : { etag }) });
}

type ToolPlan = Awaited<ReturnType<CountersignClient['tools']['apply']>>;
type AutonomyPlan = Awaited<ReturnType<CountersignClient['autonomy']['put']>>;

function toolLines(plan: ToolPlan): string[] {
  const changed = plan.changes.filter((change) => change.change !== 'unchanged');
  if (changed.length === 0) return [`tools: ${String(plan.changes.length)} as they were`];
  const rows = changed.map((change) => [
    change.change,
    change.name,
    change.fields.join(', '),
    change.loosens.length === 0 ? '' : `LOOSENS: ${change.loosens.join('; ')}`,
  ]);
  return [
    pc.bold(`tools: ${String(changed.length)} of ${String(plan.changes.length)} change`),
    ...table(['change', 'tool', 'keys', ''], rows),
  ];
}

function autonomyLines(plan: AutonomyPlan): string[] {
  if (!plan.changed) return ['autonomy: as it was'];
  const cells = plan.cells.map((cell) => [cell.change, cell.tool, cell.environment, cell.what.join('; ')]);
  return [
    pc.bold(`autonomy: loosens ${String(plan.loosens)} and tightens ${String(plan.tightens)} cells of the matrix`),
    ...plan.diff.split('\n').map(diffLine),
    ...(cells.length === 0 ? [] : table(['cell', 'tool', 'environment', 'what'], cells)),
  ];
}

function diffLine(line: string): string {
  if (line.startsWith('+')) return pc.green(safe(line));
  return line.startsWith('-') ? pc.red(safe(line)) : safe(line);
}
