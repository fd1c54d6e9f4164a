import type { Command } from 'commander';
import type { IncidentSettingsView, SlackSettingsView } from '#lib/api-schemas';
import { itemsOf, type BodyOf, type PageFilter } from '#lib/sdk';
import { destinationLines } from '../views/destination-view.js';
import { readDocument, withPlaces } from '../documents.js';
import { oneLine, table } from '../output.js';
import type { Session } from '../session.js';
import { guardedLines } from '../views/change-view.js';
import { wholeNumberTo } from './read.js';

/** `countersign slack` and `countersign incident-settings`: the destinations of messages. */
export function addSettings(program: Command, session: () => Session): void {
  const slack = program.command('slack').description('the Slack workspace, and the channel of each environment');
  slack
    .command('show')
    .description('show the workspace, its channels and the people on duty')
    .addHelpText('after', '\nExample:\n  countersign slack show\n')
    .action(async () => {
      const { client, output } = session();
      const settings = await client().get('/v1/slack');
      output.result(settings, slackLines(settings));
    });
  slack
    .command('routes')
    .description('set the channels; the change waits for a second person if somebody is told no longer')
    .argument('<file>', 'YAML or JSON with channels and on_duty; - reads standard input')
    .addHelpText(
      'after',
      '\nThe file:\n  channels: { production: C012AB3CD }     # an empty name is for every other environment\n  on_duty: []                             # ids of people who are told directly\n\nExample:\n  countersign slack routes slack.yaml\n',
    )
    .action(async (file: string) => {
      const { client, output, io } = session();
      const document = await readDocument(file, io);
      const wanted = document.value as BodyOf<'put', '/v1/slack/routes'>;
      const answer = await withPlaces(document, client().put('/v1/slack/routes', { body: wanted }));
      output.result(answer, guardedLines(answer, slackLines));
    });

  slack
    .command('app')
    .description('enter the credentials of your Slack app; it waits for a second person')
    .argument('<file>', 'YAML or JSON with client_id, client_secret and signing_secret; - reads standard input')
    .addHelpText(
      'after',
      '\nThe file, from "Basic Information" of the app at api.slack.com:\n  client_id: "1234567890.1234567890"\n  client_secret: the secret of the client\n  signing_secret: the secret that signs\n\nExamples:\n  countersign slack app slack-app.yaml\n  pass slack/app | countersign slack app -\n',
    )
    .action(async (file: string) => {
      const { client, output, io } = session();
      const document = await readDocument(file, io);
      const wanted = document.value as BodyOf<'put', '/v1/slack/app'>;
      const answer = await withPlaces(document, client().put('/v1/slack/app', { body: wanted }));
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
      '\nOpen the address within ten minutes, and agree at Slack. Another workspace than before waits for a second person:\nsay why with --reason.\n\nExample:\n  countersign slack install\n',
    )
    .action(async () => {
      const { client, output } = session();
      const begun = await client().get('/v1/slack/install');
      output.result(begun, [begun.redirect_to]);
    });
  slack
    .command('remove')
    .description("forget the workspace and the bot's token")
    .addHelpText(
      'after',
      '\nIt is done at once, and every PlatformAdmin and SecurityReviewer is told. It prints the destinations of incidents\nthat no message reaches any more.\n\nExample:\n  countersign slack remove\n',
    )
    .action(async () => {
      const { client, output } = session();
      await client().delete('/v1/slack/installation');
      const { items } = await client().get('/v1/incident-destinations');
      const silent = items.filter(({ reach }) => reach !== 'answers');
      const lines = [
        'No workspace is connected any more.',
        ...(silent.length === 0 ? [] : destinationLines({ items: silent })),
      ];
      output.result({ installation: null, unreached: silent.map(({ name }) => name) }, lines);
    });

  const incidents = program
    .command('incident-settings')
    .description('the destinations of incidents, and the time to review them');
  incidents
    .command('show')
    .description('show the destinations, the days until a review, and the PagerDuty integration')
    .addHelpText('after', '\nExample:\n  countersign incident-settings show\n')
    .action(async () => {
      const { client, output } = session();
      const settings = await client().get('/v1/incident-settings');
      output.result(settings, incidentLines(settings));
    });
  incidents
    .command('destinations')
    .description('list the destinations, with the result of the last test message')
    .addHelpText('after', '\nExample:\n  countersign incident-settings destinations\n')
    .action(async () => {
      const { client, output } = session();
      const found = await client().get('/v1/incident-destinations');
      output.result(found, destinationLines(found));
    });
  incidents
    .command('test')
    .description('send every address a test message now, and show the results')
    .addHelpText('after', '\nExample:\n  countersign incident-settings test\n')
    .action(async () => {
      const { client, output } = session();
      const found = await client().post('/v1/incident-destinations/tests');
      output.result(found, destinationLines(found));
    });
  incidents
    .command('put')
    .description(
      'set the destinations, the days and PagerDuty; the change waits for a second person if somebody is told no longer',
    )
    .argument('<file>', 'YAML or JSON; - reads standard input')
    .addHelpText(
      'after',
      '\nThe file:\n  destinations: { security-team: [C012AB3CD, security@example.com] }\n  review_days: 5\n\nExample:\n  countersign incident-settings put incidents.yaml\n',
    )
    .action(async (file: string) => {
      const { client, output, io } = session();
      const document = await readDocument(file, io);
      const answer = await withPlaces(
        document,
        client().put('/v1/incident-settings', { body: document.value as IncidentSettingsView }),
      );
      output.result(answer, guardedLines(answer, incidentLines));
    });
}

/** `countersign report` and `countersign decision-log`: for auditors, and for tools that read either. */
export function addReports(program: Command, session: () => Session): void {
  program
    .command('report')
    .description('report every run in production of a period, with its exceptions; takes the scope audit')
    .option('--from <time>', 'the first moment of the period, such as 2026-11-01T00:00:00Z')
    .option('--until <time>', 'the moment after the last one')
    .option('--csv', 'all of the period as CSV')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign report\n  countersign report --from 2026-11-01T00:00:00Z --until 2026-12-01T00:00:00Z --csv\n',
    )
    .action(async ({ csv, from, until }: { csv?: boolean; from?: string; until?: string }) => {
      const { client, output, io } = session();
      const period = { ...(from === undefined ? {} : { from }), ...(until === undefined ? {} : { until }) };
      if (csv === true) {
        const query = { ...period, format: 'csv' };
        io.out((await client().answer('GET', '/v1/reports/production-changes', { accept: 'text/csv', query })).text);
        return;
      }
      const found = await client().get('/v1/reports/production-changes', { query: period });
      output.result(found, [
        `${oneLine(found.from)} to ${oneLine(found.until)}`,
        ...table(
          ['count', ''],
          Object.entries(found.totals).map(([name, count]) => [JSON.stringify(count), name.replaceAll('_', ' ')]),
        ),
      ]);
    });

  program
    .command('decision-log')
    .description('print policy decisions as OPA logs its own, one JSON a line, newest first; takes the scope audit')
    .option('--limit <count>', 'how many at most', wholeNumberTo(1_000_000), 100)
    .option('--plan <plan>', 'only about this plan')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign decision-log --limit 1000\n  countersign decision-log --plan PLAN\n',
    )
    .action(async ({ limit, plan }: { limit: number; plan?: string }) => {
      const { client, io } = session();
      const api = client();
      let left = limit;
      const read = (page: PageFilter) => api.get('/v1/decision-log', { query: { ...page, plan_id: plan } });
      for await (const event of itemsOf(read, Math.min(limit, 200))) {
        io.out(`${JSON.stringify(event)}\n`);
        left -= 1;
        if (left === 0) break;
      }
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

const incidentLines = ({ destinations, review_days: days, pagerduty }: IncidentSettingsView): string[] => [
  ...(Object.keys(destinations).length === 0
    ? ['No destination has an address.']
    : table(
        ['destination', 'reached at'],
        Object.entries(destinations).map(([name, reached]) => [name, reached.join(', ')]),
      )),
  `reviewed within ${String(days)} days`,
  pagerduty === null ? 'PagerDuty is not connected.' : 'PagerDuty is connected.',
];
