import type { Command } from 'commander';
import { readText } from '../documents.js';
import { CommandError, EXIT } from '../exit-codes.js';
import type { Output } from '../output.js';

interface RestoredOptions {
  readonly tenant?: string;
  readonly reason: string;
  readonly lastPublished?: string;
}

/** `countersign restored`: the operator states that the database came from a backup. It waits for no second person. */
export function addRestored(program: Command, outputOf: () => Output): void {
  program
    .command('restored')
    .description('on the server, after a restore from a backup: begin a new epoch of a tenant’s audit log')
    .requiredOption('--reason <text>', 'which backup was restored, and on whose decision')
    .option('--tenant <slug>', 'whose log; may be left out if there is one tenant')
    .option('--last-published <file>', 'the last checkpoint that stands outside, as you hold it')
    .addHelpText(
      'after',
      "\nGrants and approvals from before are refused then, runs and automations are paused, and executions of hooks end. The log names the operator.\n\nExample:\n  countersign restored --tenant acme --reason 'The backup of noon, decided by Noor' --last-published checkpoint.txt\n",
    )
    .action(async (options: RestoredOptions) => {
      const reason = options.reason.trim();
      if (reason === '' || reason.length > 1_000 || /\p{Cc}/u.test(reason))
        throw new CommandError(
          EXIT.usage,
          'The reason is one line of 1 to 1,000 characters.',
          'Say which backup was restored, and on whose decision.',
          [],
          'restored.reason',
        );
      const last = options.lastPublished === undefined ? null : await readText(options.lastPublished);
      const { startEpochAsOperator } = await import('../start-epoch-as-operator.js');
      const started = await startEpochAsOperator(options.tenant, { reason, lastPublished: last });
      outputOf().result(started, [
        `Epoch ${String(started.epoch)} of the audit log of ${started.tenant} counts from now on.`,
        'Grants and approvals from before are refused. Executions of hooks have ended. Runs and automations are paused: somebody looks at each before it goes on.',
      ]);
    });
}
