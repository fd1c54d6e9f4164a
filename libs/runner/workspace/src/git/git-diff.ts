import { join } from 'node:path';
import { z } from 'zod';
import { isSecretPath } from '#lib/shell-safety';
import type { RunnerTool, ToolContext } from '../domain/runner-tool.js';
import { cutText } from '../domain/text.js';
import { namesBelowRoot } from '../domain/workspace-path.js';
import type { Folder } from '../files/folder.js';
import { inTemporaryFolder } from '../files/temporary-folder.js';
import { pathsSchema } from '../tools/path-schema.js';
import type { WorkspaceSettings } from '../tools/settings.js';
import { compareTree } from './compare-tree.js';
import { indexLine } from './index-line.js';
import { readIndex } from './read-index.js';
import type { Repository } from './repository.js';
import { repositoryTool } from './repository-tool.js';
import { baseOf, stagedChanges } from './staged-changes.js';

const MAX_PATHS = 200;
const DIFF = ['diff-index', '--cached', '-p', '--no-ext-diff', '--no-textconv', '--find-renames', '--full-index'];

export const gitDiff = (settings: WorkspaceSettings): RunnerTool =>
  repositoryTool(settings, {
    name: 'git-diff',
    description: 'Shows the changes of tracked files, or the staged ones. It leaves out files that may hold secrets.',
    schema: z.strictObject({
      staged: z.boolean().optional().meta({ description: 'The changes in the index instead of those in the files.' }),
      paths: pathsSchema('Only these files, or those below these folders.', MAX_PATHS).optional(),
    }),
    reads: ['/paths'],
    read: async (repository, { staged = false, paths }, context, root) => {
      const asked = paths?.map((path) => namesBelowRoot(path).join('/'));
      const changed = staged
        ? (await stagedChanges(repository)).map(({ path }) => path)
        : (await changesOf(repository, root, context)).map(({ path }) => path);
      const isAsked = (path: string): boolean =>
        asked?.some((each) => path === each || path.startsWith(`${each}/`)) ?? !isSecretPath(path);
      const shown = changed.filter(isAsked).slice(0, MAX_PATHS);
      if (shown.length === 0) return { diff: '', files: 0, left_out: changed.length, truncated: false };
      const diff = staged
        ? await repository.git([...DIFF, await baseOf(repository), '--', ...shown])
        : await diffOfTree(repository, root, shown, context);
      const { text, truncated } = cutText(diff.text, context.limits.outputBytes);
      return {
        diff: text,
        files: shown.length,
        left_out: changed.length - shown.length,
        truncated: truncated || diff.truncated,
      };
    },
  });

async function changesOf(repository: Repository, root: Folder, context: ToolContext) {
  const written = (await repository.own.stat('index'))?.mtimeNs ?? 0n;
  return (await compareTree(root, await readIndex(repository), written, context)).changes;
}

/**
 * git opens no file of the working tree. The changed files are read here, and put into an index and a store of objects
 * for this one call.
 */
async function diffOfTree(repository: Repository, root: Folder, paths: readonly string[], context: ToolContext) {
  return await inTemporaryFolder(async (objects, temporary) => {
    const store = { GIT_OBJECT_DIRECTORY: temporary, GIT_ALTERNATE_OBJECT_DIRECTORIES: 'objects' };
    const tree = (await repository.git(['write-tree'], { env: store })).text.trim();
    const env = { ...store, GIT_INDEX_FILE: join(temporary, 'index') };
    await repository.git(['read-tree', tree], { env });
    const lines: string[] = [];
    for (const path of paths) lines.push(await indexLine(root, objects, path, tree.length, context));
    await repository.git(['update-index', '-z', '--index-info'], { env, input: lines.join('') });
    return await repository.git([...DIFF, tree, '--', ...paths], { env });
  });
}
