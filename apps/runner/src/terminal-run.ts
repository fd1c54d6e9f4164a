import { z } from 'zod';
import type { JsonObject } from '#lib/canonical';
import type { AdvertisedTool, GrantClaims, ToolDocument } from '#lib/formats';
import { DEFAULT_SHELL_LIMITS, refusalOf, type ExecuteTree } from '#lib/shell-execution';
import { classifyCommand, executableTree, type ShellVerdict } from '#lib/shell-safety';
import { DEFAULT_LIMITS, ToolRefusal, type Snapshots, type ToolOutcome, type Turns } from '#lib/workspace';
import type { ServedTool } from './served-tool.js';

const argumentsSchema = z.strictObject({
  command: z.string().min(1).max(16_384).meta({ description: 'The command line, as bash reads it.' }),
});

const { $schema: _dialect, ...schema } = z.toJSONSchema(argumentsSchema, { io: 'input' });
// The schema that zod writes is JSON.
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
  // Outside production the verdict on the line takes its place. Without it, each line that changes something would want a plan.
  simulation: 'not_applicable',
  shell: { argument: '/command', shell: 'bash' },
  time_limit_seconds: 15,
};

/** The parts of the runner that a command line is executed with. */
export interface TerminalParts {
  readonly root: string;
  readonly snapshots: Snapshots;
  /** Shared with the tools that write files. */
  readonly turns: Turns;
  readonly execute: ExecuteTree;
}

/** The bases of a call that a person approved as it stands, command substitution and git's other programs included. */
const APPROVED: readonly GrantClaims['basis'][] = ['approval', 'break_glass', 'rollback'];

/**
 * `terminal-run` executes the tree of a command line if the grant names this very tree. The grant's tier must be no better than
 * the line has here (T53). A line that may write takes its turn with the other changes of the workspace. Before it a snapshot of
 * the whole root is taken. The result names it, or says why there is no way back.
 *
 * In a session the agent reads the exit status from the result. A step of a run that ends with a status other than 0 has failed
 * (`shell.exit_status`), after it took effect. Later steps may rely on it.
 *
 * Its other errors, none of which started anything: `runner.invalid_arguments`, `runner.grant_without_tree`, `runner.other_shell`,
 * `runner.no_snapshot` and `workspace.no_turn`. The others are those of {@link ExecuteTree}.
 */
export function terminalRun({ root, snapshots, turns, execute }: TerminalParts): ServedTool {
  return {
    name: TERMINAL_RUN,
    parameters: PARAMETERS,
    reads: false,
    call: async (given, { claims, signal, output, secretsToMask }) => {
      const read = argumentsSchema.safeParse(given);
      if (!read.success) return refused('runner.invalid_arguments', 'terminal-run takes one argument: command.');
      const { command } = read.data;
      const { shell: judged } = claims;
      if (judged === null) return refused('runner.grant_without_tree', WITHOUT_TREE);
      if (judged.shell !== 'bash') return refused('runner.other_shell', otherShell(judged.shell));
      const made = executableTree(command, 'bash');
      if (!made.ok) return refused(made.error.code, made.error.message);
      const call = { command, shell: 'bash', tree: made.value } as const;
      const { tree, tier } = judged;
      const approved = APPROVED.includes(claims.basis);
      const verdict = classifyCommand(command, 'bash');
      const authority = {
        treeDigest: tree,
        tier,
        commandSubstitution: approved,
        repositoryPrograms: approved || (tier === 2 && !worksElsewhere(verdict)),
        onlyReads: !approved && verdict.tier === 1,
      };
      const refusal = refusalOf(call, authority, secretsToMask);
      if (refusal !== null) return refusal;
      const context = {
        authority,
        root,
        signal,
        output,
        // The call ends by its signal, which knows the time limit of the catalog.
        limits: { ...DEFAULT_SHELL_LIMITS, timeMs: MAX_TIME_MS },
        secretsToMask,
      };
      const ended = (outcome: ToolOutcome): ToolOutcome =>
        claims.source.type === 'tool_call' ? outcome : failedByStatus(outcome);
      if (verdict.tier === 1) return ended(await execute(call, context));
      try {
        return await turns.take(root, signal, async () => {
          const wayBack = await snapshotBefore(root, snapshots, signal);
          const outcome = await execute(call, context);
          return ended(outcome.ok ? { ok: true, result: { ...outcome.result, ...wayBack } } : outcome);
        });
      } catch (error) {
        if (error instanceof ToolRefusal) return refused(error.code, error.message);
        throw error;
      }
    },
  };
}

/** True if git may work in another folder, which ordinary files can make a repository (T51). */
const worksElsewhere = ({ parts }: ShellVerdict): boolean =>
  parts.some(({ reasons }) => reasons.some(({ code }) => code === 'shell.trusts_other_folder'));

const WITHOUT_TREE =
  'The grant names no tree, since nobody judged this command line. Give terminal-run the member shell in the catalog, and ask anew.';

const otherShell = (shell: string): string =>
  `The line was judged as ${shell} reads it, and terminal-run reads it as bash does. Name bash in the catalog, and ask anew.`;

/** The end of the standard error that a reason repeats. */
const MAX_SAID = 1_000;

/** The longest time limit of a tool in a catalog. */
const MAX_TIME_MS = 3_600_000;

/** @throws {ToolRefusal} if none can be taken. */
async function snapshotBefore(root: string, snapshots: Snapshots, signal: AbortSignal): Promise<JsonObject> {
  try {
    const taken = await snapshots.takeWhole({ root, limits: DEFAULT_LIMITS, signal });
    return taken.noWayBack ? { no_way_back: taken.reason } : { snapshot: taken.id };
  } catch (error) {
    if (error instanceof ToolRefusal) throw error;
    throw new ToolRefusal('runner.no_snapshot', 'A snapshot could not be taken, so the line was not executed.');
  }
}

/** A line that ran, and says by its status that it failed. */
function failedByStatus(outcome: ToolOutcome): ToolOutcome {
  if (!outcome.ok || outcome.result.exit_status === 0) return outcome;
  const { exit_status: status, stderr } = outcome.result;
  const said = typeof stderr === 'string' ? stderr.trim().slice(-MAX_SAID) : '';
  const message = `The line ended with the exit status ${JSON.stringify(status)}${said === '' ? '.' : `: ${said}`}`;
  return { ok: false, effect: 'done', error: { code: 'shell.exit_status', message } };
}

const refused = (code: string, message: string): Extract<ToolOutcome, { ok: false }> => ({
  ok: false,
  effect: 'not_started',
  error: { code, message },
});
