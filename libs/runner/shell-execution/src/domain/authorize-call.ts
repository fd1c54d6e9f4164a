import { classifyCommand, executableTree, shellTreeSchema, treeDigest, type ShellTree } from '#lib/shell-safety';
import { holdsSubstitution } from './holds-substitution.js';
import type { ShellAuthority, ShellCall } from './shell-call.js';
import { Stop } from './stop.js';

/** A call that may start. */
export interface AuthorizedCall {
  readonly tree: ShellTree;
  /** True if the verdict says that a command of the line may need a network. */
  readonly network: boolean;
  /** True if git is among the programs of the line, and may execute none that a repository names. */
  readonly checksRepository: boolean;
  readonly onlyReads: boolean;
}

/**
 * Judges a call anew. The line is classified and made into a tree here, and nothing that was dispatched is taken for
 * granted. The tree that is executed is the one that was approved, or none.
 *
 * @throws Stop `shell.not_executable` and its like, `shell.tier_3`, `shell.tier_not_approved`, `shell.tree_differs`,
 *   `shell.substitution_not_approved`
 */
export function authorizeCall({ command, shell, tree }: ShellCall, authority: ShellAuthority): AuthorizedCall {
  const made = executableTree(command, shell);
  if (!made.ok) {
    const { code, message, action } = made.error;
    throw new Stop(code, action === undefined ? message : `${message} ${action}`);
  }
  const verdict = classifyCommand(command, shell);
  if (verdict.tier === 3) throw new Stop('shell.tier_3', 'The line is Tier 3, which no approval allows.');
  if (verdict.tier > authority.tier) {
    throw new Stop('shell.tier_not_approved', 'The line is Tier 2 for this runner. Ask for an approval of it.');
  }
  const digest = treeDigest(made.value);
  const dispatched = shellTreeSchema.safeParse(tree);
  if (!dispatched.success || treeDigest(dispatched.data) !== digest || authority.treeDigest !== digest) {
    const message =
      'The line has another tree here than the approved one. Bring the runner to the version of the server, and ask anew.';
    throw new Stop('shell.tree_differs', message);
  }
  if (!authority.commandSubstitution && holdsSubstitution(made.value)) {
    const message =
      'The approval does not cover command substitution. Ask for one that does, or write the value itself.';
    throw new Stop('shell.substitution_not_approved', message);
  }
  const callsGit = verdict.parts.some(({ program }) => program !== null && /(?:^|\/)git$/.test(program));
  return {
    tree: made.value,
    network: verdict.network,
    checksRepository: callsGit && !authority.repositoryPrograms,
    onlyReads: authority.onlyReads,
  };
}
