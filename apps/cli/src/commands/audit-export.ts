import { Option, type Command } from 'commander';
import { AUDIT_EXPORT_FORMATS } from '#lib/api-schemas';
import { AUDIT_LEVELS, OUTCOMES } from '#lib/formats';
import type { CountersignClient } from '#lib/sdk';
import { requireAbsent, writeNew } from '../new-file.js';
import { oneLine } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { idOfAgent, idOfPerson, momentOf } from './work-filter.js';

interface ExportOptions {
  readonly output: string;
  readonly format: (typeof AUDIT_EXPORT_FORMATS)[number];
  readonly action?: string;
  readonly person?: string;
  readonly agent?: string;
  readonly tool?: string;
  readonly outcome?: string;
  readonly level?: string;
  readonly subject?: string;
  readonly task?: string;
  readonly plan?: string;
  readonly from?: string;
  readonly until?: string;
}

/** `countersign audit actions` and `export`. */
export function addAuditExport(audit: Command, context: () => CommandContext): void {
  audit
    .command('actions')
    .description('list the actions that the log holds entries of, as `countersign audit export --action` takes them')
    .addHelpText('after', '\nExample:\n  countersign audit actions\n')
    .action(async () => {
      const { client, output } = context();
      const actions = await client().get('/v1/audit/actions');
      output.result(actions, actions.items.map(oneLine));
    });

  audit
    .command('export')
    .description('keep entries, newest first, as CSV or as JSON, one a line; 100,000 at most')
    .requiredOption('--output <file>', 'the file to keep them in (mode 0600; must not exist)')
    .addOption(new Option('--format <format>', 'how they are written').choices(AUDIT_EXPORT_FORMATS).default('csv'))
    .option('--action <action>', 'only this action, such as halt.set')
    .addOption(
      new Option('--person <person>', 'only acts of this person: their address, name or id').conflicts('agent'),
    )
    .option('--agent <agent>', 'only acts of this agent: its name or id')
    .option('--tool <name>', 'only of this tool, and of plans that call it')
    .addOption(new Option('--outcome <outcome>', 'only with this decision of policy').choices(OUTCOMES))
    .addOption(new Option('--level <level>', 'only of this audit level').choices(AUDIT_LEVELS))
    .option('--subject <id>', 'only about the thing with this id')
    .option('--task <task>', 'only of this task')
    .option('--plan <plan>', 'only of this plan')
    .option('--from <time>', 'from then on: 2026-11-20, or 2026-11-20T08:00:00Z', momentOf)
    .option('--until <time>', 'and before then', momentOf)
    .addHelpText(
      'after',
      '\nExamples:\n  countersign audit export --from 2026-11-01 --output november.csv\n  countersign audit export --action halt.set --format jsonl --output halts.jsonl\n',
    )
    .action(async (options: ExportOptions) => {
      const { client, output } = context();
      requireAbsent(options.output);
      const api = client();
      const pieces: string[] = [];
      for await (const piece of api.pieces('/v1/audit/export', {
        ...(await queryOf(api, options)),
        format: options.format,
      }))
        pieces.push(piece);
      const text = pieces.join('');
      await writeNew(options.output, text);
      const bytes = Buffer.byteLength(text);
      output.result({ file: options.output, format: options.format, bytes }, [
        `The entries are in ${options.output} (${String(Math.ceil(bytes / 1024))} KiB).`,
      ]);
    });
}

async function queryOf(
  api: CountersignClient,
  { person, agent, action, tool, outcome, level, subject, task, plan, from, until }: ExportOptions,
) {
  const actor = person === undefined ? undefined : await idOfPerson(api, person);
  return {
    actor_id: agent === undefined ? actor : await idOfAgent(api, agent),
    action,
    tool,
    outcome,
    level,
    subject_id: subject,
    task_id: task,
    plan_id: plan,
    from,
    until,
  };
}
