import { realpath } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '#lib/folders';
import { wrongSetting } from '#lib/kernel';
import { createTreeExecutor } from '#lib/shell-execution';
import {
  createWorkspace,
  DEFAULT_LIMITS,
  findSandbox,
  ProgramGroups,
  Snapshots,
  type FetchPort,
  type ToolOutcome,
  Turns,
} from '#lib/workspace';
import type { RunnerConfig } from './runner-config.js';
import { servedSearch } from './search-tool.js';
import type { ServedTool, ServedTools } from './served-tool.js';
import { SessionFolders } from './session-folders.js';
import { terminalRun } from './terminal-run.js';

/** The time limit of a script, in seconds. */
export const SCRIPT_SECONDS = 120;

/** A workspace that takes longer to measure counts as too large. */
const MEASURE_WITHIN_MS = 10_000;
/** The characters of a reason that Countersign takes. */
const MAX_REASON = 300;

/** A runner's tools, and the state of its workspace. */
export interface ServedWorkspace {
  readonly tools: ServedTools;
  /** The reason why a snapshot of the whole workspace would not be complete now; null if it would. */
  readonly noWayBack: () => Promise<string | null>;
  /** The notes of the programs under way. */
  readonly groups: ProgramGroups;
  readonly sessions: SessionFolders;
}

/** The author of commits. */
export const AUTHOR = { name: 'Countersign runner', email: 'runner@localhost' } as const;

/**
 * The tools of a runner: those of the workspace, its search, and the shell. First it ends the programs that a process before
 * left. It repeats the rollbacks that were interrupted, and removes parts of snapshots. `warn` hears that this machine has no
 * sandbox.
 *
 * @param searchProgram the compiled `search-thread.js`.
 *
 * @throws {FailureError} `start.wrong_setting` as {@link createTreeExecutor}, and if the data folder and the root are not apart.
 */
export async function serveTools(
  config: RunnerConfig,
  guardedFetch: FetchPort,
  warn: (message: string) => void,
  searchProgram: URL,
): Promise<ServedWorkspace> {
  const { root, data } = config;
  const [home, store] = [join(data, 'home'), join(data, 'snapshots')];
  await makeFolder(home);
  const sandbox = await findSandbox(config.sandbox, {
    programFolders: config.programFolders,
    hidden: [await dataApart(config)],
    hiddenFiles: [config.tokenFile, config.embedderTokenFile].filter((file) => file !== null),
    homes: homesOfUser(),
  });
  if (sandbox.kind === 'missing') warn(`lines and scripts are refused: ${sandbox.reason}`);
  if (sandbox.kind === 'open')
    warn(`lines and scripts run without a sandbox, and could read the key: ${sandbox.reason}`);
  // Before a rollback: programs that still run would write into it.
  const groups = new ProgramGroups(join(data, 'programs'));
  const left = await groups.endLeft();
  if (left.length > 0) warn(`ended programs that a process before left behind: ${left.join(', ')}`);
  const snapshots = new Snapshots(store);
  await snapshots.sweep();
  for (const interrupted of await snapshots.unfinished()) await snapshots.rollback(interrupted.root, interrupted.id);
  const turns = new Turns();
  const workspace = createWorkspace({
    snapshots,
    turns,
    guardedFetch,
    programs: { path: config.programFolders.join(':'), home, scriptSeconds: SCRIPT_SECONDS, sandbox, groups },
    checks: config.checks,
    author: AUTHOR,
    platform: process.platform,
  });
  const served = [...workspace.values()].map(({ name, document, call }): ServedTool => ({
    name,
    parameters: document.parameters ?? {},
    reads: document.effect === 'read',
    call: (callArguments, { signal, output, secretsToMask }) =>
      call({ root, signal, output, limits: DEFAULT_LIMITS, secretsToMask }, callArguments),
  }));
  const sessions = new SessionFolders(join(data, 'sessions'));
  await sessions.sweep(Date.now());
  const search = servedSearch({ root, sessions, program: searchProgram, embedder: config.embedder });
  const execute = createTreeExecutor({ programFolders: config.programFolders, environment: {}, sandbox, groups });
  const tools = [...[...served, search].map(withoutLine), terminalRun({ root, snapshots, turns, execute })];
  return {
    tools: new Map(tools.map((tool) => [tool.name, tool])),
    noWayBack: () => noWayBack(snapshots, root),
    groups,
    sessions,
  };
}

/** The home that the environment names, and the one of the user's own entry. A user of a container may have none. */
function homesOfUser(): readonly string[] {
  return [homedir, () => userInfo().homedir].flatMap((home) => {
    try {
      return [home()];
    } catch {
      return [];
    }
  });
}

/** A root that cannot be measured has no way back either. */
async function noWayBack(snapshots: Snapshots, root: string): Promise<string | null> {
  try {
    const { obstacle } = await snapshots.measure({
      root,
      limits: DEFAULT_LIMITS,
      signal: AbortSignal.timeout(MEASURE_WITHIN_MS),
    });
    return obstacle === null ? null : obstacle.slice(0, MAX_REASON);
  } catch {
    return 'the workspace cannot be measured';
  }
}

const withoutLine = (tool: ServedTool): ServedTool => ({
  ...tool,
  call: (callArguments, context) =>
    context.claims.shell === null ? tool.call(callArguments, context) : Promise.resolve(noLine(tool.name)),
});

/** The risk of such a call was judged by a line that the tool never reads. */
const noLine = (name: string): ToolOutcome => ({
  ok: false,
  effect: 'not_started',
  error: {
    code: 'runner.takes_no_line',
    message: `The grant names a command line, and ${name} takes none. Remove its member shell from the catalog, and ask anew.`,
  },
});

/** The real path of the data folder. Symbolic links count: tools of the root must not reach the key by any name. */
async function dataApart({ root, data }: RunnerConfig): Promise<string> {
  const [realRoot, realData] = await Promise.all([realpath(root), realpath(data)]);
  if (`${realData}/`.startsWith(join(realRoot, '/')) || `${realRoot}/`.startsWith(join(realData, '/'))) {
    throw wrongSetting(
      `COUNTERSIGN_RUNNER_DATA (${realData}) and COUNTERSIGN_RUNNER_ROOT (${realRoot}) must lie apart.`,
    );
  }
  return realData;
}
