import type { RunnerTool } from './domain/runner-tool.js';
import { gitBranch, gitBranchCreate, gitBranchDelete } from './git/git-branch.js';
import { gitCommit } from './git/git-commit.js';
import { gitDiff } from './git/git-diff.js';
import { gitLog } from './git/git-log.js';
import { gitStatus } from './git/git-status.js';
import { Checks } from './tools/checks.js';
import { gitApplyPatch } from './tools/git-apply-patch.js';
import { directoryList, fileRead, fileSearch } from './tools/read-tools.js';
import { rollbackCheckpoint } from './tools/rollback-checkpoint.js';
import type { WorkspaceSettings } from './tools/settings.js';
import { testRun } from './tools/test-run.js';
import { textSearch } from './tools/text-search.js';
import { webFetch } from './tools/web-fetch.js';
import { fileDelete, fileEdit, fileMove, fileWrite } from './tools/write-tools.js';

/** All workspace tools that the runner itself carries out, by name. */
export function createWorkspace(settings: WorkspaceSettings): ReadonlyMap<string, RunnerTool> {
  const deps = { settings, checks: new Checks(settings) };
  const tools = [
    ...[fileRead, fileSearch, directoryList, textSearch, gitStatus, gitDiff, gitLog, gitBranch, testRun, webFetch].map(
      (make) => make(settings),
    ),
    ...[fileWrite, fileEdit, fileDelete, fileMove, gitApplyPatch, gitCommit, gitBranchCreate, gitBranchDelete].map(
      (make) => make(deps),
    ),
    rollbackCheckpoint(deps),
  ];
  return new Map(tools.map((tool) => [tool.name, tool]));
}
