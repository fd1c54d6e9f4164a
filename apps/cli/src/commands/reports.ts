import type { Command } from 'commander';
import { itemsOf, type PageFilter } from '#lib/sdk';
import { jsonText, oneLine, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { wholeNumberTo } from './read.js';
import { momentOf } from './work-filter.js';

/** `countersign report` and `countersign decision-log`: for auditors, and for tools that read either. */
export function addReports(program: Command, context: () => CommandContext): void {
  program
    .command('report')
    .description('report every run in production of a period, with its exceptions; takes the scope audit')
    .option('--from <time>', 'the first moment of the period: 2026-11-01, or 2026-11-01T08:00:00Z', momentOf)
    .option('--until <time>', 'the moment after the last one', momentOf)
    .option('--csv', 'all of the period as CSV')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign report\n  countersign report --from 2026-11-01 --until 2026-12-01 --csv\n',
    )
    .action(async ({ csv, from, until }: { csv?: boolean; from?: string; until?: string }) => {
      const { client, output, io } = context();
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
      const { client, io } = context();
      const api = client();
      let left = limit;
      const read = (page: PageFilter) => api.get('/v1/decision-log', { query: { ...page, plan_id: plan } });
      for await (const event of itemsOf(read, Math.min(limit, 200))) {
        io.out(`${jsonText(event)}\n`);
        left -= 1;
        if (left === 0) break;
      }
    });
}
