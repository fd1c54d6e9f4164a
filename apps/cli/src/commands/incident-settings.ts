import type { Command } from 'commander';
import type { IncidentSettingsView } from '#lib/api-schemas';
import { readDocument, withPositions } from '../documents.js';
import { table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';
import { destinationLines } from '../views/destination-view.js';

/** `countersign incident-settings`: the destinations of incidents, and the time to review them. */
export function addIncidentSettings(program: Command, context: () => CommandContext): void {
  const incidents = program
    .command('incident-settings')
    .description('the destinations of incidents, and the time to review them');
  incidents
    .command('show')
    .description('show the destinations, the days until a review, and the PagerDuty integration')
    .addHelpText('after', '\nExample:\n  countersign incident-settings show\n')
    .action(async () => {
      const { client, output } = context();
      const settings = await client().get('/v1/incident-settings');
      output.result(settings, incidentLines(settings));
    });
  incidents
    .command('destinations')
    .description('list the destinations, with the result of the last test message')
    .addHelpText('after', '\nExample:\n  countersign incident-settings destinations\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/incident-destinations');
      output.result(found, destinationLines(found));
    });
  incidents
    .command('test')
    .description('send every address a test message now, and show the results')
    .addHelpText('after', '\nExample:\n  countersign incident-settings test\n')
    .action(async () => {
      const { client, output } = context();
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
      const { client, output, io } = context();
      const document = await readDocument(file, io);
      const answer = await withPositions(
        document,
        // The server checks the document, and names the position of a mistake.
        client().put('/v1/incident-settings', { body: document.value as IncidentSettingsView }),
      );
      output.result(answer, guardedLines(answer, incidentLines));
    });
}

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
