import { InvalidArgumentError, type Command } from 'commander';
import pc from 'picocolors';
import { moment, oneLine, state as stateOf, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { addEvidence } from './evidence.js';
import { pageLines, paged, type PageOptions } from './read.js';

type Inputs = Readonly<Record<string, string | number | boolean>>;

/** Adds one `name=value` to those before it. In quotes a value stays text: `--input port='"8080"'`. */
function inputOf(text: string, before: Inputs): Inputs {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('It is the name of an input and its value: service=web-01.');
  const value = text.slice(at + 1);
  const [, quoted] = /^"(.*)"$/.exec(value) ?? [];
  return { ...before, [text.slice(0, at)]: quoted ?? scalarOf(value) };
}

function scalarOf(text: string): string | number | boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?(0|[1-9][0-9]*)([.][0-9]+)?$/.test(text) ? Number(text) : text;
}

/** The runs of automations: those that were, and one by hand. */
export function addAutomationRuns(automation: Command, context: () => CommandContext): void {
  paged(automation.command('runs').description('list the runs of an automation, newest first'))
    .argument('<automation>', 'its id')
    .addHelpText('after', '\nExample:\n  countersign automation runs AUTOMATION\n')
    .action(async (id: string, { limit, cursor }: PageOptions) => {
      const { client, output } = context();
      const page = await client().get('/v1/automations/{id}/runs', { path: { id }, query: { limit, cursor } });
      const rows = page.items.map(({ id: run, due_at: dueAt, state, error }) => [
        ...[moment(dueAt), state, oneLine(error?.message ?? ''), run],
      ]);
      const lines = table(['due', 'state', 'why', ''], rows, [1]);
      output.result(page, pageLines('It has not run yet.', lines, rows.length, page.next_cursor));
    });

  automation
    .command('run')
    .description('show a run of an automation, with the outcome of each step')
    .argument('<automation>', 'its id')
    .argument('<run>', 'the id of the run')
    .addHelpText('after', '\nExample:\n  countersign automation run AUTOMATION RUN\n')
    .action(async (id: string, run: string) => {
      const { client, output } = context();
      const found = await client().get('/v1/automations/{id}/runs/{run}', { path: { id, run } });
      const rows = found.steps.map(({ step, state, error }) => [oneLine(step), state, oneLine(error?.message ?? '')]);
      const why = found.error === null ? '' : ` ${oneLine(found.error.message)}`;
      output.result(found, [
        `${pc.bold('run')} of ${moment(found.due_at)}, revision ${String(found.revision)}: ${stateOf(found.state)}.${why}`,
        ...(rows.length === 0 ? [] : table(['step', 'state', 'why'], rows)),
      ]);
    });

  addEvidence(automation, context, 'run');

  automation
    .command('trigger')
    .description('start a run of an automation that has an endpoint')
    .argument('<automation>', 'its id')
    .option(
      '--input <name=value>',
      'the value of an input, as often as needed; numbers, true and false are read as such',
      inputOf,
      {},
    )
    .addHelpText('after', '\nExample:\n  countersign automation trigger AUTOMATION --input service=web-01\n')
    .action(async (id: string, { input: inputs }: { input: Inputs }) => {
      const { client, output } = context();
      const run = await client().post('/v1/automations/{id}/trigger', { path: { id }, body: { inputs } });
      const why = run.error === null ? '' : `: ${oneLine(run.error.message)}`;
      output.result(run, [`${pc.bold('run')} ${run.id} is ${stateOf(run.state)}${why}`]);
    });
}
