import type { Command } from 'commander';
import pc from 'picocolors';
import { stringify } from 'yaml';
import type { z } from 'zod';
import type { SignInSettingsView } from '#lib/api-schemas';
import { issuerDescriptionSchema, wantedSignInSettingsSchema } from '#lib/formats';
import type { BodyOf } from '#lib/sdk';
import { readDocument, withPositions } from '../documents.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { oneLine, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { stepUp } from '../step-up.js';
import { guardedLines } from '../views/change-view.js';
import { wholeNumberTo } from './read.js';

/** `countersign issuer`: the issuers that people sign in at, and the person who stands for each. */
export function addIssuers(program: Command, context: () => CommandContext): void {
  const issuers = program.command('issuer').description('issuers, at which people sign in');

  issuers
    .command('list')
    .description('list the issuers, and the people who put each in force')
    .addHelpText('after', '\nExample:\n  countersign issuer list\n')
    .action(async () => {
      const { client, output } = context();
      const settings = await client().get('/v1/issuers');
      const rows = settings.issuers.map(({ name, issuer_url: url, standing }) => [
        oneLine(name),
        oneLine(url),
        oneLine(standing?.words ?? ''),
      ]);
      const lines = table(['issuer', 'address', 'stands'], rows);
      output.result(settings, rows.length === 0 ? ['There is no issuer.'] : lines);
    });

  issuers
    .command('show')
    .description('print the sign-in settings as the document that "issuer put" takes')
    .addHelpText('after', '\nExample:\n  countersign issuer show > sign-in.yaml\n')
    .action(async () => {
      const { client, output } = context();
      const settings = await client().get('/v1/issuers');
      const document = documentOf(settings);
      output.result(document, [`# revision ${String(settings.revision)}`, stringify(document).trimEnd()]);
    });

  issuers
    .command('put')
    .description('set the issuers and the length of sign-ins; letting more people in waits for a second person')
    .argument('<file>', 'YAML or JSON; - reads standard input')
    .option(
      '--revision <number>',
      'refuse if the settings are not this revision any more',
      wholeNumberTo(2_147_483_647, 0),
    )
    .addHelpText(
      'after',
      '\nThe document holds all issuers: one that it leaves out is out of service. The secret of a client is named, not written:\nstore it first, with "secret put NAME FILE --sign-in".\n\nThe file:\n  reauthenticate_after_minutes: 720\n  issuers:\n    - name: acme\n      display_name: Acme\n      issuer_url: https://login.acme.example\n      client_id: countersign\n      client_secret: acme-login@1\n      role_mappings: [{ value: sre-leads, role: SRELead }]\n\nExample:\n  countersign issuer put sign-in.yaml --revision 3\n',
    )
    .action(async (file: string, { revision }: { readonly revision?: number }) => {
      const { client, output, io } = context();
      const api = client();
      const document = await readDocument(file, io);
      // The server checks the document, and names the position of a mistake.
      const wanted = document.value as BodyOf<'put', '/v1/issuers'>;
      const read = revision ?? (await api.get('/v1/issuers')).revision;
      const answer = await withPositions(
        document,
        api.put('/v1/issuers', {
          body: wanted,
          ifMatch: read === 0 ? undefined : `"${String(read)}"`,
        }),
      );
      output.result(
        answer,
        guardedLines(answer, (settings) => [`The sign-in settings are revision ${String(settings.revision)}.`]),
      );
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
      const { client, output, io } = context();
      const api = client();
      const settings = await api.get('/v1/issuers');
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
      const confirmed = await api.post('/v1/issuers/{name}/confirm', {
        path: { name },
        body: { settings_revision, step_up_id },
      });
      output.result(confirmed, [
        `${oneLine(name)} is confirmed: from now on, people who sign in there are known by it.`,
      ]);
    });
}

/** The settings as they are sent, without the members that the server adds. */
const documentOf = (settings: SignInSettingsView): z.infer<typeof wantedSignInSettingsSchema> =>
  wantedSignInSettingsSchema.parse({
    ...pick(settings, Object.keys(wantedSignInSettingsSchema.shape)),
    issuers: settings.issuers.map((issuer) => pick(issuer, Object.keys(issuerDescriptionSchema.shape))),
  });

const pick = (from: object, names: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(from).filter(([name]) => names.includes(name)));
