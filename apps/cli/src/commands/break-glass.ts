import type { Command } from 'commander';
import pc from 'picocolors';
import type { IncidentDetailView, IncidentView, PlanDescription } from '#lib/api-schemas';
import type { IncidentState } from '#lib/formats';
import { CommandError, EXIT } from '../exit-codes.js';
import { counted, indented, moment, oneLine, quoted, state, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { stepUp } from '../step-up.js';
import { doneLines } from '../views/calls-view.js';
import { notifiedLines } from '../views/destination-view.js';
import { pageLines, paged, type PageOptions } from './read.js';
import { filtered, queryOf, type WorkOptions } from './work-filter.js';

const help = `
It executes the plan at once, without an approval, and past autonomy mode,
freezes and simulation. An incident opens, and Countersign tells the
destinations that the autonomy document names. Another person reviews the
incident afterwards. You type a code of your authenticator app.

Example:
  countersign break-glass PLAN --justification "The primary database is down and customers cannot pay."
`;

/** `countersign break-glass` and `countersign incident`: an emergency, and its incident. */
export function addBreakGlass(program: Command, context: () => CommandContext): void {
  program
    .command('break-glass')
    .description('execute a plan at once, on your own responsibility; opens an incident')
    .argument('<plan>', 'the plan')
    .requiredOption('--justification <text>', 'why this cannot wait')
    .addHelpText('after', help)
    .action(async (planId: string, { justification }: { justification: string }) => {
      const { client, output, io } = context();
      const api = client();
      // With the justification, so that filler is refused before a code is typed.
      const found = await api.post('/v1/break-glass/availability', { body: { plan_id: planId, justification } });
      if (!found.available) {
        const why = found.reasons.map(({ message }) => message).join('; ');
        const message = `Break-glass is not available: ${why}.`;
        const action = 'Fix the problems named above, or have the plan approved.';
        throw new CommandError(EXIT.refused, message, action, [], 'break_glass.unavailable');
      }
      const what = { plan_id: planId, plan_digest: found.plan_digest, justification };
      const { description } = await api.get('/v1/plans/{id}', { path: { id: planId } });
      if (description !== null)
        output.note([pc.bold(oneLine(description.headline)), ...indented(doneLines(description))].join('\n'));
      output.note(notifiedLines(found.notified).join('\n'));
      const stepUpId = await stepUp(api, { output, io }, { kind: 'break_glass', ...what });
      const broken = await api.post('/v1/break-glass', { body: { ...what, step_up_id: stepUpId } });
      output.result(broken, [
        `${pc.red(pc.bold('BREAK-GLASS'))}: run ${broken.run_id} has begun`,
        `incident ${broken.incident_id} is open; follow the run with: countersign watch ${broken.run_id}`,
      ]);
    });

  const incident = program.command('incident').description('incidents, which break-glass opens');
  filtered(paged(incident.command('list').description('list incidents, newest first')))
    .option('--state <state>', 'open, acknowledged, resolved or reviewed')
    .action(
      async ({ limit, cursor, state: wanted, ...filter }: PageOptions & WorkOptions & { state?: IncidentState }) => {
        const { client, output } = context();
        const query = await queryOf(client(), filter);
        const found = await client().get('/v1/incidents', { query: { ...query, limit, cursor, state: wanted } });
        const rows = found.items.map((item) => [
          item.id,
          item.state,
          item.environment.name,
          item.invoked_by.display_name,
          moment(item.opened_at),
          item.overdue ? { text: 'overdue', colour: pc.red } : `review by ${moment(item.review_due_at)}`,
          item.headline ?? '',
        ]);
        const lines = table(['incident', '', 'in', 'by', 'since', '', 'what is done'], rows, [1]);
        output.result(found, pageLines('There is no incident.', lines, rows.length, found.next_cursor));
      },
    );
  incident
    .command('show')
    .description('show an incident with its timeline')
    .argument('<incident>', 'the incident')
    .action(async (id: string) => {
      const { client, output } = context();
      const api = client();
      const found = await api.get('/v1/incidents/{id}', { path: { id } });
      const { description } = await api.get('/v1/plans/{id}', { path: { id: found.plan_id } });
      output.result(found, detailLines(found, description));
    });

  const act = (
    name: string,
    what: string,
    option: { readonly flag: string; readonly meaning: string } | null,
    send: (api: ReturnType<CommandContext['client']>, id: string, text: string) => Promise<IncidentView>,
  ): void => {
    const command = incident.command(name).description(what).argument('<incident>', 'the incident');
    if (option !== null) command.requiredOption(`--${option.flag} <text>`, option.meaning);
    command.action(async (id: string, options: Record<string, string | undefined>) => {
      const { client, output } = context();
      const after = await send(client(), id, Object.values(options)[0] ?? '');
      output.result(after, [`incident ${after.id} is ${state(after.state)}`]);
    });
  };
  act('ack', 'take an incident on', null, (api, id) =>
    api.post('/v1/incidents/{id}/acknowledge', { path: { id }, body: {} }),
  );
  act('note', 'add to its timeline', { flag: 'text', meaning: 'the note' }, (api, id, text) =>
    api.post('/v1/incidents/{id}/notes', { path: { id }, body: { text } }),
  );
  act(
    'resolve',
    'say that it is over',
    { flag: 'post-mortem', meaning: 'what happened, and what follows from it' },
    (api, id, text) => api.post('/v1/incidents/{id}/resolve', { path: { id }, body: { post_mortem: text } }),
  );
  act(
    'review',
    'review the post-mortem; never of your own break-glass',
    { flag: 'comment', meaning: 'your findings' },
    (api, id, text) => api.post('/v1/incidents/{id}/review', { path: { id }, body: { comment: text } }),
  );
}

function detailLines(incident: IncidentDetailView, description: PlanDescription | null): string[] {
  return [
    `${pc.red('break-glass')} in ${incident.environment.name} by ${oneLine(incident.invoked_by.display_name)}: ${state(incident.state)}`,
    `run ${incident.run_id} is ${state(incident.run_state)}, plan ${incident.plan_id}`,
    ...(description === null
      ? []
      : [
          pc.bold(oneLine(`executed without an approval: ${description.headline}`)),
          ...indented(doneLines(description)),
        ]),
    'In their words:',
    ...quoted(incident.justification),
    incident.overdue ? pc.red('Its review is overdue.') : `To be reviewed by ${moment(incident.review_due_at)}.`,
    '',
    `${counted(incident.timeline.length, 'entry', 'entries')}:`,
    ...indented(
      incident.timeline.flatMap((event) => [
        `${moment(event.at)}  ${event.kind}, ${oneLine(event.actor.display_name)}`,
        ...quoted(event.text),
      ]),
    ),
  ];
}
