import type { SteppedUpOperation } from '#lib/identity';
import type { CountersignClient } from '#lib/sdk';
import { CommandError, EXIT } from './exit-codes.js';
import type { CommandContext } from './command-context.js';

const SIX_DIGITS = /^\d{6}$/;
const TYPE_IT = 'Run the same command again, and type it.';

/**
 * Asks for a code and proves a second factor with it for one operation, which then carries the step-up's id.
 *
 * @throws {CommandError} if there is no person to ask.
 */
export async function stepUp(
  api: CountersignClient,
  { output, io }: Pick<CommandContext, 'output' | 'io'>,
  operation: SteppedUpOperation,
): Promise<string> {
  const started = await api.post('/v1/step-ups', { body: { operation } });
  if (output.json) {
    throw new CommandError(
      EXIT.usage,
      'This needs a second factor, and with --json nothing is asked.',
      'Leave --json out.',
      [],
      'step_up.cannot_ask',
    );
  }
  if (!started.methods.some((method) => method !== 'passkey')) {
    throw new CommandError(
      EXIT.refused,
      'Your only second factor is a passkey, which a command line cannot use.',
      'Do it in the browser, or enrol an authenticator app there.',
      [],
      'step_up.passkey_only',
    );
  }
  io.err('Code of your authenticator app, or a recovery code: ');
  const code = (await io.readLine())?.trim() ?? '';
  if (code === '') {
    throw new CommandError(EXIT.usage, 'Nothing was done: there was no code.', TYPE_IT, [], 'step_up.no_code');
  }
  const method = SIX_DIGITS.test(code) ? 'totp' : 'recovery_code';
  return (await api.post('/v1/step-ups/{id}/proof', { path: { id: started.id }, body: { method, code } })).id;
}
