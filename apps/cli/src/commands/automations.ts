import { readFile } from 'node:fs/promises';
import { InvalidArgumentError, type Command } from 'commander';
import pc from 'picocolors';
import type { JudgedAutomationView, SafeListEntryView } from '#lib/api-schemas';
import { indented, moment, oneLine, safe, state as stateOf, table } from '../output.js';
import type { Session } from '../session.js';
import { guardedLines } from '../views/change-view.js';
import { addEvidence } from './evidence.js';
import { pageLines, paged, type PageOptions } from './read.js';

interface ToolAtVersion {
  readonly name: string;
  readonly version: number;
}

function toolAtVersion(text: string): ToolAtVersion {
  const [, name, version] = /^([^@\s]+)@([1-9][0-9]{0,8})$/.exec(text) ?? [];
  if (name === undefined)
    throw new InvalidArgumentError('It is the name of a tool and its version: restart_service@3.');
  return { name, version: Number(version) };
}

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

const blockedLines = (blocked: JudgedAutomationView['blocked']): string[] =>
  indented(blocked.map(({ step, message }) => pc.yellow(`${oneLine(step)} would be blocked: ${oneLine(message)}`)));

const sourceOf = (file: string, io: Pick<Session['io'], 'readAll'>): Promise<string> =>
  file === '-' ? io.readAll() : readFile(file, 'utf8');

