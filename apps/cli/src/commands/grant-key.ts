import type { Command } from 'commander';
import { composedInstallation, withDatabase } from '../operator-database.js';
import type { Output } from '../output.js';

/** `countersign grant-key`: the keys that sign the grants of all tenants, on the database itself. */
export function addGrantKey(program: Command, outputOf: () => Output): void {
  program
    .command('grant-key')
    .description('the keys that sign grants, for all tenants')
    .command('rotate')
    .description('publish a new key at once, and sign with it ten minutes later; a worker does so each month')
    .addHelpText(
      'after',
      '\nThe former key stays published for an hour longer, since grants that it signed may still be checked.\n\nExample:\n  countersign grant-key rotate\n',
    )
    .action(async () => {
      const next = await withDatabase(async (database) => {
        const { dispatch } = await composedInstallation(database);
        return dispatch.keys.rotate();
      });
      const from = new Date(next.activeFrom).toISOString();
      outputOf().result({ key_id: next.kid, signs_from: from }, [
        `Key ${next.kid} is published, and signs grants from ${from}. Running processes need no restart.`,
      ]);
    });
}
