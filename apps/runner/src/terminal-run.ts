import { z } from 'zod';
import type { JsonObject } from '#lib/canonical';
import type { AdvertisedTool, GrantClaims, ToolDocument } from '#lib/formats';
import { DEFAULT_SHELL_LIMITS, refusalOf, type ExecuteTree } from '#lib/shell-execution';
import { classifyCommand, executableTree } from '#lib/shell-safety';
import { DEFAULT_LIMITS, ToolRefusal, type Snapshots, type ToolOutcome } from '#lib/workspace';
import type { CallSurroundings, ServedTool } from './served-tool.js';

const argumentsSchema = z.strictObject({
  command: z.string().min(1).max(16_384).meta({ description: 'The command line, as bash reads it.' }),
});

const { $schema: _dialect, ...schema } = z.toJSONSchema(argumentsSchema, { io: 'input' });
const PARAMETERS = schema as AdvertisedTool['parameters'];

export const TERMINAL_RUN = 'terminal-run';

/** A proposal for a tenant's catalog: each call has the risk of its line. */
export const terminalRunDocument: ToolDocument = {
  description: 'Executes a command line in the workspace, as bash reads it.',
  risk: 'state_change_nonprod',
  idempotent: false,
  scope: 'asset',
  effect: 'modify',
  surface: 'terminal',
  parameters: PARAMETERS,
  requires_plan: false,
  shell: { argument: '/command', dialect: 'bash' },
  time_limit_seconds: 15,
};

/** The bases of a call that a person approved as it stands, command substitution included. */
const APPROVED: readonly GrantClaims['basis'][] = ['approval', 'break_glass', 'rollback'];

/**
 * `terminal-run` of seed 001: executes the tree of a command line, if the grant names this very tree, and no better tier than the line
 * has here (T53). Before a line that may write, a snapshot of the whole root is taken; the result names it, or says why there is no
 * way back.
 *
 * Its own errors, none of which started anything: `runner.invalid_arguments`, `runner.grant_without_tree`, `runner.other_shell` and
 * `runner.no_snapshot`. The others are those of {@link ExecuteTree}.
 */
export function terminalRun(root: string, snapshots: Snapshots, execute: ExecuteTree): ServedTool {
  return {
    name: TERMINAL_RUN,
    parameters: PARAMETERS,
    reads: false,
    call: async (given, surroundings) => {
      const read = argumentsSchema.safeParse(given);
      if (!read.success) return refused('runner.invalid_arguments', 'terminal-run takes one argument: command.');
      const { command } = read.data;
      const { claims, signal, output, secretsToMask } = surroundings;
      const { shell: judged } = claims;
      if (judged === null) return refused('runner.grant_without_tree', WITHOUT_TREE);
      if (judged.dialect !== 'bash') return refused('runner.other_shell', otherShell(judged.dialect));
      const made = executableTree(command, 'bash');
      if (!made.ok) return refused(made.error.code, made.error.message);
      const call = { command, shell: 'bash', tree: made.value } as const;
      const { tree, tier } = judged;
      const authority = { treeDigest: tree, tier, commandSubstitution: APPROVED.includes(claims.basis) };
      const refusal = refusalOf(call, authority, secretsToMask);
      if (refusal !== null) return refusal;
      const wayBack = await snapshotBefore(command, root, snapshots, surroundings);
      if (!wayBack.ok) return wayBack;
      const outcome = await execute(call, {
        authority,
        root,
        signal,
        output,
        // The call ends by its signal, which knows the time limit of the catalog.
        limits: { ...DEFAULT_SHELL_LIMITS, timeMs: MAX_TIME_MS },
        secretsToMask,
      });
      return outcome.ok ? { ok: true, result: { ...outcome.result, ...wayBack.result } } : outcome;
    },
  };
}

const WITHOUT_TREE =
  'The grant names no tree, since nobody judged this command line. Give terminal-run the member shell in the catalog, and ask anew.';

const otherShell = (dialect: string): string =>
  `The line was judged as ${dialect} reads it, and terminal-run reads it as bash does. Name bash in the catalog, and ask anew.`;

/** The longest time limit of a tool in a catalog. */
const MAX_TIME_MS = 3_600_000;

async function snapshotBefore(
  command: string,
  root: string,
  snapshots: Snapshots,
  { signal }: CallSurroundings,
): Promise<ToolOutcome> {
  if (classifyCommand(command, 'bash').tier === 1) return { ok: true, result: {} };
  try {
    const taken = await snapshots.takeWhole({ root, limits: DEFAULT_LIMITS, signal });
    const result: JsonObject = taken.noWayBack ? { no_way_back: taken.reason } : { snapshot: taken.id };
    return { ok: true, result };
  } catch (error) {
    if (error instanceof ToolRefusal) return refused(error.code, error.message);
    return refused('runner.no_snapshot', 'A snapshot could not be taken, so the line was not executed.');
  }
}

const refused = (code: string, message: string): Extract<ToolOutcome, { ok: false }> => ({
  ok: false,
  effect: 'not_started',
  error: { code, message },
});
