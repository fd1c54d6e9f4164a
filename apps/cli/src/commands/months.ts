import type { Command } from 'commander';
import type { Output } from '../output.js';

/** `countersign months`: the months of the audit log, on the database itself. */
export function addMonths(program: Command, outputOf: () => Output): void {
  const months = program
    .command('months')
    .description('the months of the audit log: take old ones out, and bring them back; needs COUNTERSIGN_MIGRATE_URL')
    .addHelpText(
      'after',
      '\nAn answer that needs a month that is away is refused with audit.month_away. Proofs hold all the same.\n\nExamples:\n  countersign months list\n  countersign months detach 2026-01\n  countersign months attach 2026-01\n',
    );
  months
    .command('list')
    .description('the months that have a table, and whether it is in the log')
    .action(async () => {
      const kept = await onMonths((each) => each.list());
      outputOf().result(
        { months: kept },
        kept.map(({ month, attached }) => `${month}  ${attached ? 'in the log' : 'detached'}`),
      );
    });
  months
    .command('detach <month>')
    .description('take a month that is over out of the log; its table stays, to be moved or copied')
    .action(async (month: string) => {
      await onMonths((each) => each.detach(month));
      outputOf().result({ month, attached: false }, [
        `${month} is out of the log. Its table is audit_entry_${month.replace('-', '_')}.`,
        `next: countersign months attach ${month}, when somebody needs it`,
      ]);
    });
  months
    .command('attach <month>')
    .description('bring a month back; its table is in the database under its name')
    .action(async (month: string) => {
      await onMonths((each) => each.attach(month));
      outputOf().result({ month, attached: true }, [`${month} is in the log again.`]);
    });
}

type Months = ReturnType<typeof import('#lib/audit').createAuditMonths>;

async function onMonths<T>(work: (months: Months) => Promise<T>): Promise<T> {
  const [{ asOwner, databaseConfigFrom, packageRoot }, { createAuditMonths }] = await Promise.all([
    import('#lib/database'),
    import('#lib/audit'),
  ]);
  return asOwner(databaseConfigFrom(process.env, packageRoot()), (client) => work(createAuditMonths(client)));
}
