import { Option, type Command } from 'commander';
import type { RunView } from '#lib/api-schemas';
import type { CountersignClient } from '#lib/sdk';
import { CommandError, EXIT } from '../exit-codes.js';
import { oneLine } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { standingLines } from '../views/run-view.js';

type Control = (api: CountersignClient, id: string, note: string | undefined) => Promise<RunView>;

const controls: readonly { readonly name: string; readonly what: string; readonly control: Control }[] = [
  {
    name: 'pause',
    what: 'let the calls under way end, then wait',
    control: (api, id, note) => api.post('/v1/runs/{id}/pause', { path: { id }, body: { note } }),
  },
  {
    name: 'resume',
    what: 'go on after a pause',
    control: (api, id, note) => api.post('/v1/runs/{id}/resume', { path: { id }, body: { note } }),
  },
  {
    name: 'cancel',
    what: 'let the calls under way end, then stop; steps taken stay as they are',
    control: (api, id, note) => api.post('/v1/runs/{id}/cancel', { path: { id }, body: { note } }),
  },
  {
    name: 'roll-back',
    what: 'undo the steps taken, the last one first',
    control: (api, id, note) => api.post('/v1/runs/{id}/roll-back', { path: { id }, body: { note } }),
  },
];

interface ResolveOptions {
  readonly happened?: boolean;
  readonly didNot?: boolean;
  readonly retry?: boolean;
  readonly note: string;
}

/** `countersign run`: execute an approved plan, and control that. */
export function addRun(program: Command, context: () => CommandContext): void {
  const run = program.command('run').description('execute an approved plan, and control its run');

  run
    .command('start')
    .description('execute a plan that is approved, or needs no approval')
    .argument('<plan>', 'the plan')
    .addHelpText('after', '\nExample:\n  countersign run start PLAN\n')
    .action(async (plan: string) => {
      const { client, output } = context();
      const started = await client().post('/v1/plans/{id}/runs', { path: { id: plan } });
      output.result(started, [...standingLines(started), `next: countersign watch ${started.id}`]);
    });

  for (const { name, what, control } of controls) {
    run
      .command(name)
      .description(what)
      .argument('<run>', 'the run')
      .option('--note <text>', 'why; stands in the run and in the audit log')
      .addHelpText('after', `\nExample:\n  countersign run ${name} RUN --note "..."\n`)
      .action(async (id: string, options: { note?: string }) => {
        const { client, output } = context();
        const changed = await control(client(), id, options.note);
        output.result(changed, standingLines(changed));
      });
  }

  run
    .command('resolve')
    .description('resolve a step whose effect is unknown')
    .argument('<run>', 'the run')
    .argument('<step>', 'the step: its id, or its name if only one step of that name is unknown')
    .addOption(new Option('--happened', 'it took effect').conflicts(['didNot', 'retry']))
    .addOption(new Option('--did-not', 'it did not take effect').conflicts('retry'))
    .option('--retry', 'do it again; only if doing it twice does no harm')
    .requiredOption('--note <text>', 'how you know')
    .addHelpText(
      'after',
      '\nExample:\n  countersign run resolve RUN rollout --happened --note "Saw the new image on web-07."\n',
    )
    .action(async (id: string, step: string, options: ResolveOptions) => {
      const effect = effectOf(options);
      const { client, output } = context();
      const api = client();
      const resolved = await api.post('/v1/runs/{id}/steps/{stepId}/resolve', {
        path: { id, stepId: await stepIdOf(api, id, step) },
        body: { effect, note: options.note },
      });
      output.result(resolved, [
        ...standingLines(resolved),
        `next: countersign run resume ${id}, or countersign run roll-back ${id}`,
      ]);
    });
}

/** @throws {CommandError} */
function effectOf({ happened, didNot, retry }: ResolveOptions): 'happened' | 'did_not' | 'retry' {
  if (happened === true) return 'happened';
  if (didNot === true) return 'did_not';
  if (retry === true) return 'retry';
  throw new CommandError(
    EXIT.usage,
    'Say whether the call happened.',
    'Use --happened, --did-not or --retry.',
    [],
    'command.usage',
  );
}

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** @throws {CommandError} if the name fits no unknown step of the run, or several. */
async function stepIdOf(api: CountersignClient, runId: string, step: string): Promise<string> {
  if (ID.test(step)) return step;
  const { steps } = await api.get('/v1/runs/{id}', { path: { id: runId } });
  const [first, ...more] = steps.filter((candidate) => candidate.step_id === step && candidate.state === 'unknown');
  if (first !== undefined && more.length === 0) return first.id;
  throw new CommandError(
    EXIT.usage,
    first === undefined
      ? `No step ${oneLine(step)} of this run is unknown.`
      : `${String(more.length + 1)} steps ${oneLine(step)} of this run are unknown.`,
    `Take the step's id from: countersign show run ${runId}`,
    [],
    first === undefined ? 'run.step_not_unknown' : 'run.step_ambiguous',
  );
}
