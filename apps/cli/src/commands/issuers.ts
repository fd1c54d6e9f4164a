import type { Command } from 'commander';
import pc from 'picocolors';
import { CommandError, EXIT } from '../exit-codes.js';
import { oneLine, table } from '../output.js';
import type { Session } from '../session.js';
import { stepUp } from '../step-up.js';

/** `countersign issuer`: where people sign in, and on whose word each issuer is believed. */
export function addIssuers(program: Command, session: () => Session): void {
  const issuers = program.command('issuer').description('where people sign in, and on whose word it is believed');

  issuers
    .command('list')
    .description('list the issuers, and who stands for each')
    .addHelpText('after', '\nExample:\n  countersign issuer list\n')
    .action(async () => {
      const { client, output } = session();
      const settings = await client().issuers.get();
      const rows = settings.issuers.map(({ name, issuer_url: url, standing }) => [
        oneLine(name),
        oneLine(url),
        oneLine(standing?.words ?? ''),
      ]);
      const lines = table(['issuer', 'address', 'stands'], rows);
      output.result(settings, rows.length === 0 ? ['There is no issuer.'] : lines);
    });

  issuers
    .command('confirm')
    .description('confirm an issuer that one person set up alone; takes your second factor')
    .argument('<name>', "the issuer's short name")
    .addHelpText(
      'after',
      '\nFrom then on, people who sign in there each have a vote of their own. Look first at who runs the issuer and which\nclient it is. You cannot confirm an issuer that you, or the person who let you in, set up.\n\nExample:\n  countersign issuer confirm acme\n',
    )
    .action(async (name: string) => {
      const { client, output, io } = session();
      const api = client();
      const settings = await api.issuers.get();
      const issuer = settings.issuers.find((one) => one.name === name);
      if (issuer === undefined) {
        const action = 'See: countersign issuer list';
        throw new CommandError(EXIT.refused, 'There is no issuer of this name.', action, [], 'resource.not_found');
      }
      const whyNot = issuer.standing?.you.why_not ?? null;
      if (whyNot !== null) throw new CommandError(EXIT.refused, whyNot.message, whyNot.action ?? '', [], whyNot.code);
      output.note(`${pc.bold(oneLine(name))}  ${oneLine(issuer.issuer_url)}, client ${oneLine(issuer.client_id)}\n`);
      const settings_revision = settings.revision;
      const operation = { kind: 'issuer_confirm', issuer_id: issuer.id, settings_revision } as const;
      const step_up_id = await stepUp(api, { output, io }, operation);
      const confirmed = await api.issuers.confirm(name, { settings_revision, step_up_id });
      output.result(confirmed, [
        `${oneLine(name)} is confirmed: from now on, people who sign in there are known by it.`,
      ]);
    });
}
