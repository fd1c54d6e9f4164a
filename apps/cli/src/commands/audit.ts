import type { Command } from 'commander';
import { fields, moment, oneLine } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { requireAbsent, writeNew } from '../new-file.js';
import { guardedLines } from '../views/change-view.js';
import { addAuditExport } from './audit-export.js';
import { addAuditLog } from './audit-log.js';
import { addEvidence } from './evidence.js';

/** `countersign evidence` and `countersign audit`: the files that an auditor takes away. */
export function addAudit(program: Command, context: () => CommandContext): void {
  addEvidence(program, context, 'plan');

  const audit = program
    .command('audit')
    .description('the audit log: its checkpoints, its entries, and how long payloads are kept');

  audit
    .command('keys')
    .description('print the keys that sign checkpoints, as `countersign verify --key FILE` takes them')
    .addHelpText('after', '\nExample:\n  countersign audit keys > audit-keys.txt\n')
    .action(async () => {
      const { client, output } = context();
      const keys = await client().get('/v1/audit/keys');
      output.result(
        keys,
        keys.items.flatMap((key) => [
          `# ${oneLine(key.name)}, from ${moment(key.valid_from)}${key.valid_to === null ? '' : ` to ${moment(key.valid_to)}`}`,
          oneLine(key.key),
        ]),
      );
    });

  audit
    .command('checkpoint')
    .description('keep the latest signed checkpoint: a history that is rewritten later cannot match it')
    .requiredOption('--output <file>', 'the file to keep it in (must not exist)')
    .addHelpText('after', '\nExample:\n  countersign audit checkpoint --output checkpoint.txt\n')
    .action(async (options: { output: string }) => {
      const { client, output } = context();
      requireAbsent(options.output);
      const checkpoint = await client().get('/v1/audit/checkpoint');
      await writeNew(options.output, checkpoint.note);
      output.result({ ...checkpoint, file: options.output }, [
        `The checkpoint over ${String(checkpoint.tree_size)} entries, signed ${moment(checkpoint.signed_at)}, is in ${options.output}. Keep it away from this installation.`,
      ]);
    });

  addAuditExport(audit, context);
  addAuditLog(audit, context);

  program
    .command('audit-key')
    .description('the key that signs checkpoints')
    .command('rotate')
    .description('sign with a new key; the old one stays in the history; it waits for a second person')
    .addHelpText('after', '\nExample:\n  countersign audit-key rotate && countersign audit keys > audit-keys.txt\n')
    .action(async () => {
      const { client, output } = context();
      const rotated = await client().post('/v1/audit/keys');
      output.result(
        rotated,
        guardedLines(rotated, (key) => [
          ...fields([
            ['signs now', oneLine(key.name)],
            ['key', oneLine(key.key)],
          ]),
          'next: hand it to people who verify: countersign audit keys > audit-keys.txt',
        ]),
      );
    });
}
