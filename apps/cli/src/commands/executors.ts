import type { Command } from 'commander';
import pc from 'picocolors';
import { readSettings, settingNames } from '../executor-settings.js';
import { oneLine, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';

interface PutOptions {
  readonly kind?: string;
  readonly audience?: string;
  readonly sharedAudience?: boolean;
  readonly set: readonly string[];
}

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** `countersign executor`: the executors of an environment. */
export function addExecutors(program: Command, context: () => CommandContext): void {
  const executor = program.command('executor').description('executors, which carry out the tools of an environment');

  executor
    .command('list')
    .description('list the executors of an environment')
    .argument('<environment>', 'its name')
    .addHelpText('after', '\nExample:\n  countersign executor list production\n')
    .action(async (environment: string) => {
      const { client, output } = context();
      const found = await client().get('/v1/environments/{environment}/executors', { path: { environment } });
      const rows = found.executors.map(({ name, kind, destination, audience, secret, version }) => [
        name,
        kind,
        destination,
        audience,
        secret ?? '',
        `version ${String(version)}`,
      ]);
      const none = `Nothing executes tools in ${oneLine(environment)}.`;
      output.result(
        found,
        rows.length === 0 ? [none] : table(['executor', 'kind', 'destination', 'audience', 'secret', ''], rows),
      );
    });

  executor
    .command('kinds')
    .description('list the kinds of executors, and the settings of each')
    .addHelpText('after', '\nExample:\n  countersign executor kinds\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/executor-kinds');
      const rows = found.items.map((each) => [each.kind, each.title, settingNames(each).join(', ')]);
      output.result(found, table(['kind', 'executor', 'settings'], rows));
    });

  executor
    .command('put')
    .description('set the executors of tools; a changed address voids the approvals given for the old one')
    .argument('<environment>', 'its name')
    .argument('<name>', 'its name in the tool catalog')
    .option('--kind <kind>', 'a kind that `executor kinds` lists; the first if left out')
    .option('--set <name=value>', 'a setting of the kind, as `executor kinds` lists them; once for each', collect, [])
    .option(
      '--audience <name>',
      'the audience of grants, which the tool server checks; NAME.ENVIRONMENT if left out, such as fleet.production',
    )
    .option('--shared-audience', 'let executors of other environments have the same audience; each has to say so')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign executor put production fleet --set url=https://fleet.example/tools\n  countersign executor put production fleet --set url=https://fleet.example/tools --set secret=fleet-token@1\n',
    )
    .action(async (environment: string, name: string, options: PutOptions) => {
      const { client, output } = context();
      const { audience, sharedAudience, set } = options;
      const { items } = await client().get('/v1/executor-kinds');
      const kind = options.kind ?? items[0]?.kind ?? '';
      const put = await client().put('/v1/environments/{environment}/executors/{name}', {
        path: { environment, name },
        body: {
          ...readSettings(items, kind, set),
          kind,
          ...(audience === undefined ? {} : { audience }),
          ...(sharedAudience === undefined ? {} : { shared_audience: sharedAudience }),
        },
      });
      output.result(
        put,
        guardedLines(put, (done) => [
          `${pc.bold('executor')} ${oneLine(done.name)} of ${oneLine(done.environment)}: ${done.kind} ${oneLine(done.destination)}, audience ${oneLine(done.audience)}, version ${String(done.version)}`,
        ]),
      );
    });
}
