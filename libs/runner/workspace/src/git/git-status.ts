import { z } from 'zod';
import type { RunnerTool } from '../domain/runner-tool.js';
import type { WorkspaceSettings } from '../tools/settings.js';
import { compareTree } from './compare-tree.js';
import { readIndex } from './read-index.js';
import { repositoryTool } from './repository-tool.js';
import { stagedChanges } from './staged-changes.js';

const MAX_LISTED = 2_000;

export const gitStatus = (settings: WorkspaceSettings): RunnerTool =>
  repositoryTool(settings, {
    name: 'git-status',
    description: 'Shows the branch, staged and other changes, and untracked files.',
    schema: z.strictObject({}),
    read: async (repository, _, context, root) => {
      const index = await readIndex(repository);
      const written = (await repository.own.stat('index'))?.mtimeNs ?? 0n;
      const { changes, untracked, truncated } = await compareTree(root, index, written, context);
      const staged = await stagedChanges(repository);
      const ignored = await repository.ignored(untracked);
      const others = untracked.filter((path) => !ignored.has(path));
      return {
        ...(await repository.head()),
        staged: staged.slice(0, MAX_LISTED).map((each) => ({ ...each })),
        changed: changes.slice(0, MAX_LISTED).map((each) => ({ ...each })),
        untracked: others.slice(0, MAX_LISTED),
        truncated: truncated || [staged, changes, others].some(({ length }) => length > MAX_LISTED),
      };
    },
  });
