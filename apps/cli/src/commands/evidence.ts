import type { Command } from 'commander';
import { readText } from '../documents.js';
import { requireAbsent, writeNew } from '../new-file.js';
import { oneLine } from '../output.js';
import type { CommandContext } from '../command-context.js';

/** The subjects of packs, each with the command that keeps its pack. */
const KEPT = {
  plan: {
    command: 'countersign evidence',
    description: 'keep the evidence pack of a plan, to be checked anywhere with `countersign verify`',
    path: '/v1/plans/{id}/evidence',
  },
  session: {
    command: 'countersign session evidence',
    description: 'keep the evidence pack of a session: its calls, their decisions, and the answers of people',
    path: '/v1/sessions/{id}/evidence',
  },
  run: {
    command: 'countersign automation evidence',
    description: 'keep the evidence pack of a run of an automation: its steps, its calls and their decisions',
    path: '/v1/automation-runs/{id}/evidence',
  },
  change: {
    command: 'countersign changes evidence',
    description: 'keep the evidence pack of a change: its author, its confirmation and the actions carried out',
    path: '/v1/change-requests/{id}/evidence',
  },
} as const;

/** The command `evidence` under each subject that has packs. */
export function addEvidence(parent: Command, context: () => CommandContext, what: keyof typeof KEPT): void {
  const { command, description, path } = KEPT[what];
  const example = `${command} ${what.toUpperCase()} --output evidence.json`;
  parent
    .command('evidence')
    .description(description)
    .argument(`<${what}>`, `the ${what}'s id`)
    .requiredOption('--output <file>', 'the file to keep it in (mode 0600; must not exist)')
    .option(
      '--held <checkpoint...>',
      'files with checkpoints that you hold: the pack then proves that the log only grew since',
    )
    .addHelpText('after', `\nExamples:\n  ${example}\n  ${example} --held checkpoint-october.txt\n`)
    .action(async (id: string, options: { output: string; held?: string[] }) => {
      const { client, output } = context();
      requireAbsent(options.output);
      const held = await Promise.all((options.held ?? []).map((file) => readText(file)));
      const { text } = await client().answer('POST', path, { path: { id }, body: { held } });
      await writeNew(options.output, text);
      const bytes = Buffer.byteLength(text);
      output.result({ [`${what}_id`]: id, file: options.output, bytes }, [
        `The evidence of ${what} ${oneLine(id)} is in ${options.output} (${String(Math.ceil(bytes / 1024))} KiB).`,
        `next: countersign audit keys > audit-keys.txt, then countersign verify ${options.output} --key audit-keys.txt`,
      ]);
    });
}
