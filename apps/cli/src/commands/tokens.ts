import type { Command } from 'commander';
import { SCOPE_NAMES } from '#lib/formats';
import type { components } from '#lib/sdk';
import { CommandError, EXIT } from '../exit-codes.js';
import { requireAbsent } from '../new-file.js';
import { moment, oneLine, table, type Output } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { writeNewSecretFile } from '../token-files.js';
import { nameOfAgent, nameOfPerson, namesBehind } from '../who-asks.js';
import { pageLines, paged, wholeNumberTo, type PageOptions } from './read.js';

type Scope = (typeof SCOPE_NAMES)[number];
type Minted = components['schemas']['MintedToken'];

/** The credentials that one works with. A secret goes into a new file of mode 0600, and nowhere else. */
export function addTokens(program: Command, context: () => CommandContext): void {
  paged(
    program
      .command('tokens')
      .description(
        'list your credentials and those of your agents, without their secrets; as an admin, all credentials',
      ),
  )
    .addHelpText('after', '\nExample:\n  countersign tokens\n')
    .action(async (page: PageOptions) => {
      const { client, output } = context();
      const api = client();
      const found = await api.get('/v1/tokens', { query: { ...{ ...page } } });
      const agents = await namesBehind(
        api,
        found.items.map((token) => token.agent_id),
        nameOfAgent,
      );
      const people = await namesBehind(
        api,
        found.items.map((token) => token.person_id),
        nameOfPerson,
      );
      const rows = found.items.map((token) => [
        token.id,
        `${token.prefix}…`,
        token.kind.replace('_', ' '),
        agents.get(token.agent_id) ?? people.get(token.person_id) ?? '',
        token.name,
        token.scopes.join(' '),
        token.revoked_at === null ? `good until ${moment(token.expires_at)}` : 'revoked',
        token.last_used_at === null ? 'never used' : `used ${moment(token.last_used_at)}`,
      ]);
      const lines = table(['token', 'begins', 'kind', 'whose', 'name', 'scopes', '', ''], rows);
      output.result(found, pageLines('There is no token.', lines, rows.length, found.next_cursor));
    });

  program
    .command('token-revoke')
    .description('revoke a credential, at once')
    .argument('<token>', "the token's id")
    .addHelpText('after', '\nExample:\n  countersign token-revoke ID\n')
    .action(async (id: string) => {
      const { client, output } = context();
      await client().delete('/v1/tokens/{id}', { path: { id } });
      output.result({ id, revoked: true }, [`Token ${oneLine(id)} is revoked.`]);
    });

  program
    .command('token-mint')
    .description('make a further credential for yourself, no wider than the one in use and your roles')
    .requiredOption('--save-token <file>', 'the file to keep it in (mode 0600; must not exist)')
    .option('--scope <scope...>', 'its scopes; read if left out')
    .option('--name <name>', 'where it is used', 'command line')
    .option('--days <days>', 'how long it is good, at most 365; 90 if left out', wholeNumberTo(365))
    .addHelpText(
      'after',
      '\nExample:\n  countersign token-mint --scope read run --name laptop --days 30 --save-token laptop.token\n',
    )
    .action(async ({ saveToken, scope, name, days }: MintOptions) => {
      const { client, output } = context();
      requireAbsent(saveToken);
      const minted = await client().post('/v1/tokens', {
        body: {
          name,
          ...(scope === undefined ? {} : { scopes: scopesOf(scope) }),
          ...(days === undefined ? {} : { expires_in_days: days }),
        },
      });
      await keepToken(minted, saveToken, output);
    });
}

interface MintOptions {
  readonly saveToken: string;
  readonly scope?: string[];
  readonly name: string;
  readonly days?: number;
}

/** Keeps a new credential in its file, and tells its scopes. */
export async function keepToken(
  { id, token, scopes, expires_at }: Minted,
  file: string,
  output: Output,
): Promise<void> {
  await writeNewSecretFile(file, token);
  output.result({ id, file, scopes, expires_at }, [
    `The credential is in ${file}. It may be used for ${scopes.join(', ')}, until ${moment(expires_at)}.`,
  ]);
}

/** @throws {CommandError} */
export function scopesOf(names: readonly string[]): Scope[] {
  return names.map((name) => {
    const scope = SCOPE_NAMES.find((known) => known === name);
    if (scope !== undefined) return scope;
    const action = `There are ${SCOPE_NAMES.join(', ')}.`;
    throw new CommandError(EXIT.usage, `There is no scope ${oneLine(name)}.`, action, [], 'command.usage');
  });
}
