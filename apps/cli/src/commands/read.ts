import { InvalidArgumentError, Option, type Command } from 'commander';
import pc from 'picocolors';
import { REQUEST_TABS, type RequestTab } from '#lib/api-schemas';
import {
  APPROVAL_STATES,
  PLAN_STATUSES,
  RUN_STATES,
  TASK_STATES,
  type ApprovalState,
  type PlanStatus,
  type RunState,
  type TaskState,
} from '#lib/formats';
import { indented } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { diffLines } from '../views/diff-view.js';
import { requestLines, requestTable } from '../views/request-view.js';
import { runLines, runTable } from '../views/run-view.js';
import { simulationLines } from '../views/simulation-view.js';
import { planDetailLines, planTable, taskLines, taskTable } from '../views/task-view.js';
import { whoAsks } from '../who-asks.js';
import { filtered, queryOf, type WorkOptions } from './work-filter.js';

/** The options of every list. */
export interface PageOptions {
  readonly limit: number;
  readonly cursor?: string;
}

interface RequestOptions {
  readonly state?: ApprovalState;
  readonly all?: boolean;
  readonly tab?: RequestTab;
}

const MAX_ROWS = 200;

/** Adds the options of every list. */
export const paged = (command: Command): Command =>
  command
    .option('--limit <count>', 'how many at most', wholeNumberTo(MAX_ROWS), 20)
    .option('--cursor <cursor>', 'go on after an earlier page');

