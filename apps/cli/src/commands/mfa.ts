import { Option, type Command } from 'commander';
import { renderUnicodeCompact } from 'uqr';
import { CommandError, EXIT } from '../exit-codes.js';
import { counted, fields, moment, safe, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { stepUp } from '../step-up.js';
import { idOfAddressed } from './work-filter.js';

/** `countersign mfa`: one's own second factors. */
export function addMfa(program: Command, context: () => CommandContext): void {
  const mfa = program.command('mfa').description('your second factors');
  mfa
    .command('status')
    .description('list your second factors')
    .addHelpText('after', '\nExample:\n  countersign mfa status\n')
    .action(async () => {
      const { client, output } = context();
      const found = await client().get('/v1/factors');
      const rows = found.items.map((factor) => [
        factor.name,
        factor.kind,
        factor.state,
        factor.last_used_at === null ? 'never' : moment(factor.last_used_at),
      ]);
      output.result(found, [
        ...(rows.length === 0
          ? ['You have no second factor. Enrol one: countersign mfa enrol']
          : table(['factor', 'kind', '', 'last used'], rows, [2])),
        counted(found.recovery_codes_left, 'recovery code') + ' left',
      ]);
    });
  mfa
    .command('keys')
    .description('print the public keys of passkeys, as lines for `countersign verify --approver-keys`')
    .addOption(
      new Option('--person <person>', 'of this person, by e-mail address or id; your own without it').conflicts('all'),
    )
    .option('--all', 'of everybody in the tenant')
    .addHelpText(
      'after',
      '\nCompare each fingerprint with its person by voice before you keep the line.\n\nExample:\n  countersign mfa keys --all > approvers.txt\n',
    )
    .action(async ({ person, all }: { person?: string; all?: boolean }) => {
      const { client, output } = context();
      const api = client();
      const own = async (): Promise<string> => (await api.get('/v1/me')).id;
      const whose = all === true ? undefined : await (person === undefined ? own() : idOfAddressed(api, person));
      const found = await api.get('/v1/approver-keys', { query: { person_id: whose } });
      output.result(
        found,
        found.items.length === 0
          ? ['# No passkey: only a passkey signs an approval. Register one in the browser: Settings, Second factors.']
          : found.items.flatMap((key) => [
              `# ${safe(key.person.display_name)}: ${safe(key.name)}, enrolled ${moment(key.enrolled_at)}`,
              `# fingerprint ${key.fingerprint}`,
              key.line,
            ]),
      );
    });
  mfa
    .command('enrol')
    .description('set an authenticator app up; it takes the place of a former one')
    .option('--name <text>', 'a name of your choice')
    .addHelpText('after', '\nExample:\n  countersign mfa enrol --name "My phone"\n')
    .action(async ({ name }: { name?: string }) => {
      const { client, output, io } = context();
      if (output.json) {
        const message = 'Enrolling asks for a code, and with --json nothing is asked.';
        throw new CommandError(EXIT.usage, message, 'Leave --json out.', [], 'mfa.cannot_ask');
      }
      const api = client();
      const enrolled = (await api.get('/v1/factors')).items.some(({ state }) => state === 'active');
      const stepUpId = enrolled
        ? await stepUp(api, { output, io }, { kind: 'factor_change', change: 'add_totp' })
        : undefined;
      const offer = await api.post('/v1/factors/totp', {
        body: {
          ...(name === undefined ? {} : { name }),
          ...(stepUpId === undefined ? {} : { step_up_id: stepUpId }),
        },
      });
      io.err(`${renderUnicodeCompact(offer.otpauth_uri)}\n`);
      io.err(`${fields([['or type in', offer.secret]]).join('\n')}\n`);
      io.err('Scan this with your authenticator app, and type the code that it shows: ');
      const code = (await io.readLine())?.trim() ?? '';
      if (code === '') {
        const message = 'Nothing was enrolled: there was no code.';
        throw new CommandError(EXIT.usage, message, 'Run the same command again, and type it.', [], 'mfa.no_code');
      }
      const { factor, recovery_codes: codes } = await api.post('/v1/factors/totp/{id}/confirm', {
        path: { id: offer.id },
        body: { code },
      });
      output.result({ factor }, [
        `${factor.name} is enrolled.`,
        ...(codes === null
          ? []
          : [
              'Keep these recovery codes; each stands in for a lost factor once, and they are shown only now:',
              ...codes,
            ]),
      ]);
    });
}
