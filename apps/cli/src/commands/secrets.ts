import type { Command } from 'commander';
import pc from 'picocolors';
import { readText } from '../documents.js';
import { CommandError, EXIT } from '../exit-codes.js';
import { counted, moment, oneLine, table } from '../output.js';
import type { SecretBindingDocument } from '#lib/formats';
import { itemsOf, type CountersignClient } from '#lib/sdk';
import type { CommandContext } from '../command-context.js';
import { guardedLines } from '../views/change-view.js';
import { pageLines, paged, type PageOptions } from './read.js';
import { bindingIn, bindingLine, withBinding, type BindingOptions } from './secret-binding.js';

/** `countersign secret`: the secrets of tool calls. A value goes in by a file or standard input, and never comes out. */
export function addSecrets(program: Command, context: () => CommandContext): void {
  const secret = program.command('secret').description('secrets that tools are called with');

  paged(secret.command('list').description('list secrets, their versions and bindings, without their values'))
    .addHelpText('after', '\nExample:\n  countersign secret list\n')
    .action(async (page: PageOptions) => {
      const { client, output } = context();
      const found = await client().get('/v1/secrets', { query: { ...{ ...page } } });
      const rows = found.items.map(({ reference, binding, key_id, created_at, created_by }) => [
        reference,
        bindingLine(binding),
        `under key ${key_id}`,
        moment(created_at),
        `person ${created_by}`,
      ]);
      const lines = table(['secret', 'for', 'encrypted', 'stored', 'by'], rows);
      output.result(found, pageLines('There is no secret.', lines, rows.length, found.next_cursor));
    });

  withBinding(
    secret
      .command('put')
      .description('store the next version of a secret; the first binds it to tools and executors')
      .argument('<name>', 'letters, digits, _ . and -')
      .argument(
        '<file>',
        'a file that holds the value, - for standard input; a line break at its end is not part of it',
      ),
  )
    .addHelpText(
      'after',
      '\nExamples:\n  countersign secret put web-root root.txt --tool restart --executor production/fleet\n  pass fleet/token | countersign secret put fleet-token - --token --executor production/fleet\n',
    )
    .action(async (name: string, file: string, options: BindingOptions) => {
      const { client, io, output } = context();
      const binding = bindingIn(options);
      const api = client();
      const value = (file === '-' ? await io.readAll() : await readText(file)).replace(/\r?\n$/, '');
      if (value === '') {
        const message = `There is no value ${file === '-' ? 'on standard input' : `in ${file}`}.`;
        throw new CommandError(EXIT.usage, message, 'Give it one.', [], 'secret.empty');
      }
      const stored = await api.put('/v1/secrets/{name}', {
        path: { name },
        body: { value, ...(binding === undefined ? {} : { binding }) },
      });
      output.result(stored, [
        `${pc.bold('secret')} ${oneLine(stored.reference)} is stored.`,
        `for: ${bindingLine(stored.binding)}`,
        nextLine(stored.reference, stored.binding),
      ]);
    });

  withBinding(
    secret
      .command('bind')
      .description('bind a secret, in all its versions; a wider binding waits for a second person')
      .argument('<name>', 'its name, without a version'),
  )
    .option('--nothing', 'it is sent nowhere')
    .addHelpText(
      'after',
      '\nExamples:\n  countersign secret bind web-root --tool restart --tool stop --executor production/fleet\n  countersign secret bind fleet-token --token --environment production\n  countersign secret bind old-token --nothing\n',
    )
    .action(async (name: string, { nothing, ...options }: BindingOptions & { readonly nothing?: boolean }) => {
      const { client, output } = context();
      const binding = bindingIn(options);
      if ((binding === undefined) === (nothing !== true)) {
        const message = 'Say what the secret is for, or --nothing.';
        throw new CommandError(
          EXIT.usage,
          message,
          'Give --tool, --token, --sign-in or --incidents; see secret bind --help.',
          [],
          'secret.invalid_binding',
        );
      }
      const api = client();
      const before = await bindingOf(api, name);
      const bound = await api.put('/v1/secrets/{name}/binding', { path: { name }, body: { binding: binding ?? null } });
      output.result(
        bound,
        guardedLines(bound, (done) => [
          `${pc.bold('secret')} ${oneLine(done.name)} is for ${bindingLine(done.binding)}`,
          ...(before === null ? [] : [`before, it was for ${bindingLine(before)}`]),
        ]),
      );
    });

  secret
    .command('rotate')
    .description("encrypt every secret anew under the installation's current master key")
    .addHelpText('after', '\nExample:\n  countersign secret rotate\n')
    .action(async () => {
      const { client, output } = context();
      const rotated = await client().post('/v1/secrets/rotation');
      output.result(rotated, [
        rotated.reencrypted === 0
          ? 'Every secret is encrypted under the current master key already.'
          : `${counted(rotated.reencrypted, 'secret')} encrypted anew.`,
      ]);
    });
}

/** The binding of a secret as it is now. Null if it has none, or if there is no such secret. */
async function bindingOf(api: CountersignClient, name: string): Promise<SecretBindingDocument | null> {
  for await (const secret of itemsOf((page) => api.get('/v1/secrets', { query: page })))
    if (secret.reference.split('@')[0] === name) return secret.binding;
  return null;
}

/** The next command for the secret. */
function nextLine(reference: string, binding: SecretBindingDocument | null): string {
  const shown = oneLine(reference);
  const name = oneLine(reference.split('@')[0] ?? reference);
  switch (binding?.purpose) {
    case undefined:
      return `next: countersign secret bind ${name}; until then it is sent nowhere`;
    case 'tool_arguments':
      return `next: an argument names it {"$secret": "${shown}"}`;
    case 'executor_token':
      return `next: countersign executor put … --set secret=${shown}`;
    case 'sign_in':
      return `next: an issuer names it as client_secret: ${shown}`;
    case 'incidents':
      return `next: the incident settings name it as routing_key: {"$secret": "${shown}"}`;
  }
}
