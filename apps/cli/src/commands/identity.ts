import type { Command } from 'commander';
import { CountersignClient } from '#lib/sdk';
import { CommandError, EXIT } from '../exit-codes.js';
import { requireAbsent } from '../new-file.js';
import { fields, oneLine, safe } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { scopesOf } from './tokens.js';
import { bootstrapTokenFile, readSecretFile, writeNewSecretFile } from '../token-files.js';

const ADMIN_SCOPES = ['read', 'run', 'halt', 'audit', 'admin'] as const;

/** Commands that make credentials. */
export function addIdentityCommands(program: Command, context: () => CommandContext): void {
  program
    .command('found')
    .description('found a tenant and its first admin with the bootstrap token of a server')
    .argument('<slug>', 'short name of the tenant, a DNS label')
    .requiredOption('--name <name>', 'name of the tenant')
    .requiredOption('--email <email>', "the first admin's e-mail address")
    .requiredOption('--display-name <name>', "the first admin's name")
    .requiredOption('--save-token <file>', "the file to keep the admin's credential in (mode 0600; must not exist)")
    .option('--bootstrap-token-file <file>', 'the token; by default the one that a server on this machine left')
    .addHelpText(
      'after',
      '\nExample:\n  countersign found acme --name Acme --email ada@acme.example --display-name Ada --save-token .countersign/token\n',
    )
    .action(async (slug: string, options: FoundOptions) => {
      const { address, output } = context();
      const anonymous = new CountersignClient(address);
      requireAbsent(options.saveToken);
      const token = await bootstrapToken(options.bootstrapTokenFile ?? (await bootstrapTokenFile()));
      const founded = await anonymous.post('/v1/bootstrap', {
        body: {
          bootstrap_token: token,
          tenant: { slug, name: options.name },
          admin: { email: options.email, display_name: options.displayName },
        },
      });
      const minted = await anonymous.post('/v1/enrolment', {
        body: {
          enrolment_token: founded.enrolment.enrolment_token,
          name: 'command line',
          scopes: [...ADMIN_SCOPES],
        },
      });
      await writeNewSecretFile(options.saveToken, minted.token);
      output.result({ tenant_id: founded.tenant_id, person_id: founded.person_id, token_file: options.saveToken }, [
        `Tenant ${safe(slug)} is founded; ${safe(options.displayName)} is its PlatformAdmin.`,
        `The credential is in ${options.saveToken}: export COUNTERSIGN_TOKEN_FILE=${options.saveToken}`,
        `It reviews nothing. To review, and for the browser: countersign bootstrap --admin ${safe(options.email)}, on the server, prints a link.`,
      ]);
    });

  program
    .command('enrol')
    .description('make your own credential with the one-time token that an admin gave you')
    .argument('<file>', 'the file that holds the enrolment token')
    .requiredOption('--save-token <file>', 'the file to keep the credential in (mode 0600; must not exist)')
    .option('--scope <scope...>', 'its scopes; read if left out')
    .addHelpText(
      'after',
      '\nExample:\n  countersign enrol invitation.txt --save-token ~/.countersign-token --scope read review run\n',
    )
    .action(async (file: string, options: { saveToken: string; scope?: string[] }) => {
      const { address, output } = context();
      requireAbsent(options.saveToken);
      const minted = await new CountersignClient(address).post('/v1/enrolment', {
        body: {
          enrolment_token: await enrolmentToken(file),
          name: 'command line',
          ...(options.scope === undefined ? {} : { scopes: scopesOf(options.scope) }),
        },
      });
      await writeNewSecretFile(options.saveToken, minted.token);
      output.result({ token_file: options.saveToken, scopes: minted.scopes }, [
        `The credential is in ${options.saveToken}. It may be used for: ${minted.scopes.join(', ')}.`,
      ]);
    });

  program
    .command('whoami')
    .description('show the owner of your credential, and its scopes')
    .addHelpText('after', '\nExample:\n  countersign whoami\n')
    .action(async () => {
      const { client, output } = context();
      const me = await client().get('/v1/me');
      output.result(me, [
        `${me.kind} ${oneLine(me.display_name)} (${me.id})`,
        ...fields([
          ...(me.kind === 'person'
            ? [['roles', me.roles.map(({ role }) => oneLine(role)).join(', ') || 'none'] as const]
            : []),
          ['scopes', me.scopes.join(', ')],
          ['tenant', me.tenant_id],
          ['tenant slug', me.tenant_slug],
          ...(me.on_behalf_of === null ? [] : [['on behalf of', `person ${me.on_behalf_of}`] as const]),
        ]),
      ]);
    });
}

interface FoundOptions {
  readonly name: string;
  readonly email: string;
  readonly displayName: string;
  readonly saveToken: string;
  readonly bootstrapTokenFile?: string;
}

async function bootstrapToken(file: string): Promise<string> {
  try {
    return await readSecretFile(file);
  } catch {
    throw new CommandError(
      EXIT.usage,
      `There is no bootstrap token in ${file}.`,
      'Make one on the server: countersign bootstrap.',
      [],
      'bootstrap.no_token',
    );
  }
}

async function enrolmentToken(file: string): Promise<string> {
  try {
    return await readSecretFile(file);
  } catch {
    throw new CommandError(
      EXIT.usage,
      `There is no enrolment token in ${file}.`,
      'An admin makes one with countersign invite.',
      [],
      'enrolment.no_token',
    );
  }
}
