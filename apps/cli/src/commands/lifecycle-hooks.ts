import { readFileSync } from 'node:fs';
import { Argument, type Command } from 'commander';
import pc from 'picocolors';
import type { HookExecutionView, LifecycleHooksView, LifecycleHookView } from '#lib/api-schemas';
import { moment, oneLine, table, type Cell } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';

const STATES = ['pending', 'sent', 'succeeded', 'failed', 'refused', 'expired'] as const;

function colouredState(state: HookExecutionView['state']): Cell {
  if (state === 'succeeded') return { text: state, colour: pc.green };
  return state === 'pending' || state === 'sent' ? state : { text: state, colour: pc.yellow };
}

/** The first line of the printed YAML: a later put names it, so that it replaces no change made meanwhile. */
const ETAG_LINE = /^# etag: ("[0-9a-f]{64}")$/m;

const actionOf = ({ action }: LifecycleHookView): string =>
  oneLine(action.type === 'log' ? `log: ${action.message}` : action.command.join(' '));

const hookLines = (items: readonly LifecycleHookView[]): readonly string[] =>
  items.length === 0
    ? ['There is no lifecycle hook.']
    : table(
        ['name', 'event', 'matcher', 'action', '', 'latest'],
        items.map((hook) => [
          hook.name,
          hook.event,
          oneLine(hook.matcher),
          actionOf(hook),
          hook.enabled ? { text: 'on', colour: pc.green } : 'off',
          hook.latest === null ? '' : colouredState(hook.latest.state),
        ]),
      );

/** `countersign lifecycle-hook`: what is done at events. */
export function addLifecycleHooks(program: Command, context: () => CommandContext): void {
  const hooks = program
    .command('lifecycle-hook')
    .description('what is done at events: entries of the log, and programs of runners');

  hooks
    .command('list')
    .description('list the hooks, each with its latest execution')
    .addHelpText('after', '\nExample:\n  countersign lifecycle-hook list\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/lifecycle-hooks');
      output.result(found, hookLines(found.items));
    });

  hooks
    .command('show')
    .description('show the hooks as YAML; its first line tells put which hooks it replaces')
    .addHelpText('after', '\nExample:\n  countersign lifecycle-hook show > hooks.yaml\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/lifecycle-hooks');
      output.result(found, [`# etag: ${found.etag}`, ...found.source.trimEnd().split('\n')]);
    });

  hooks
    .command('put')
    .description('put the hooks of a file in force, in place of those before')
    .argument('<file>', 'YAML')
    .addHelpText(
      'after',
      '\nA command hook that is new, changed or switched on waits for a second person, if there is one. A file printed by show is refused if the hooks were changed after it. Without its first line, it replaces any.\n\nExample:\n  countersign lifecycle-hook put hooks.yaml\n',
    )
    .action(async (file: string) => {
      const { client, output } = context();
      const source = readFileSync(file, 'utf8');
      const ifMatch = ETAG_LINE.exec(source)?.[1] ?? (await client().get('/v1/lifecycle-hooks')).etag;
      const put = await client().put('/v1/lifecycle-hooks', { body: { source }, ifMatch });
      output.result(
        put,
        guardedLines<LifecycleHooksView>(put, ({ items }) => hookLines(items)),
      );
    });

  for (const [name, enabled] of [
    ['on', true],
    ['off', false],
  ] as const) {
    hooks
      .command(name)
      .description(`switch a hook ${name}`)
      .argument('<name>', 'the hook')
      .addHelpText('after', `\nExample:\n  countersign lifecycle-hook ${name} notify-on-error\n`)
      .action(async (hook: string) => {
        const { client, output } = context();
        const put = await client().put('/v1/lifecycle-hooks/{name}/enabled', {
          path: { name: hook },
          body: { enabled },
        });
        output.result(
          put,
          guardedLines<LifecycleHookView>(put, (done) => [`${done.name} is ${name}.`]),
        );
      });
  }

  hooks
    .command('executions')
    .description('list the executions of the last thirty days')
    .addArgument(new Argument('[name]', 'of one hook'))
    .option('--state <state>', STATES.join(', '))
    .addHelpText('after', '\nExample:\n  countersign lifecycle-hook executions --state failed\n')
    .action(async (hook: string | undefined, { state }: { state?: HookExecutionView['state'] }) => {
      const { client, output } = context();
      const found = await client().get('/v1/lifecycle-hooks/executions', { query: { hook, state } });
      const rows = found.items.map((each) => [
        each.hook,
        each.event,
        colouredState(each.state),
        moment(each.created_at),
        oneLine((each.fault?.message ?? each.output ?? '').trimEnd()),
      ]);
      output.result(
        found,
        rows.length === 0 ? ['Nothing was executed.'] : table(['hook', 'event', 'state', 'at', ''], rows),
      );
    });
}
