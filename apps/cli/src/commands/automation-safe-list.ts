import { InvalidArgumentError, type Command } from 'commander';
import pc from 'picocolors';
import type { SafeListEntryView } from '#lib/api-schemas';
import { moment, oneLine, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';

interface ToolAtVersion {
  readonly name: string;
  readonly version: number;
}

function toolAtVersion(text: string): ToolAtVersion {
  const [, name, version] = /^([^@\s]+)@([1-9][0-9]{0,8})$/.exec(text) ?? [];
  if (name === undefined)
    throw new InvalidArgumentError('It is the name of a tool and its version: restart_service@3.');
  return { name, version: Number(version) };
}

/** The tools that automations may call. */
export function addSafeList(automation: Command, context: () => CommandContext): void {
  automation
    .command('safe-tools')
    .description('list every tool with its tier, and whether an automation may call it')
    .requiredOption('--environment <name>', 'the environment that the calls are aimed at')
    .addHelpText('after', '\nExample:\n  countersign automation safe-tools --environment staging\n')
    .action(async ({ environment }: { environment: string }) => {
      const { client, output } = context();
      const found = await client().get('/v1/automations/safe-tools', { query: { environment } });
      const rows = found.items.map(({ tool, version, tier, safe: isSafe, reasons }) => [
        `${oneLine(tool)}@${String(version)}`,
        tier,
        isSafe ? 'safe' : 'blocked',
        oneLine(reasons.map(({ message }) => message).join('; ')),
      ]);
      output.result(found, rows.length === 0 ? ['There is no tool.'] : table(['tool', 'tier', '', 'why'], rows));
    });

  automation
    .command('safe-list')
    .description('list the tools of the modify tier that automations may call')
    .addHelpText('after', '\nExample:\n  countersign automation safe-list\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/automation-safe-list');
      const rows = found.items.map(({ tool, version, risk, counts, added_at: addedAt }) => [
        `${oneLine(tool)}@${String(version)}`,
        risk,
        moment(addedAt),
        counts ? '' : 'the tool has changed since',
      ]);
      output.result(found, rows.length === 0 ? ['The list is empty.'] : table(['tool', 'risk', 'added', ''], rows));
    });

  automation
    .command('safe-add')
    .description('put a tool on the list, at the version that you looked at')
    .argument('<tool>', 'its name and version: restart_service@3', toolAtVersion)
    .addHelpText(
      'after',
      '\nIt waits for a second person. A tool that changes afterwards drops out by itself.\n\nExample:\n  countersign automation safe-add restart_service@3\n',
    )
    .action(async ({ name, version }: ToolAtVersion) => {
      const { client, output } = context();
      const added = await client().put('/v1/automation-safe-list/{name}', { path: { name }, body: { version } });
      const lines = guardedLines<SafeListEntryView>(added, (done) => [
        `Automations may call ${pc.bold(oneLine(done.tool))}, version ${String(done.version)}.`,
      ]);
      output.result(added, lines);
    });

  automation
    .command('safe-remove')
    .description('take a tool off the list, at once')
    .argument('<tool>', 'its name')
    .addHelpText('after', '\nExample:\n  countersign automation safe-remove restart_service\n')
    .action(async (name: string) => {
      const { client, output } = context();
      await client().delete('/v1/automation-safe-list/{name}', { path: { name } });
      output.result({ removed: name }, [`Automations may not call ${pc.bold(oneLine(name))} any more.`]);
    });
}
