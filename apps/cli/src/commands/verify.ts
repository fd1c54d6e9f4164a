import type { Command } from 'commander';
import type { Replay } from '#lib/verifier';
import type { Output } from '../output.js';
import type { VerifyOptions } from '../verify-file.js';

/** `countersign verify`: no server, no network, no database, and nothing of the server's code. */
export function addVerify(program: Command, outputOf: () => Output, replay: Replay): void {
  program
    .command('verify')
    .description('check an evidence pack offline; names the first thing that fails')
    .argument('<pack>', 'the evidence pack')
    .option(
      '--key <key>',
      'needed: a trusted audit key, or a file with one key a line; repeatable',
      (value, all: readonly string[]) => [...all, value],
      [] as readonly string[],
    )
    .option(
      '--checkpoint <file>',
      'a checkpoint note that was kept outside: shows that history was not rewritten since',
    )
    .option('--proof <file>', 'a consistency proof for that checkpoint, as GET /v1/audit/consistency answers')
    .option(
      '--approver-keys <file>',
      'passkeys of people that you kept apart from the pack: their approvals must be signed with these',
    )
    .addHelpText(
      'after',
      `
Exit codes:
  0  everything was checked, and with --approver-keys every approval was signed
     with a key that you kept
  3  the pack does not verify
  6  nothing is wrong, but payloads were erased before the pack was assembled:
     the report lists the checks not made
  7  the pack verifies, but not every approval was signed with a key of
     --approver-keys

Example:
  countersign verify evidence.json --key audit-keys.txt --checkpoint checkpoint.txt --approver-keys approvers.txt
`,
    )
    .action(async (path: string, options: VerifyOptions) => {
      const { verifyFile } = await import('../verify-file.js');
      await verifyFile(path, options, outputOf(), replay);
    });
}
