import type { ToolContext } from '../domain/runner-tool.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import type { Folder } from '../files/folder.js';
import { atEntry, makeFolders } from '../files/locate.js';
import type { WorkspaceSettings } from '../tools/settings.js';
import { statOrNull } from '../tools/write-tools.js';
import { Repository } from './repository.js';

/** Writes need references as files: a snapshot holds these. */
export async function inRepository<T>(
  root: Folder,
  settings: WorkspaceSettings,
  context: ToolContext,
  use: (repository: Repository) => Promise<T>,
): Promise<T> {
  return await Repository.with(root, settings, context, async (repository) => {
    if ((await repository.own.stat('reftable')) !== null) {
      throw new ToolRefusal(
        'workspace.git_unsupported',
        'The repository keeps references as a table. Tools write those in files alone.',
      );
    }
    return await use(repository);
  });
}

/**
 * The files of a branch, for the snapshot. A packed branch gets a file of its own first. A rollback to it changes no
 * other branch, and it wins over the packed one.
 */
export async function branchFiles(own: Folder, branch: string, commit: string | null): Promise<string[][]> {
  const names = branch.split('/');
  const file = ['refs', 'heads', ...names];
  if (commit !== null && (await statOrNull(own, file)) === null) {
    await makeFolders(own, file.slice(0, -1));
    await atEntry(own, file, (folder, name) => folder.write(name, Buffer.from(`${commit}\n`), 0o644));
  }
  return [
    ['.git', ...file],
    ['.git', 'logs', 'refs', 'heads', ...names],
  ];
}
