import type { Command } from 'commander';
import pc from 'picocolors';
import type { z } from 'zod';
import type { addedRunnerSchema } from '#lib/api-schemas';
import { isWaiting } from '#lib/sdk';
import { writeNewSecretFile } from '../token-files.js';
import { requireAbsent } from '../new-file.js';
import { moment, oneLine } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';
import { runnerLines } from '../views/runner-view.js';
import { idOfRunner } from './work-filter.js';

type AddedRunner = z.infer<typeof addedRunnerSchema>;

interface AddOptions {
  readonly pool: string;
  readonly environment: readonly string[];
  readonly saveToken: string;
}

/** `countersign runner`: the machines of the tenant that fetch calls and carry them out. */
export function addRunners(program: Command, context: () => CommandContext): void {
  const runner = program.command('runner').description('runners, which carry out tools in your own network');

  runner
    .command('list')
    .description(
      'list runners, with their pools, the number of their tools, and warnings of calls that they do not get',
    )
    .addHelpText('after', '\nExample:\n  countersign runner list\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/runners');
      output.result(found, runnerLines(found.items));
    });

  runner
    .command('add')
    .description('add a runner to a pool, with the one-time token for its machine')
    .argument('<name>', 'its name')
    .requiredOption('--pool <pool>', 'the pool whose calls it takes')
    .requiredOption(
      '--environment <environment...>',
      'the environments that it may work in; it gets no call of any other',
    )
    .requiredOption('--save-token <file>', 'the file to keep the one-time token in (mode 0600; must not exist)')
    .addHelpText(
      'after',
      '\nIt waits for a second person, and the token opens nothing until then. It works once, within an hour.\n\nExample:\n  countersign runner add build-01 --pool builders --environment staging --save-token runner-token\n',
    )
    .action(async (name: string, { pool, environment, saveToken }: AddOptions) => {
      const { client, output } = context();
      requireAbsent(saveToken);
      const added = await client().post('/v1/runners', { body: { name, pool, environments: [...environment] } });
      await writeNewSecretFile(saveToken, added.enrolment_token);
      const { enrolment_token: _token, ...answer } = added;
      const kept = `The one-time token is in ${oneLine(saveToken)}: COUNTERSIGN_RUNNER_TOKEN_FILE on the runner's machine.`;
      const lines = guardedLines<AddedRunner>(added, (done) => [
        `${pc.bold('runner')} ${oneLine(done.name)} of the pool ${oneLine(done.pool)} in ${oneLine(done.environments.join(', '))}: ${done.id}`,
        `Start it before ${moment(done.expires_at)}.`,
      ]);
      const waiting = isWaiting(added) ? ['The token opens nothing until the change is confirmed.'] : [];
      output.result({ ...answer, token_file: saveToken }, [...lines, kept, ...waiting]);
    });

  runner
    .command('revoke')
    .description('refuse a runner and its keys from now on; the calls that it has taken count as unknown')
    .argument('<runner>', 'its name or id')
    .addHelpText('after', '\nExample:\n  countersign runner revoke build-01\n')
    .action(async (called: string) => {
      const { client, output } = context();
      const api = client();
      const id = await idOfRunner(api, called);
      const revoked = await api.post('/v1/runners/{id}/revoke', { path: { id } });
      output.result(revoked, [`${pc.bold('runner')} ${oneLine(revoked.name)} is revoked.`]);
    });
}
