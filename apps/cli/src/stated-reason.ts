import { InvalidArgumentError, type Command } from 'commander';
import { isReasonLength, REASON_LENGTH } from '#lib/words';

/** Commands with a change that may loosen a guardrail, and then waits for a second person. */
const MAY_WAIT: readonly (readonly string[])[] = [
  ['invite'],
  ['invite-again'],
  ['role', 'assign'],
  ['agent-hand-over'],
  ['environment', 'update'],
  ['executor', 'put'],
  ['mcp-server', 'accept'],
  ['runner', 'add'],
  ['automation', 'safe-add'],
  ['webhooks', 'add'],
  ['webhooks', 'change'],
  ['webhooks', 'on'],
  ['lifecycle-hook', 'put'],
  ['lifecycle-hook', 'on'],
  ['siem', 'set'],
  ['embedder', 'set'],
  ['secret', 'bind'],
  ['apply'],
  ['audit', 'retention', 'set'],
  ['audit-key', 'rotate'],
  ['issuer', 'put'],
  ['slack', 'app'],
  ['slack', 'install'],
  ['slack', 'routes'],
  ['incident-settings', 'put'],
];

const reasons = new WeakMap<Command, string>();

/** Lets these commands take a reason, which the confirming person reads. */
export function takeReasons(program: Command): void {
  for (const path of MAY_WAIT) {
    const command = path.reduce<Command | undefined>(
      (parent, name) => parent?.commands.find((child) => child.name() === name),
      program,
    );
    if (command === undefined) throw new Error(`there is no command ${path.join(' ')}`);
    command.option(
      '--reason <text>',
      'your reason; needed if the change waits for a second person, who reads it',
      readReason,
    );
    command.hook('preAction', (_parent, acting) => {
      const { reason } = acting.opts<{ reason?: string }>();
      if (reason !== undefined) reasons.set(program, reason);
    });
  }
}

/** @throws {InvalidArgumentError} if the API would refuse it for its length. */
function readReason(text: string): string {
  if (isReasonLength(text.trim())) return text;
  throw new InvalidArgumentError(`Say in a sentence why you ask for this change, in ${REASON_LENGTH}.`);
}

/** The reason that the command line gives. */
export const statedReason = (program: Command): string | null => reasons.get(program) ?? null;
