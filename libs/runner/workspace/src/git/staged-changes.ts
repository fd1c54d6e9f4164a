import type { Repository } from './repository.js';
import { fieldsOf } from './run-git.js';

export interface StagedChange {
  readonly path: string;
  /** git's letter: A added, M modified, D deleted, T another kind of file. */
  readonly change: string;
}

/** The files in which the index differs from the commit that is checked out. */
export async function stagedChanges(repository: Repository): Promise<readonly StagedChange[]> {
  const { text } = await repository.git([
    ...['diff-index', '--cached', '--name-status', '--no-renames', '-z', await baseOf(repository), '--'],
  ]);
  const fields = fieldsOf(text);
  return fields.flatMap((change, at) => (at % 2 === 0 ? [{ change, path: fields[at + 1] ?? '' }] : []));
}

/** The commit that is checked out, or the empty tree before the first commit. */
export async function baseOf(repository: Repository): Promise<string> {
  const { commit } = await repository.head();
  return commit ?? (await repository.git(['hash-object', '-t', 'tree', '--stdin'], { input: '' })).text.trim();
}
