import type { GrantClaims } from '#lib/formats';
import { classifyCommand, executableTree, treeDigest } from '#lib/shell-safety';
import { GrantError } from './grant-verifier.js';

/**
 * Checks the command line that an executor is about to execute against the claims of its verified grant (T53). The line
 * must have the tree that was judged and approved, and no worse tier. An executor that does not call it executes its
 * own reading of the text.
 *
 * @param line null if the tool executes no command line. A grant that names one was judged by a line that the tool never reads.
 * @throws {GrantError} `grant.without_line`, `grant.other_line`, `grant.worse_line` or `grant.unread_line`. Execute nothing then.
 */
export function checkLine({ shell }: Pick<GrantClaims, 'shell'>, line: string | null): void {
  if (line === null) {
    if (shell !== null)
      throw new GrantError('grant.unread_line', 'the grant names a command line, and this tool executes none');
    return;
  }
  if (shell === null)
    throw new GrantError(
      'grant.without_line',
      'the grant names no command line, so nobody judged this one: give the tool the member shell in the catalog',
    );
  const made = executableTree(line, shell.shell);
  if (!made.ok || treeDigest(made.value) !== shell.tree)
    throw new GrantError(
      'grant.other_line',
      'the command line is read otherwise here than where it was approved: bring the SDK to the version of Countersign',
    );
  if (classifyCommand(line, shell.shell).tier > shell.tier)
    throw new GrantError(
      'grant.worse_line',
      `the grant is for a line of Tier ${String(shell.tier)}, and this one is worse`,
    );
}
