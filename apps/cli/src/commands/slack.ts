import type { Command } from 'commander';
import type { SlackSettingsView } from '#lib/api-schemas';
import type { BodyOf } from '#lib/sdk';
import { readDocument, withPositions } from '../documents.js';
import { oneLine, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';
import { destinationLines } from '../views/destination-view.js';

/** `countersign slack`: the Slack app, its workspace, and the channels of messages. */
export function addSlack(program: Command, context: () => CommandContext): void {
  const slack = program.command('slack').description('the Slack workspace, and the channel of each environment');
  slack
    .command('show')
    .description('show the workspace, its channels and the people on duty')
    .addHelpText('after', '\nExample:\n  countersign slack show\n')
    .action(async () => {
      const { client, output } = context();
      const settings = await client().get('/v1/slack');
      output.result(settings, slackLines(settings));
    });
  slack
    .command('routes')
    .description('set the channels; the change waits for a second person if somebody is told no longer')
    .argument('<file>', 'YAML or JSON with channels and on_duty; - reads standard input')
    .addHelpText(
      'after',
      '\nThe file:\n  channels: { production: C012AB3CD }     # an empty name: every other\n  on_duty: []                             # ids of people who are told directly\n\nExample:\n  countersign slack routes slack.yaml\n',
    )
    .action(async (file: string) => {
      const { client, output, io } = context();
      const document = await readDocument(file, io);
      // The server checks the document, and names the position of a mistake.
      const wanted = document.value as BodyOf<'put', '/v1/slack/routes'>;
      const answer = await withPositions(document, client().put('/v1/slack/routes', { body: wanted }));
      output.result(answer, guardedLines(answer, slackLines));
    });

  slack
    .command('app')
    .description('enter the credentials of your Slack app; it waits for a second person')
    .argument('<file>', 'YAML or JSON with client_id, client_secret and signing_secret; - reads standard input')
    .addHelpText(
      'after',
      '\nThe file, from "Basic Information" of the app at api.slack.com:\n  client_id: "1234567890.1234567890"\n  client_secret: the secret of the client\n  signing_secret: the secret that signs\n\nIf you enter another app than the installed one, commands and buttons in Slack\nstop. They work again once you install it: countersign slack install.\n\nExamples:\n  countersign slack app slack-app.yaml\n  pass slack/app | countersign slack app -\n',
    )
    .action(async (file: string) => {
      const { client, output, io } = context();
      const document = await readDocument(file, io);
      // The server checks the document, and names the position of a mistake.
      const wanted = document.value as BodyOf<'put', '/v1/slack/app'>;
      const answer = await withPositions(document, client().put('/v1/slack/app', { body: wanted }));
      output.result(
        answer,
        guardedLines(answer, ({ app }) => [`The app ${oneLine(app?.client_id ?? '')} is entered.`]),
      );
    });
  slack
    .command('install')
    .description('begin the installation into a workspace; you finish it in a browser')
    .addHelpText(
      'after',
      '\nOpen the address within ten minutes, and agree at Slack. Another workspace than\nbefore waits for a second person: say why with --reason.\n\nExample:\n  countersign slack install\n',
    )
    .action(async () => {
      const { client, output } = context();
      const begun = await client().get('/v1/slack/install');
      output.result(begun, [begun.redirect_to]);
    });
  slack
    .command('remove')
    .description("forget the workspace and the bot's token")
    .addHelpText(
      'after',
      '\nIt is done at once, and every PlatformAdmin and SecurityReviewer is told. It\nprints the destinations of incidents that no message reaches any more.\n\nExample:\n  countersign slack remove\n',
    )
    .action(async () => {
      const { client, output } = context();
      await client().delete('/v1/slack/installation');
      const { items } = await client().get('/v1/incident-destinations');
      const silent = items.filter(({ reach }) => reach !== 'answers');
      const lines = [
        'No workspace is connected any more.',
        ...(silent.length === 0 ? [] : destinationLines({ items: silent })),
      ];
      output.result({ installation: null, unreached: silent.map(({ name }) => name) }, lines);
    });
}

const slackLines = ({ installation, channels, on_duty: duty }: SlackSettingsView): string[] => [
  installation === null ? 'No workspace is connected.' : `workspace ${oneLine(installation.team_name)}`,
  ...table(
    ['environment', 'channel'],
    Object.entries(channels).map(([name, channel]) => [name === '' ? 'every other' : name, channel]),
  ),
  ...duty.map((person) => `on duty: person ${person}`),
];
