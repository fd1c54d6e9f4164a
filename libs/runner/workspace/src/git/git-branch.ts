import { z } from 'zod';
import type { RunnerTool, ToolContext } from '../domain/runner-tool.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { said } from '../domain/workspace-path.js';
import type { WorkspaceSettings } from '../tools/settings.js';
import { writeTool, type PreparedWrite, type WriteDeps } from '../tools/write-tool.js';
import type { Repository } from './repository.js';
import { repositoryTool } from './repository-tool.js';
import { inRepository, branchFiles } from './writable-repository.js';

const MAX_BRANCHES = 1_000;

/** git's rules for names are stricter; `check-ref-format` has the last word. */
const branchSchema = z
  .string()
  .max(200)
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9/._-]*$/,
    'must begin with a letter or digit, and hold only letters, digits and / . _ -',
  );
const nameOnly = z.strictObject({ name: branchSchema.meta({ description: 'The name of the branch.' }) });

export const gitBranch = (settings: WorkspaceSettings): RunnerTool =>
  repositoryTool(settings, {
    name: 'git-branch',
    description: 'Lists the branches of the repository.',
    schema: z.strictObject({}),
    read: async (repository) => {
      const { text } = await repository.git([
        ...[
          'for-each-ref',
          `--count=${String(MAX_BRANCHES)}`,
          '--format=%(refname:lstrip=2) %(objectname)',
          'refs/heads',
        ],
      ]);
      const lines = text.split('\n').filter((line) => line !== '');
      return {
        current: (await repository.head()).branch,
        branches: lines.map((line) => ({
          name: line.slice(0, line.lastIndexOf(' ')),
          commit: line.slice(line.lastIndexOf(' ') + 1),
        })),
      };
    },
  });

export const gitBranchCreate = (deps: WriteDeps): RunnerTool =>
  branchTool(
    deps,
    'git-branch-create',
    'Creates a branch at the commit that is checked out.',
    async (repository, name) => {
      await repository.git(['check-ref-format', '--branch', name]);
      const { commit } = await repository.head();
      if (commit === null)
        throw new ToolRefusal('workspace.no_commit', 'The repository has no commit yet. Commit first.');
      if ((await commitOf(repository, name)) !== null) {
        throw new ToolRefusal(
          'workspace.branch_exists',
          `The branch ${said(name)} exists already. Choose another name.`,
        );
      }
      return async () => {
        await repository.git(['update-ref', `refs/heads/${name}`, commit, '0'.repeat(commit.length)]);
        return { name, commit };
      };
    },
  );

export const gitBranchDelete = (deps: WriteDeps): RunnerTool =>
  branchTool(
    deps,
    'git-branch-delete',
    'Deletes a branch whose commits are all in the branch that is checked out.',
    async (repository, name) => {
      const commit = await commitOf(repository, name);
      if (commit === null) throw new ToolRefusal('workspace.no_such_branch', `There is no branch ${said(name)}.`);
      if ((await repository.head()).branch === name) {
        throw new ToolRefusal(
          'workspace.branch_checked_out',
          `The branch ${said(name)} is checked out. Check out another one.`,
        );
      }
      const merged = await repository.git(['merge-base', '--is-ancestor', commit, 'HEAD'], { answers: [1] });
      if (merged.exitCode !== 0) {
        throw new ToolRefusal(
          'workspace.branch_not_merged',
          `The branch ${said(name)} has commits that the current one lacks.`,
        );
      }
      return async () => {
        await repository.git(['update-ref', '-d', `refs/heads/${name}`, commit]);
        return { name, commit };
      };
    },
    'destructive',
  );

function branchTool(
  deps: WriteDeps,
  name: string,
  description: string,
  prepare: (repository: Repository, branch: string, context: ToolContext) => Promise<PreparedWrite['apply']>,
  effect: 'modify' | 'destructive' = 'modify',
): RunnerTool {
  return writeTool(deps, {
    name,
    category: 'git-write',
    description,
    schema: nameOnly,
    identityFields: ['/name'],
    effect,
    prepare: (root, { name: branch }, context) =>
      inRepository(root, deps.settings, context, async (repository) => {
        await prepare(repository, branch, context);
        return {
          changes: await branchFiles(repository.own, branch, await commitOf(repository, branch)),
          apply: () =>
            inRepository(root, deps.settings, context, async (again) => (await prepare(again, branch, context))()),
        };
      }),
  });
}

async function commitOf(repository: Repository, branch: string): Promise<string | null> {
  const found = await repository.git(['rev-parse', '--quiet', '--verify', `refs/heads/${branch}^{commit}`], {
    answers: [1, 128],
  });
  return found.exitCode === 0 ? found.text.trim() : null;
}
