import { setTimeout as delay } from 'node:timers/promises';
import { InvalidArgumentError, type Command } from 'commander';
import type { ImpactReportView } from '#lib/api-schemas';
import type { CountersignClient } from '#lib/sdk';
import { isImpactNotKnown } from '#lib/words';
import { configurationFiles } from '../configuration-files.js';
import { CommandError, Ended, EXIT } from '../exit-codes.js';
import type { CommandContext } from '../command-context.js';
import { impactMarkdown } from '../views/impact-markdown.js';
import { progressReporter } from '../views/impact-progress.js';
import { impactLines } from '../views/impact-view.js';

const LOOK_AGAIN_MS = 300;
/** As many rows as a page may have. */
const PAGE = 200;

/** `countersign impact`: the decisions of the last days, taken again with a configuration that is not in force. */
export function addImpact(program: Command, context: () => CommandContext): void {
  program
    .command('impact')
    .description('take the decisions of the last days again as if a configuration had been in force; changes nothing')
    .argument('[directory]', 'as `countersign apply` takes it')
    .option('--change <id>', 'show the impact of a change request instead')
    .option('--policies <folder>', 'on the server: the impact of the policies of another version, with its bundle/')
    .option('--tenant <slug>', 'with --policies: whose decisions; may be left out if there is one tenant')
    .option('--since <days>', 'how far back: 30d', days, 30)
    .option('--markdown', 'print Markdown for a pull request')
    .addHelpText(
      'after',
      [
        '\nExamples:\n  countersign impact config/ --since 30d\n  countersign impact config/ --markdown > impact.md\n  countersign impact --policies ../countersign-next/policies --tenant acme\n',
        'Exit code 0: nothing that was held back would pass. 8: something would. 9: decisions could not be put again, or are not in the database, so it is not known.\n',
      ].join('\n'),
    )
    .action(async (directory: string | undefined, options: Options) => {
      const started = context();
      const { output } = started;
      const { report, publicUrl } =
        options.policies === undefined
          ? {
              report: await reported(started.client(), directory, options, output.note),
              publicUrl: started.address.baseUrl,
            }
          : await ofPolicies(options.policies, options, output.note);
      if (options.markdown === true && !output.json) output.result(report, impactMarkdown(report, publicUrl));
      else output.result(report, impactLines(report));
      if (report.looser) throw new Ended(EXIT.looser);
      if (isImpactNotKnown(report)) throw new Ended(EXIT.notKnown);
    });
}

interface Options {
  readonly change?: string;
  readonly policies?: string;
  readonly tenant?: string;
  readonly since: number;
  readonly markdown?: boolean;
}

/** Only this side has the files of a configuration: if settings move meanwhile, it asks again. */
const MAX_ASKED = 3;

async function reported(
  api: CountersignClient,
  directory: string | undefined,
  options: Options,
  note: (text: string) => void,
): Promise<ImpactReportView> {
  for (let time = 1; ; time += 1) {
    const report = await finished(api, await asked(api, directory, options), note);
    if (!report.outdated || options.change !== undefined || time === MAX_ASKED) return allCells(api, report);
    note('Settings have moved meanwhile: it is worked out again.');
  }
}

/** A report comes with its first cells. */
async function allCells(api: CountersignClient, report: ImpactReportView): Promise<ImpactReportView> {
  if (report.cells.length === report.cell_counts.found) return report;
  const cells: ImpactReportView['cells'] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const query = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const page = await api.get('/v1/impact-reports/{id}/cells', { path: { id: report.id }, query });
    cells.push(...page.items);
    cursor = page.next_cursor;
  }
  return { ...report, cells };
}

/** The server is loaded only for this. */
async function ofPolicies(
  folder: string,
  { tenant, since }: Options,
  note: (text: string) => void,
): Promise<{ readonly report: ImpactReportView; readonly publicUrl: string }> {
  const { impactOfPolicies } = await import('../impact-of-policies.js');
  return impactOfPolicies({ folder, tenant, days: since }, note);
}

async function asked(
  api: CountersignClient,
  directory: string | undefined,
  { change, since }: Options,
): Promise<ImpactReportView> {
  if (change !== undefined) return api.get('/v1/change-requests/{id}/impact', { path: { id: change } });
  if (directory === undefined)
    throw new CommandError(
      EXIT.usage,
      'Nothing is named whose impact you want.',
      'Name the directory of a configuration, or --change with the id of a change.',
      [],
      'impact.nothing_named',
    );
  const files = await configurationFiles(directory);
  const configuration = Object.fromEntries(files.map(({ part, text }) => [part, text]));
  return api.post('/v1/impact-reports', { body: { configuration, since_days: since } });
}

/** @throws {CommandError} if it is cancelled or given up. */
async function finished(
  api: CountersignClient,
  first: ImpactReportView,
  note: (text: string) => void,
): Promise<ImpactReportView> {
  let report = first;
  const tell = progressReporter(note);
  while (report.phase === 'waiting' || report.phase === 'working' || report.phase === 'outdated') {
    await delay(LOOK_AGAIN_MS);
    report = await api.get('/v1/impact-reports/{id}', { path: { id: report.id } });
    if (report.phase === 'working') tell(report.progress, report.renewals);
  }
  if (report.phase === 'done') return report;
  const { failure } = report;
  if (failure !== null) throw new CommandError(EXIT.refused, failure.message, failure.action, [], failure.code);
  throw new CommandError(
    EXIT.refused,
    'The change waits no more, so that its impact is not worked out.',
    'Look at the change with `countersign change show`.',
    [],
    'impact.cancelled',
  );
}

function days(text: string): number {
  const [, number] = /^([1-9][0-9]{0,2})d?$/.exec(text) ?? [];
  if (number === undefined || Number(number) > 365)
    throw new InvalidArgumentError('It is a number of days, at most 365: 30d.');
  return Number(number);
}
