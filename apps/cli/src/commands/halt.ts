import type { Command } from 'commander';
import pc from 'picocolors';
import type { CreateHaltBody, HaltView } from '#lib/api-schemas';
import type { CountersignClient } from '#lib/sdk';
import { counted, indented, moment, oneLine, state, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { namesText } from '../views/names.js';
import { pageLines, paged } from './read.js';
import { idOfAgent } from './work-filter.js';

/** `countersign halt`: stop a tenant, an environment, an agent or a tool, at once. */
export function addHalt(program: Command, context: () => CommandContext): void {
  const halt = program.command('halt').description('stop a tenant, an environment, an agent or a tool, at once');
  const add = (
    kind: string,
    argument: string | null,
    what: string,
    bodyOf: (name: string, reason: string, api: CountersignClient) => CreateHaltBody | Promise<CreateHaltBody>,
  ): void => {
    const command = halt.command(kind).description(what);
    if (argument !== null) command.argument(`<${argument}>`, `the ${kind}`);
    command
      .requiredOption('--reason <text>', 'why')
      .addHelpText(
        'after',
        `\nExample:\n  countersign halt ${kind}${argument === null ? '' : ` ${argument.toUpperCase()}`} --reason "..."\n`,
      )
      .action(async () => {
        const { client, output } = context();
        const api = client();
        const set = await api.post('/v1/halts', {
          body: await bodyOf(command.args[0] ?? '', command.opts<{ reason: string }>().reason, api),
        });
        output.result(set, [
          ...haltLines(set),
          `a person who is PlatformAdmin or SRELead lifts it with: countersign halt-lift ${set.id} --note "..."`,
        ]);
      });
  };
  add('tenant', null, 'stop everything', (_, reason) => ({ kind: 'tenant', reason }));
  add('environment', 'name', 'stop all work in an environment', (environment, reason) => ({
    kind: 'environment',
    environment,
    reason,
  }));
  add('agent', 'agent', 'stop all work of an agent, by its name or id', async (called, reason, api) => ({
    kind: 'agent',
    agent_id: await idOfAgent(api, called),
    reason,
  }));
  add('tool', 'name', 'stop every call of a tool', (tool, reason) => ({ kind: 'tool', tool, reason }));

  paged(program.command('halts').description('list the halts in force'))
    .option('--all', 'those that were lifted, too')
    .addHelpText('after', '\nExamples:\n  countersign halts\n  countersign halts --all\n')
    .action(async ({ all, ...page }: { all?: boolean; limit: number; cursor?: string }) => {
      const { client, output } = context();
      const found = await client().get('/v1/halts', {
        query: { ...page, ...(all === true ? {} : { active: 'true' }) },
      });
      const rows = found.items.map((item) => [
        item.id,
        item.active ? 'in force' : 'lifted',
        subjectOf(item),
        moment(item.created_at),
        item.created_by.display_name,
        item.reason,
      ]);
      const lines = table(['halt', '', 'of', 'since', 'by', 'why'], rows);
      output.result(found, pageLines('No halt is in force.', lines, rows.length, found.next_cursor));
    });

  program
    .command('halt-lift')
    .description('lift a halt, as PlatformAdmin or SRELead; paused runs stay paused until somebody resumes them')
    .argument('<halt>', 'the halt')
    .requiredOption('--note <text>', 'why it is safe to go on')
    .addHelpText('after', '\nExample:\n  countersign halt-lift HALT --note "The fleet is healthy again."\n')
    .action(async (id: string, options: { note: string }) => {
      const { client, output } = context();
      const lifted = await client().post('/v1/halts/{id}/lift', { path: { id }, body: { note: options.note } });
      output.result(lifted, [`The halt of ${subjectOf(lifted)} is lifted.`]);
    });
}

function subjectOf({ kind, environment, agent_id: agent, tool }: HaltView): string {
  if (kind === 'tenant') return 'everything';
  return `${kind} ${oneLine(environment?.name ?? agent ?? tool ?? '')}`;
}

/** The runs and grants that the halt stopped, and the calls that had left before it. */
function haltLines(halt: HaltView): string[] {
  const { paused_runs: paused, revoked_grants: revoked, denied_calls: denied, in_flight: left } = halt.effect;
  return [
    `${pc.red('halted')} ${subjectOf(halt)}: halt ${halt.id}`,
    `${counted(paused.length, 'run')} asked to pause, ${counted(revoked, 'grant')} revoked`,
    ...indented(paused),
    ...(denied.length === 0 ? [] : [`${counted(denied.length, 'allowed call')} denied`]),
    ...(left.length === 0 ? [] : [pc.yellow(`${counted(left.length, 'call')} had already left:`)]),
    ...indented(
      left.map(
        (call) =>
          `${[oneLine(call.tool), ...(call.targets.length === 0 ? [] : [`on ${namesText(call.targets)}`])].join(' ')}, ${state(call.state)}, ${'run_id' in call ? `run ${call.run_id}` : `call ${call.tool_call_id}`}`,
      ),
    ),
  ];
}
