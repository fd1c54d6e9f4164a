import type { Command } from 'commander';
import pc from 'picocolors';
import type { SiemCollectorDetailView, SiemCollectorView } from '#lib/api-schemas';
import { moment, oneLine } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';
import { addConnectionCommands, authorityIn, etagNow } from './connection.js';

const standing = ({ error, error_at: at, sent_at: sent }: SiemCollectorView): string => {
  if (error !== null) return pc.yellow(`It has taken nothing since ${moment(at ?? '')}: ${oneLine(error)}`);
  return sent === null ? 'Nothing was sent yet.' : `It last took events at ${moment(sent)}.`;
};

const lag = ({ entries_behind: behind, behind_since: since, retry_at: retry }: SiemCollectorDetailView): string[] => [
  ...(behind === 0 ? [] : [`Entries that wait: ${String(behind)}, since ${moment(since ?? '')}.`]),
  ...(retry === null ? [] : [`The next attempt is at ${moment(retry)}.`]),
];

/** `countersign siem`: the collector of a SIEM. */
export function addSiem(program: Command, context: () => CommandContext): void {
  const siem = program.command('siem').description('the collector of a SIEM, which gets the events of the audit log');

  siem
    .command('show')
    .description('show the collector, and its last error')
    .addHelpText('after', '\nExample:\n  countersign siem show\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/siem-collector');
      output.result(found, [
        `Events are sent to ${pc.bold(oneLine(found.url))}, ${found.has_token ? 'with' : 'without'} a token.`,
        standing(found),
        ...lag(found),
      ]);
    });

  siem
    .command('set')
    .description('send the events of the audit log to an https address, as OCSF lines')
    .argument('<url>', 'the address, without credentials and query')
    .option('--ca <file>', 'certificates in PEM; the collector is checked against these only')
    .addHelpText(
      'after',
      '\nA second PlatformAdmin confirms it under Changes. Then give its token: "countersign siem token".\n\nExample:\n  countersign siem set https://siem.example.com/ocsf\n',
    )
    .action(async (url: string, { ca }: { ca?: string }) => {
      const { client, output } = context();
      const ifMatch = await etagNow(client().get('/v1/siem-collector'));
      const set = await client().put('/v1/siem-collector', { body: { url, ca: authorityIn(ca) }, ifMatch });
      output.result(
        set,
        guardedLines<SiemCollectorView>(set, (done) => [`Events are sent to ${pc.bold(oneLine(done.url))}.`]),
      );
    });

  siem
    .command('test')
    .description('send a test event, after those that wait; after a failure it is tried at once')
    .addHelpText('after', '\nExample:\n  countersign siem test\n')
    .action(async () => {
      const { client, output } = context();
      await client().post('/v1/siem-collector/test');
      output.result({ test: 'sent' }, ['A test event is on its way. See how it went: countersign siem show']);
    });

  addConnectionCommands(siem, context, {
    ...{ name: 'siem', server: 'the collector', path: '/v1/siem-collector' },
    removed: 'Nothing is sent to it any more.',
  });
}
