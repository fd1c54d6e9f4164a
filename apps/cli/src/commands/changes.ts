import { Option, type Command } from 'commander';
import pc from 'picocolors';
import type { ChangeRequestView } from '#lib/api-schemas';
import { CHANGE_STATES, type ChangeState } from '#lib/formats';
import { CommandError, EXIT } from '../exit-codes.js';
import { moment, oneLine, state, table } from '../output.js';
import type { CommandContext } from '../command-context.js';
import { stepUp } from '../step-up.js';
import { changeLines } from '../views/change-view.js';
import { addEvidence } from './evidence.js';
import { pageLines, paged, type PageOptions } from './read.js';

const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** `countersign changes`: changes that loosen a guardrail, and wait for a second person. */
export function addChanges(program: Command, context: () => CommandContext): void {
  const changes = program.command('changes').description('changes that loosen the gate and wait for a second person');

  paged(changes.command('list').description('list changes, newest first'))
    .addOption(new Option('--state <state>', 'only those').choices(CHANGE_STATES))
    .option('--mine', 'only those that you may confirm')
    .addHelpText('after', '\nExamples:\n  countersign changes list --mine\n  countersign changes list --state open\n')
    .action(async ({ mine, ...query }: PageOptions & { state?: ChangeState; mine?: true }) => {
      const { client, output } = context();
      const found = await client().get('/v1/change-requests', {
        query: { ...query, ...(mine === true ? { confirmable: 'true' } : {}) },
      });
      const rows = found.items.map((change) => [
        change.id,
        change.state,
        change.what,
        change.requested_by.display_name,
        change.state === 'open' ? `until ${moment(change.expires_at)}` : moment(change.closed_at ?? change.opened_at),
      ]);
      const lines = table(['change', '', 'what', 'asked for by', ''], rows, [1]);
      output.result(found, pageLines('There is no such change.', lines, rows.length, found.next_cursor));
    });

  changes
    .command('show')
    .description('show a change: its effect, and the people who could confirm it')
    .argument('<change>', "the change's id")
    .addHelpText('after', '\nExample:\n  countersign changes show CHANGE\n')
    .action(async (id: string) => {
      const { client, output } = context();
      const change = await client().get('/v1/change-requests/{id}', { path: { id } });
      output.result(change, changeLines(change));
    });

  changes
    .command('confirm')
    .description('confirm a change of somebody else, with your second factor; it is carried out at once')
    .argument('<change>', "the change's id")
    .option('--digest <digest>', 'the digest of the change that you have seen')
    .addHelpText('after', '\nExample:\n  countersign changes confirm CHANGE\n')
    .action(async (id: string, options: { digest?: string }) => {
      const { client, output, io } = context();
      if (options.digest !== undefined && !DIGEST.test(options.digest))
        throw new CommandError(
          EXIT.usage,
          '--digest is not a digest.',
          'It reads sha256: and 64 hexadecimal digits, as the change shows it.',
          [],
          'command.usage',
        );
      const api = client();
      const change = await api.get('/v1/change-requests/{id}', { path: { id } });
      output.note([...changeLines(change), ''].join('\n'));
      requireConfirmable(change, options.digest);
      const { change_digest } = change;
      const operation = { kind: 'change_confirm', change_id: id, change_digest } as const;
      const step_up_id = await stepUp(api, { output, io }, operation);
      const confirmed = await api.post('/v1/change-requests/{id}/confirm', {
        path: { id },
        body: { change_digest, step_up_id },
      });
      output.result(confirmed, outcomeLines(confirmed));
    });

  changes
    .command('reject')
    .description('reject a change of somebody else')
    .argument('<change>', "the change's id")
    .requiredOption('--comment <text>', 'why')
    .addHelpText('after', '\nExample:\n  countersign changes reject CHANGE --comment "Ask for a single tool."\n')
    .action(async (id: string, { comment }: { comment: string }) => {
      const { client, output } = context();
      const rejected = await client().post('/v1/change-requests/{id}/reject', { path: { id }, body: { comment } });
      output.result(rejected, outcomeLines(rejected));
    });

  changes
    .command('withdraw')
    .description('take a change of your own back')
    .argument('<change>', "the change's id")
    .addHelpText('after', '\nExample:\n  countersign changes withdraw CHANGE\n')
    .action(async (id: string) => {
      const { client, output } = context();
      const withdrawn = await client().post('/v1/change-requests/{id}/withdraw', { path: { id } });
      output.result(withdrawn, outcomeLines(withdrawn));
    });

  addEvidence(changes, context, 'change');
}

/** @throws {CommandError} before a code is asked for in vain. */
function requireConfirmable(change: ChangeRequestView, digest: string | undefined): void {
  const lookAgain = `Look at it again: countersign changes show ${change.id}`;
  if (digest !== undefined && digest !== change.change_digest) {
    const message = 'This is another change than the one you have seen.';
    throw new CommandError(EXIT.refused, message, lookAgain, [], 'change.other_digest');
  }
  const { why_not: whyNot } = change.you;
  if (whyNot !== null)
    throw new CommandError(EXIT.refused, oneLine(whyNot.message), oneLine(whyNot.action ?? lookAgain), [], whyNot.code);
}

const outcomeLines = (change: ChangeRequestView): string[] => [
  `${pc.bold('change')} ${change.id} is ${state(change.state)}: ${oneLine(change.what)}`,
];
