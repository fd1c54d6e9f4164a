import { Option, type Command } from 'commander';
import type { AbsenceView, ApprovalStatistics, InboxItemView, QueuedRequestView } from '#lib/api-schemas';
import { duration, moment, oneLine, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { pageLines, paged, type PageOptions } from './read.js';
import { idOfAddressed, momentOf } from './work-filter.js';

/** `queue`, `claim`, `absence`, and the statistics of approvals. */
export function addQueue(program: Command, context: () => CommandContext): void {
  paged(program.command('queue').description('list the requests that wait for you, riskiest first, then by time left'))
    .addHelpText('after', '\nExample:\n  countersign queue\n')
    .action(async (options: PageOptions) => {
      const { client, output } = context();
      const page = await client().get('/v1/queue', { query: { ...{ ...options } } });
      output.result(
        page,
        pageLines('Nothing waits for your review.', queueTable(page.items), page.items.length, page.next_cursor),
      );
    });

  program
    .command('inbox')
    .description('list everything that waits for you: requests, starts, incidents and changes, the most pressing first')
    .addHelpText('after', '\nExample:\n  countersign inbox\n')
    .action(async () => {
      const { client, output } = context();
      const inbox = await client().get('/v1/inbox');
      const waits = inbox.items.length === 0 ? ['Nothing waits for you.'] : inboxTable(inbox.items);
      output.result(inbox, [...waits, ...inbox.standing_in.map(standingInLine)]);
    });

  program
    .command('find')
    .description('find people, agents, tools and work by a word, a name or a part of an id')
    .argument('<text>', 'the text to find')
    .addHelpText('after', '\nExamples:\n  countersign find web-04\n  countersign find 8b2f01c4\n')
    .action(async (text: string) => {
      const { client, output } = context();
      const found = await client().get('/v1/search', {
        query: { text, limit: 5 },
      });
      const rows = found.items.map(({ kind, id, title, environment, state: now }) => [
        kind,
        id,
        now ?? '',
        environment?.name ?? '',
        title,
      ]);
      output.result(
        found,
        rows.length === 0 ? ['Nothing is called that.'] : table(['', 'id', '', 'in', ''], rows, [2]),
      );
    });

  program
    .command('claim')
    .description('say for 15 minutes that you are looking at a request; others may still review it')
    .argument('<request>', 'the approval request')
    .option('--release', 'take it back')
    .addHelpText('after', '\nExamples:\n  countersign claim REQUEST\n  countersign claim REQUEST --release\n')
    .action(async (id: string, { release }: { release?: boolean }) => {
      const { client, output } = context();
      if (release === true) {
        await client().delete('/v1/approval-requests/{id}/claim', { path: { id } });
        output.result({ request_id: id, claim: null }, ['You are not looking at it any more.']);
        return;
      }
      const request = await client().post('/v1/approval-requests/{id}/claim', { path: { id } });
      output.result(request, [
        `You are looking at it until ${moment(request.claim?.expires_at ?? request.expires_at)}.`,
      ]);
    });

  addAbsences(program, context);

  program
    .command('approval-statistics')
    .description('time to decision, approvals within five seconds, and how often people override')
    .addOption(new Option('--by <what>', 'grouped by').choices(['tool', 'agent', 'person']).default('tool'))
    .option('--from <time>', 'requests opened from then on; without it, in the last 30 days', momentOf)
    .option('--until <time>', 'and before then', momentOf)
    .addHelpText('after', '\nExample:\n  countersign approval-statistics --by agent\n')
    .action(async (options: { by: ApprovalStatistics['by']; from?: string; until?: string }) => {
      const { client, output } = context();
      const found = await client().get('/v1/approval-statistics', { query: options });
      const lines = statisticsTable(found);
      output.result(found, found.items.length === 0 ? ['Nobody was asked for an approval in that time.'] : lines);
    });
}

function addAbsences(program: Command, context: () => CommandContext): void {
  const absence = program.command('absence').description('absences, and the people who stand in');
  paged(absence.command('list').description('list absences and who stands in, newest first'))
    .addHelpText('after', '\nExample:\n  countersign absence list\n')
    .action(async (options: PageOptions) => {
      const { client, output } = context();
      const page = await client().get('/v1/absences', { query: { ...{ ...options } } });
      output.result(
        page,
        pageLines('Nobody stands in for anybody.', absenceTable(page.items), page.items.length, page.next_cursor),
      );
    });
  absence
    .command('begin')
    .description('delegate your reviewing roles to somebody; they count on requests that open later')
    .argument('<delegate>', 'the e-mail address or id of the person who stands in')
    .requiredOption('--until <time>', 'until when, as 2026-12-24T18:00:00Z', momentOf)
    .option('--from <time>', 'from when; without it, at once', momentOf)
    .option('--role <role...>', 'which of your roles; without it, all of them')
    .addHelpText(
      'after',
      '\nExample:\n  countersign absence begin lea@acme.example --until 2026-12-24T18:00:00Z --role SRELead\n',
    )
    .action(async (delegate: string, options: { until: string; from?: string; role?: string[] }) => {
      const { client, output } = context();
      const api = client();
      const begun = await api.post('/v1/absences', {
        body: {
          delegate_id: await idOfAddressed(api, delegate),
          until: options.until,
          ...(options.from === undefined ? {} : { from: options.from }),
          ...(options.role === undefined ? {} : { roles: options.role }),
        },
      });
      output.result(begun, absenceTable([begun]));
    });
  absence
    .command('end')
    .description('take an absence back')
    .argument('<absence>', 'the absence')
    .addHelpText('after', '\nExample:\n  countersign absence end ABSENCE\n')
    .action(async (id: string) => {
      const { client, output } = context();
      await client().delete('/v1/absences/{id}', { path: { id } });
      output.result({ id }, ['It is taken back.']);
    });
}

const queueTable = (items: readonly QueuedRequestView[]): string[] =>
  table(
    ['request', 'risk', 'left', 'in', 'looked at by', 'what is done'],
    items.map((item) => [
      item.id,
      item.risk,
      duration(item.seconds_left ?? 0),
      item.environment.name,
      item.claim?.person.display_name ?? '',
      item.headline,
    ]),
    [1],
  );

const DUTIES = {
  acknowledge: 'acknowledge',
  resolve: 'write a post-mortem',
  review: 'review the post-mortem',
} as const;

const inboxTable = (items: readonly InboxItemView[]): string[] =>
  table(['what to do', 'id', 'in', 'risk', 'what is done'], items.map(inboxRow), [3]);

function inboxRow(item: InboxItemView): string[] {
  switch (item.kind) {
    case 'request':
    case 'start': {
      const { id, environment, risk, headline } = item.request;
      const what = item.kind === 'start' ? 'start' : 'review';
      return [what, id, environment.name, risk, headline];
    }
    case 'incident': {
      const { id, environment, plan_risk: risk, headline } = item.incident;
      return [DUTIES[item.duty], id, environment.name, risk ?? '', headline ?? ''];
    }
    case 'change':
      return ['confirm', item.change.id, '', '', item.change.what];
  }
}

const standingInLine = ({ person, from, until, in_force: inForce }: AbsenceView): string =>
  `You stand in for ${oneLine(person.display_name)} ${inForce ? '' : `from ${moment(from)} `}until ${moment(until)}.`;

const absenceTable = (items: readonly AbsenceView[]): string[] =>
  table(
    ['absence', 'away', 'stands in', 'roles', 'from', 'until', ''],
    items.map((item) => [
      item.id,
      item.person.display_name,
      item.delegate.display_name,
      item.roles.join(', '),
      moment(item.from),
      moment(item.until),
      standing(item),
    ]),
  );

const standing = ({ ended_at: ended, in_force: inForce }: AbsenceView): string => {
  if (ended !== null) return 'taken back';
  return inForce ? 'in force' : '';
};

const statisticsTable = ({ items }: ApprovalStatistics): string[] =>
  table(
    ['', 'requests', 'median', 'slowest tenth', 'under 5 s', 'overridden', 'rejected'],
    items.map((item) => [
      item.name,
      String(item.requests),
      secondsOf(item.median_seconds_to_decision),
      secondsOf(item.p90_seconds_to_decision),
      percentOf(item.share_under_five_seconds),
      percentOf(item.override_rate),
      percentOf(item.reject_rate),
    ]),
  );

const secondsOf = (seconds: number | null): string => (seconds === null ? '' : duration(Math.round(seconds)));

const percentOf = (share: number | null): string => (share === null ? '' : `${String(Math.round(share * 100))} %`);
