import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import pc from 'picocolors';
import type { JudgedAutomationView } from '#lib/api-schemas';
import { indented, moment, oneLine, safe, state as stateOf, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { addAutomationRuns } from './automation-runs.js';
import { addSafeList } from './automation-safe-list.js';
import { pageLines, paged, type PageOptions } from './read.js';

const blockedLines = (blocked: JudgedAutomationView['blocked']): string[] =>
  indented(blocked.map(({ step, message }) => pc.yellow(`${oneLine(step)} would be blocked: ${oneLine(message)}`)));

const sourceOf = (file: string, io: Pick<CommandContext['io'], 'readAll'>): Promise<string> =>
  file === '-' ? io.readAll() : readFile(file, 'utf8');

/** `countersign automation`: work that nobody watches. */
export function addAutomations(program: Command, context: () => CommandContext): void {
  const automation = program.command('automation').description('automations, which call tools while nobody watches');

  automation
    .command('validate')
    .description('check an automation that is saved nowhere, and say which steps would be blocked')
    .argument('<file>', 'its YAML, or - for standard input')
    .addHelpText('after', '\nExample:\n  countersign automation validate restart-web.yaml\n')
    .action(async (file: string) => {
      const { client, output, io } = context();
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
      const { client, output, io } = context();
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
      const { client, output, io } = context();
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
      const { client, output } = context();
      const withdrawn = await client().post('/v1/automations/{id}/withdraw', { path: { id } });
      output.result(withdrawn, [
        `${pc.bold('automation')} ${oneLine(withdrawn.name)} is withdrawn, and its name is free again.`,
      ]);
    });

  paged(automation.command('list').description('list automations, newest first'))
    .addHelpText('after', '\nExample:\n  countersign automation list\n')
    .action(async ({ limit, cursor }: PageOptions) => {
      const { client, output } = context();
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
      const { client, output } = context();
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
      const { client, output } = context();
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
      const { client, output, io } = context();
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
      const { client, output } = context();
      const disabled = await client().post('/v1/automations/{id}/disable', { path: { id } });
      output.result(disabled, [`${pc.bold('automation')} ${oneLine(disabled.name)} is disabled.`]);
    });

  addAutomationRuns(automation, context);

  automation
    .command('secret')
    .description('make the secret that signs messages to an automation, and show it once')
    .argument('<automation>', 'its id')
    .option('--revoke-earlier', 'refuse earlier secrets at once; otherwise they are good for another day')
    .addHelpText('after', '\nExample:\n  countersign automation secret AUTOMATION\n')
    .action(async (id: string, { revokeEarlier = false }: { revokeEarlier?: boolean }) => {
      const { client, output } = context();
      const body = { revoke_earlier: revokeEarlier };
      const made = await client().post('/v1/automations/{id}/secret', { path: { id }, body });
      const until = revokeEarlier ? 'are refused from now on' : `are good until ${moment(made.earlier_until)}`;
      output.result(made, [made.secret, `Earlier secrets ${until}. This one is not shown again.`]);
    });

  addSafeList(automation, context);
}
