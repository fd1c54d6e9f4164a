import { Option, type Command } from 'commander';
import pc from 'picocolors';
import { itemsOf, type components, type CountersignClient } from '#lib/sdk';
import { CommandError, EXIT } from '../exit-codes.js';
import { moment, oneLine, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';
import { pageLines, paged, type PageOptions } from './read.js';

type Environment = components['schemas']['Environment'];

/** `countersign environment`: the environments of a tenant, and which of them are production. */
export function addEnvironments(program: Command, context: () => CommandContext): void {
  const environment = program.command('environment').description('environments, and which of them are production');

  paged(environment.command('list').description('list environments by name'))
    .addHelpText('after', '\nExamples:\n  countersign environment list\n  countersign --json environment list\n')
    .action(async (page: PageOptions) => {
      const { client, output } = context();
      const found = await client().get('/v1/environments', { query: { ...{ ...page } } });
      const rows = found.items.map(({ name, production, version, updated_at }) => [
        name,
        production ? 'production' : '',
        `version ${String(version)}`,
        moment(updated_at),
      ]);
      const lines = table(['environment', '', '', 'changed'], rows);
      output.result(found, pageLines('There is no environment.', lines, rows.length, found.next_cursor));
    });

  environment
    .command('create')
    .description('add an environment')
    .argument('<name>', 'lower-case letters, digits, _ and -')
    .option('--production', 'state changes here count as production', false)
    .addHelpText(
      'after',
      '\nExamples:\n  countersign environment create qa\n  countersign environment create production-eu --production\n',
    )
    .action(async (name: string, { production }: { production: boolean }) => {
      const { client, output } = context();
      const created = await client().post('/v1/environments', { body: { name, production } });
      output.result(created, [environmentLine(created)]);
    });

  environment
    .command('update')
    .description('set whether an environment is production; a change voids its approvals')
    .argument('<name>', 'the environment')
    .addOption(new Option('--production', 'state changes here count as production').conflicts('notProduction'))
    .option('--not-production', 'they do not: this loosens what agents may do there, and waits for a second person')
    .addHelpText('after', '\nExample:\n  countersign environment update staging --production\n')
    .action(async (name: string, options: { production?: true; notProduction?: true }) => {
      if (options.production === undefined && options.notProduction === undefined)
        throw new CommandError(
          EXIT.usage,
          'Say whether it is production.',
          'Add --production or --not-production.',
          [],
          'command.usage',
        );
      const { client, output } = context();
      const api = client();
      const standing = (await environmentsByName(api)).get(name);
      if (standing === undefined) {
        throw new CommandError(
          EXIT.usage,
          `There is no environment ${name}.`,
          '`countersign environment list` shows which there are.',
          [],
          'environment.not_found',
        );
      }
      const production = options.production === true;
      const changed = await api.patch('/v1/environments/{id}', {
        path: { id: standing.id },
        body: { production },
        ifMatch: `"${String(standing.version)}"`,
      });
      output.result(
        changed,
        guardedLines(changed, (done) => [environmentLine(done)]),
      );
    });
}

/** All of them: a tenant has a handful. */
async function environmentsByName(api: CountersignClient): Promise<Map<string, Environment>> {
  const byName = new Map<string, Environment>();
  for await (const environment of itemsOf((page) => api.get('/v1/environments', { query: page })))
    byName.set(environment.name, environment);
  return byName;
}

const environmentLine = ({ name, production, version }: Environment): string =>
  `${pc.bold('environment')} ${oneLine(name)} ${production ? 'is production' : 'is not production'}, version ${String(version)}`;