/** Reads an option's number, from `least`; @throws {InvalidArgumentError} for anything else. */
export const wholeNumberTo =
  (most: number, least = 1) =>
  (text: string): number => {
    const value = text === '' ? Number.NaN : Number(text);
    if (Number.isInteger(value) && value >= least && value <= most) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${String(least)} to ${String(most)}.`);
  };

/** A list's lines, and how to see more. */
export function pageLines(empty: string, rows: readonly string[], count: number, next: string | null): string[] {
  if (count === 0) return [empty];
  return next === null ? [...rows] : [...rows, pc.dim(`more: add --cursor ${next}`)];
}

/** Commands that only read. */
export function addReading(program: Command, context: () => CommandContext): void {
  filtered(paged(program.command('tasks').description('list tasks, newest first')))
    .addOption(new Option('--state <state>', 'only tasks in this state').choices(TASK_STATES))
    .addHelpText(
      'after',
      '\nExamples:\n  countersign tasks\n  countersign tasks --state executing --environment production\n  countersign tasks --search "drift web-04" --from 2026-11-20\n',
    )
    .action(async ({ limit, cursor, state, ...filter }: PageOptions & WorkOptions & { state?: TaskState }) => {
      const { client, output } = context();
      const page = await client().get('/v1/tasks', {
        query: { ...(await queryOf(client(), filter)), limit, cursor, state },
      });
      output.result(page, pageLines('There is no task.', taskTable(page.items), page.items.length, page.next_cursor));
    });

  filtered(paged(program.command('plans').description('list plans, newest first')))
    .addOption(new Option('--status <status>', 'only plans that have come to this').choices(PLAN_STATUSES))
    .addHelpText(
      'after',
      '\nExamples:\n  countersign plans\n  countersign plans --status awaiting_approval\n  countersign plans --tool execute_rollout_prod --target web-04\n',
    )
    .action(async ({ limit, cursor, status, ...filter }: PageOptions & WorkOptions & { status?: PlanStatus }) => {
      const { client, output } = context();
      const page = await client().get('/v1/plans', {
        query: { ...(await queryOf(client(), filter)), limit, cursor, status },
      });
      output.result(page, pageLines('There is no plan.', planTable(page.items), page.items.length, page.next_cursor));
    });

  filtered(paged(program.command('runs').description('list runs, newest first')))
    .addOption(new Option('--state <state>', 'only runs in this state').choices(RUN_STATES))
    .option('--plan <plan>', 'only runs of this plan')
    .addHelpText('after', '\nExamples:\n  countersign runs\n  countersign runs --state paused\n')
    .action(
      async ({
        limit,
        cursor,
        state,
        plan,
        ...filter
      }: PageOptions & WorkOptions & { state?: RunState; plan?: string }) => {
        const { client, output } = context();
        const query = await queryOf(client(), filter);
        const page = await client().get('/v1/runs', { query: { ...query, limit, cursor, state, plan_id: plan } });
        output.result(page, pageLines('There is no run.', runTable(page.items), page.items.length, page.next_cursor));
      },
    );

  filtered(
    paged(program.command('requests').description('list approval requests; without --tab those that wait for you')),
  )
    .addOption(new Option('--tab <tab>', 'which of them').choices(REQUEST_TABS))
    .option('--all', 'the same as --tab all')
    .addOption(new Option('--state <state>', 'all in this state').choices(APPROVAL_STATES))
    .addHelpText(
      'after',
      '\nExamples:\n  countersign requests\n  countersign requests --tab decided_by_me --from 2026-11-20\n  countersign requests --all --agent drift-bot\n',
    )
    .action(async ({ limit, cursor, state, all, tab, ...filter }: PageOptions & WorkOptions & RequestOptions) => {
      const { client, output } = context();
      const shown = tab ?? (all === true || state !== undefined ? 'all' : 'for_me');
      const query = await queryOf(client(), filter);
      const page = await client().get('/v1/approval-requests', {
        query: { ...query, limit, cursor, state, tab: shown },
      });
      const empty = shown === 'for_me' ? 'Nothing waits for your review.' : 'There is no such approval request.';
      output.result(page, pageLines(empty, requestTable(page.items), page.items.length, page.next_cursor));
    });

  addShow(program, context);

  program
    .command('diff')
    .description('show the differences between two plans')
    .argument('<plan>', 'the newer plan')
    .requiredOption('--against <plan>', 'the older plan')
    .addHelpText('after', '\nExample:\n  countersign diff PLAN --against EARLIER-PLAN\n')
    .action(async (plan: string, options: { against: string }) => {
      const { client, output } = context();
      const diff = await client().get('/v1/plans/{id}/diff', {
        path: { id: plan },
        query: { against: options.against },
      });
      output.result(diff, [
        pc.bold(`revision ${String(diff.after.revision)} against revision ${String(diff.before.revision)}`),
        ...indented(diffLines(diff)),
      ]);
    });
}

function addShow(program: Command, context: () => CommandContext): void {
  const show = program.command('show').description('show a task, plan, simulation, approval request or run');
  const example = (kind: string): string =>
    `\nExamples:\n  countersign show ${kind} ID\n  countersign --json show ${kind} ID\n`;

  show
    .command('task')
    .description('show a task and its plans')
    .argument('<id>', 'the task')
    .addHelpText('after', example('task'))
    .action(async (id: string) => {
      const { client, output } = context();
      const api = client();
      const [task, plans] = await Promise.all([
        api.get('/v1/tasks/{id}', { path: { id } }),
        api.get('/v1/tasks/{id}/plans', { path: { id } }),
      ]);
      output.result({ task, plans: plans.items }, taskLines(task, plans.items, await whoAsks(api, task.submitted_by)));
    });
  show
    .command('plan')
    .description('show a plan: its steps, its decision and its status')
    .argument('<id>', 'the plan')
    .addHelpText('after', example('plan'))
    .action(async (id: string) => {
      const { client, output } = context();
      const api = client();
      const plan = await api.get('/v1/plans/{id}', { path: { id } });
      output.result(plan, planDetailLines(plan, await whoAsks(api, plan.submitted_by)));
    });
  show
    .command('simulation')
    .description('show a simulation and its prediction')
    .argument('<id>', 'the simulation')
    .addHelpText('after', example('simulation'))
    .action(async (id: string) => {
      const { client, output } = context();
      const simulation = await client().get('/v1/simulations/{id}', { path: { id } });
      output.result(simulation, simulationLines(simulation));
    });
  show
    .command('request')
    .description('show an approval request, with everything that its approvers see')
    .argument('<id>', 'the approval request')
    .addHelpText('after', example('request'))
    .action(async (id: string) => {
      const { client, output } = context();
      const api = client();
      const request = await api.get('/v1/approval-requests/{id}', { path: { id } });
      output.result(request, requestLines(request, await whoAsks(api, request.requester)));
    });
  show
    .command('run')
    .description('show a run: its steps, their results, and the reason for its state')
    .argument('<id>', 'the run')
    .addHelpText('after', example('run'))
    .action(async (id: string) => {
      const { client, output } = context();
      const run = await client().get('/v1/runs/{id}', { path: { id } });
      output.result(run, runLines(run));
    });
}
