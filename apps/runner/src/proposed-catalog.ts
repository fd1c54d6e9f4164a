import { stringify } from 'yaml';
import type { ToolDocument } from '#lib/formats';
import { createWorkspace, Snapshots, Turns } from '#lib/workspace';
import { SEARCH_WORKSPACE } from '#lib/workspace-search';
import { searchDocument } from './search-tool.js';
import { AUTHOR, SCRIPT_SECONDS } from './serve-tools.js';
import { TERMINAL_RUN, terminalRunDocument } from './terminal-run.js';

/**
 * The tools of a runner as YAML for a tenant's catalog: a proposal that people read before they apply it. The executor of each is
 * `workspace`. The time limit of a write holds the time of its checks.
 *
 * @param checks the scripts that run after each write.
 */
export function proposedCatalog(checks: readonly string[]): string {
  const workspace = createWorkspace({
    // Only the documents are read: no tool is called.
    snapshots: new Snapshots('/nonexistent'),
    turns: new Turns(),
    guardedFetch: () => Promise.reject(new Error('no tool is called')),
    programs: {
      path: '',
      home: '',
      scriptSeconds: SCRIPT_SECONDS,
      sandbox: { kind: 'missing', reason: 'no tool is called' },
    },
    checks,
    author: AUTHOR,
    platform: process.platform,
  });
  const tools: Record<string, ToolDocument> = {};
  for (const { name, document } of workspace.values()) tools[name] = { ...document, executor: 'workspace' };
  tools[SEARCH_WORKSPACE] = { ...searchDocument, executor: 'workspace' };
  tools[TERMINAL_RUN] = { ...terminalRunDocument, executor: 'workspace' };
  return stringify({ tools }, { lineWidth: 0 });
}
