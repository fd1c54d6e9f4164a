import type { Command } from 'commander';
import pc from 'picocolors';
import { readText } from '../documents.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { counted, moment, oneLine, table } from '../output.js';
import type { Session } from '../session.js';
import { pageLines, paged, type PageOptions } from './read.js';

/** `countersign secret`: what tools are called with. A value goes in by a file or standard input, and never comes out. */
export function addSecrets(program: Command, session: () => Session): void {
  const secret = program.command('secret').description('secrets that tools are called with');

  paged(secret.command('list').description('list secrets and their versions, without their values'))
    .addHelpText('after', '\nExample:\n  countersign secret list\n')
    .action(async (page: PageOptions) => {
      const { client, output } = session();
      const found = await client().secrets.list({ ...page });
      const rows = found.items.map(({ reference, key_id, created_at, created_by }) => [
        reference,
        `under key ${key_id}`,
        moment(created_at),
        `person ${created_by}`,
      ]);
      const lines = table(['secret', 'encrypted', 'stored', 'by'], rows);
      output.result(found, pageLines('There is no secret.', lines, rows.length, found.next_cursor));
    });

  secret
    .command('put')
    .description('store the next version of a secret; older versions stay, for what names them')
    .argument('<name>', 'letters, digits, _ . and -')
    .argument('<file>', 'a file that holds the value, - for standard input; a line break at its end is not part of it')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign secret put fleet-token token.txt\n  pass fleet/token | countersign secret put fleet-token -\n',
    )
    .action(async (name: string, file: string) => {
      const { client, io, output } = session();
      const api = client();
      const value = (file === '-' ? await io.readAll() : await readText(file)).replace(/\r?\n$/, '');
      if (value === '') {
        const message = `There is no value ${file === '-' ? 'on standard input' : `in ${file}`}.`;
        throw new CommandError(EXIT.usage, message, 'Give it one.', [], 'secret.empty');
      }
      const stored = await api.secrets.put(name, value);
      output.result(stored, [
        `${pc.bold('secret')} ${oneLine(stored.reference)} is stored.`,
        `next: an argument names it {"$secret": "${oneLine(stored.reference)}"}, an executor --secret ${oneLine(stored.reference)}`,
      ]);
    });

  secret
    .command('rotate')
    .description("encrypt every secret anew under the installation's current master key")
    .addHelpText('after', '\nExample:\n  countersign secret rotate\n')
    .action(async () => {
      const { client, output } = session();
      const rotated = await client().secrets.rotate();
      output.result(rotated, [
        rotated.reencrypted === 0
          ? 'Every secret is encrypted under the current master key already.'
          : `${counted(rotated.reencrypted, 'secret')} encrypted anew.`,
      ]);
    });
}