/** `countersign automation`: work that nobody watches. */
export function addAutomations(program: Command, session: () => Session): void {
  const automation = program.command('automation').description('automations, which call tools while nobody watches');

  automation
    .command('validate')
    .description('check an automation that is saved nowhere, and say which steps would be blocked')
    .argument('<file>', 'its YAML, or - for standard input')
    .addHelpText('after', '\nExample:\n  countersign automation validate restart-web.yaml\n')
    .action(async (file: string) => {
      const { client, output, io } = session();
      const checked = await client().post('/v1/automations/validate', { body: { source: await sourceOf(file, io) } });
      output.result(checked, ['The automation is valid.', ...blockedLines(checked.blocked)]);
    });

  automation
    .command('preview')
    .description('say what an automation would have done in the last thirty days; nothing is executed')
    .argument('<file>', 'its YAML, or - for standard input')
    .option('--automation <id>', 'the automation that it belongs to: its own events start nothing')
    .option('--cursor <cursor>', 'the next_cursor of the page before')
    .addHelpText('after', '\nExample:\n  countersign automation preview restart-web.yaml\n')
    .action(async (file: string, { automation: id, cursor }: { automation?: string; cursor?: string }) => {
      const { client, output, io } = session();
      const body = { source: await sourceOf(file, io), ...(id === undefined ? {} : { automation_id: id }) };
      const page = await client().post('/v1/automations/preview', { query: { cursor }, body });
      const rows = page.items.map(({ at, event, inputs, errors, blocked }) => [
        ...[moment(at), event === null ? 'schedule' : oneLine(event), oneLine(JSON.stringify(inputs ?? {}))],
        oneLine(
          [
            ...errors.map(({ input, message }) => `${input}: ${message}`),
            ...(blocked ?? []).map(({ step, message }) => `${step} would be blocked: ${message}`),
          ].join('; '),
        ),
      ]);
      const lines = table(['at', 'by', 'inputs', 'why not'], rows);
      const none =
        'No schedule and no event of the last thirty days would have started a run. Requests of other systems are not kept, so none is shown.';
      output.result(page, pageLines(none, lines, rows.length, page.next_cursor));
    });

  automation
    .command('propose')
    .description('propose an automation; it does nothing before an admin enables it')
    .argument('<file>', 'its YAML, or - for standard input')
    .addHelpText('after', '\nExample:\n  countersign automation propose restart-web.yaml\n')
    .action(async (file: string) => {
      const { client, output, io } = session();
      const source = await sourceOf(file, io);
      const proposed = await client().post('/v1/automations', { body: { source } });
      const lines = [`${pc.bold('automation')} ${oneLine(proposed.name)} is proposed: ${proposed.id}`];
      output.result(proposed, [...lines, ...blockedLines(proposed.blocked)]);
    });

  automation
    .command('withdraw')
    .description('withdraw an automation that you proposed, before an admin enables it')
    .argument('<automation>', 'its id')
    .addHelpText('after', '\nExample:\n  countersign automation withdraw AUTOMATION\n')
    .action(async (id: string) => {
      const { client, output } = session();
      const withdrawn = await client().post('/v1/automations/{id}/withdraw', { path: { id } });
      output.result(withdrawn, [
        `${pc.bold('automation')} ${oneLine(withdrawn.name)} is withdrawn, and its name is free again.`,
      ]);
    });

  paged(automation.command('list').description('list automations, newest first'))
    .addHelpText('after', '\nExample:\n  countersign automation list\n')
    .action(async ({ limit, cursor }: PageOptions) => {
      const { client, output } = session();
      const page = await client().get('/v1/automations', { query: { limit, cursor } });
      const rows = page.items.map(({ id, name, environment, state, next_at: nextAt }) => [
        ...[oneLine(name), oneLine(environment.name), state, nextAt === null ? '' : moment(nextAt), id],
      ]);
      const lines = table(['automation', 'environment', 'state', 'next', ''], rows, [2]);
      output.result(page, pageLines('There is no automation.', lines, rows.length, page.next_cursor));
    });

  automation
    .command('show')
    .description('show an automation with its source')
    .argument('<automation>', 'its id')
    .addHelpText('after', '\nExample:\n  countersign automation show AUTOMATION\n')
    .action(async (id: string) => {
      const { client, output } = session();
      const found = await client().get('/v1/automations/{id}', { path: { id } });
      output.result(found, [
        `${pc.bold('automation')} ${oneLine(found.name)} in ${oneLine(found.environment.name)}: ${stateOf(found.state)}`,
        `revision ${String(found.revision)} by ${oneLine(found.author.display_name)}, source ${found.source_sha256}`,
        '',
        ...safe(found.source).split('\n'),
      ]);
    });

  automation
    .command('enable')
    .description('let an automation run, as an agent that you are accountable for')
    .argument('<automation>', 'its id')
    .requiredOption('--source <sha256>', 'the source that you saw, as show prints it')
    .addHelpText('after', '\nExample:\n  countersign automation enable AUTOMATION --source SHA256\n')
    .action(async (id: string, { source }: { source: string }) => {
      const { client, output } = session();
      const body = { source_sha256: source };
      const enabled = await client().post('/v1/automations/{id}/enable', { path: { id }, body });
      const next = enabled.next_at === null ? '' : `, and runs next at ${moment(enabled.next_at)}`;
      output.result(enabled, [`${pc.bold('automation')} ${oneLine(enabled.name)} is enabled${next}.`]);
    });

  automation
    .command('change')
    .description('put another source in force, under the same name')
    .argument('<automation>', 'its id')
    .argument('<file>', 'its new YAML, or - for standard input')
    .requiredOption('--source <sha256>', 'the source that it replaces, as show prints it')
    .addHelpText('after', '\nExample:\n  countersign automation change AUTOMATION restart-web.yaml --source SHA256\n')
    .action(async (id: string, file: string, { source: seen }: { source: string }) => {
      const { client, output, io } = session();
      const body = { source: await sourceOf(file, io), source_sha256: seen };
      const changed = await client().put('/v1/automations/{id}', { path: { id }, body });
      const lines = [`${pc.bold('automation')} ${oneLine(changed.name)} is at revision ${String(changed.revision)}.`];
      output.result(changed, [...lines, ...blockedLines(changed.blocked)]);
    });

  automation
    .command('disable')
    .description('stop an automation; a run that goes on makes no further step')
    .argument('<automation>', 'its id')
    .addHelpText('after', '\nExample:\n  countersign automation disable AUTOMATION\n')
    .action(async (id: string) => {
      const { client, output } = session();
      const disabled = await client().post('/v1/automations/{id}/disable', { path: { id } });
      output.result(disabled, [`${pc.bold('automation')} ${oneLine(disabled.name)} is disabled.`]);
    });

  paged(automation.command('runs').description('list the runs of an automation, newest first'))
    .argument('<automation>', 'its id')
    .addHelpText('after', '\nExample:\n  countersign automation runs AUTOMATION\n')
    .action(async (id: string, { limit, cursor }: PageOptions) => {
      const { client, output } = session();
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
      const { client, output } = session();
      const found = await client().get('/v1/automations/{id}/runs/{run}', { path: { id, run } });
      const rows = found.steps.map(({ step, state, error }) => [oneLine(step), state, oneLine(error?.message ?? '')]);
      const why = found.error === null ? '' : ` ${oneLine(found.error.message)}`;
      output.result(found, [
        `${pc.bold('run')} of ${moment(found.due_at)}, revision ${String(found.revision)}: ${stateOf(found.state)}.${why}`,
        ...(rows.length === 0 ? [] : table(['step', 'state', 'why'], rows)),
      ]);
    });

  addEvidence(automation, session, 'run');

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
      const { client, output } = session();
      const run = await client().post('/v1/automations/{id}/trigger', { path: { id }, body: { inputs } });
      const why = run.error === null ? '' : `: ${oneLine(run.error.message)}`;
      output.result(run, [`${pc.bold('run')} ${run.id} is ${stateOf(run.state)}${why}`]);
    });

  automation
    .command('secret')
    .description('make the secret that signs messages to an automation, and show it once')
    .argument('<automation>', 'its id')
    .option('--revoke-earlier', 'refuse earlier secrets at once; otherwise they are good for another day')
    .addHelpText('after', '\nExample:\n  countersign automation secret AUTOMATION\n')
    .action(async (id: string, { revokeEarlier = false }: { revokeEarlier?: boolean }) => {
      const { client, output } = session();
      const body = { revoke_earlier: revokeEarlier };
      const made = await client().post('/v1/automations/{id}/secret', { path: { id }, body });
      const until = revokeEarlier ? 'are refused from now on' : `are good until ${moment(made.earlier_until)}`;
      output.result(made, [made.secret, `Earlier secrets ${until}. This one is not shown again.`]);
    });

  automation
    .command('safe-tools')
    .description('list every tool with its tier, and whether an automation may call it')
    .requiredOption('--environment <name>', 'the environment that the calls are aimed at')
    .addHelpText('after', '\nExample:\n  countersign automation safe-tools --environment staging\n')
    .action(async ({ environment }: { environment: string }) => {
      const { client, output } = session();
      const found = await client().get('/v1/automations/safe-tools', { query: { environment } });
      const rows = found.items.map(({ tool, version, tier, safe: isSafe, reasons }) => [
        `${oneLine(tool)}@${String(version)}`,
        tier,
        isSafe ? 'safe' : 'blocked',
        oneLine(reasons.map(({ message }) => message).join('; ')),
      ]);
      output.result(found, rows.length === 0 ? ['There is no tool.'] : table(['tool', 'tier', '', 'why'], rows));
    });

  automation
    .command('safe-list')
    .description('list the tools of the modify tier that automations may call')
    .addHelpText('after', '\nExample:\n  countersign automation safe-list\n')
    .action(async () => {
      const { client, output } = session();
      const found = await client().get('/v1/automation-safe-list');
      const rows = found.items.map(({ tool, version, risk, counts, added_at: addedAt }) => [
        `${oneLine(tool)}@${String(version)}`,
        risk,
        moment(addedAt),
        counts ? '' : 'the tool has changed since',
      ]);
      output.result(found, rows.length === 0 ? ['The list is empty.'] : table(['tool', 'risk', 'added', ''], rows));
    });

  automation
    .command('safe-add')
    .description('put a tool on the list, at the version that you looked at')
    .argument('<tool>', 'its name and version: restart_service@3', toolAtVersion)
    .addHelpText(
      'after',
      '\nIt waits for a second person. A tool that changes afterwards drops out by itself.\n\nExample:\n  countersign automation safe-add restart_service@3\n',
    )
    .action(async ({ name, version }: ToolAtVersion) => {
      const { client, output } = session();
      const added = await client().put('/v1/automation-safe-list/{name}', { path: { name }, body: { version } });
      const lines = guardedLines<SafeListEntryView>(added, (done) => [
        `Automations may call ${pc.bold(oneLine(done.tool))}, version ${String(done.version)}.`,
      ]);
      output.result(added, lines);
    });

  automation
    .command('safe-remove')
    .description('take a tool off the list, at once')
    .argument('<tool>', 'its name')
    .addHelpText('after', '\nExample:\n  countersign automation safe-remove restart_service\n')
    .action(async (name: string) => {
      const { client, output } = session();
      await client().delete('/v1/automation-safe-list/{name}', { path: { name } });
      output.result({ removed: name }, [`Automations may not call ${pc.bold(oneLine(name))} any more.`]);
    });
}
