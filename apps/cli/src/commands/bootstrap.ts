import { Option, type Command } from 'commander';
import type { Database } from '#lib/database';
import { FailureError, type Failure } from '#lib/kernel';
import { composedInstallation, makeBootstrapToken, withDatabase } from '../operator-database.js';
import { requireAbsent } from '../new-file.js';
import { moment, safe, type Output } from '../output.js';
import { writeNewSecretFile } from '../token-files.js';

interface BootstrapOptions {
  readonly admin?: string;
  readonly person?: string;
  readonly name?: string;
  readonly tenant?: string;
  readonly saveInvitation?: string;
}

const ADMIN_AGAIN = 'The person with the link makes a new passkey; every factor and token of that admin ends.';
const SOMEBODY =
  'The person with the link makes a passkey, and has a vote of their own. Somebody new has no role yet: assign one under Settings, People and roles. If they were here before, every factor and token that they had ends.';

/** `countersign bootstrap`: the ways in that only the operator of the machine can open. */
export function addBootstrapCommand(program: Command, outputOf: () => Output): void {
  program
    .command('bootstrap')
    .description('make a single-use token that founds a tenant, or a link that lets one person in; good for 24 hours')
    .addOption(
      new Option(
        '--admin <email>',
        'let this admin in again if they lost everything, also if an issuer is the only way in',
      ).conflicts('person'),
    )
    .option('--person <email>', 'let this person in by a link that no admin sees: they have a vote of their own')
    .option('--name <name>', 'with --person: the name of a person who is new here')
    .option('--tenant <slug>', 'of which tenant; may be left out if there is one')
    .option(
      '--save-invitation <file>',
      'keep the token in a file for `countersign enrol`, instead of a link (mode 0600; must not exist)',
    )
    .addHelpText(
      'after',
      '\nExamples:\n  countersign bootstrap\n  countersign bootstrap --admin ada@acme.example\n  countersign bootstrap --person lea@acme.example --name Lea --tenant acme\n',
    )
    .action(async (options: BootstrapOptions) => {
      const email = options.admin ?? options.person;
      await withDatabase(async (database) => {
        if (email === undefined) {
          const file = await makeBootstrapToken(database);
          outputOf().result({ file }, [
            `A bootstrap token is in ${file}. It works once, within 24 hours: paste it into the page /found, or run countersign found --help`,
          ]);
          return;
        }
        if (options.saveInvitation !== undefined) requireAbsent(options.saveInvitation);
        const { token, url, expiresAt } = await letIn(database, email, options);
        if (options.saveInvitation !== undefined) {
          await writeNewSecretFile(options.saveInvitation, token);
          outputOf().result({ file: options.saveInvitation }, [
            `A token for ${safe(email)} is in ${options.saveInvitation}. It works once; hand it to them, and to nobody else.`,
            `next: they run countersign enrol ${options.saveInvitation} --save-token FILE --scope read review run`,
          ]);
          return;
        }
        outputOf().result({ invitation_url: url, expires_at: expiresAt }, [
          `This link lets ${safe(email)} in. It works once, until ${moment(expiresAt)}: setting up a passkey uses it up, and opening it does not.`,
          url,
          'If the server has another COUNTERSIGN_PUBLIC_URL or COUNTERSIGN_PORT than this command, give the command the same.',
          `The audit log records that you made it, and every PlatformAdmin is told. ${options.person === undefined ? ADMIN_AGAIN : SOMEBODY}`,
        ]);
      });
    });
}

async function letIn(
  database: Database,
  email: string,
  options: BootstrapOptions,
): Promise<{ readonly token: string; readonly url: string; readonly expiresAt: string }> {
  const { identity, signIn } = await composedInstallation(database);
  const tenantId = await (options.tenant === undefined
    ? signIn.tenantDirectory.only()
    : signIn.tenantDirectory.bySlug(options.tenant));
  if (tenantId === null) throw new FailureError(whichTenant(options.tenant));
  const person = { email, admin: options.admin !== undefined, displayName: options.name ?? null };
  const made = await identity.letInByOperator.execute(tenantId, person);
  if (!made.ok) throw new FailureError(made.error);
  const url = signIn.addresses.invitationUrl(made.value.token);
  return { token: made.value.token, url, expiresAt: new Date(made.value.expiresAt).toISOString() };
}

const whichTenant = (slug: string | undefined): Failure => ({
  kind: 'not_found',
  code: 'operator.tenant',
  message: slug === undefined ? 'This installation has no tenant, or more than one.' : `There is no tenant ${slug}.`,
  action: 'Give the short name of one: --tenant SLUG. The first is founded with: countersign bootstrap',
});
