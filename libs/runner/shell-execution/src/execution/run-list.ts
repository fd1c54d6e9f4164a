import { closeSync } from 'node:fs';
import type { TreeCommand, TreeList, TreePipeline } from '#lib/shell-safety';
import type { Descriptors, Line, ShellState } from './line.js';
import { runCommand } from './run-command.js';

/** Runs pipelines in order. The status of the last that ran is the state's afterwards. @throws Stop */
export async function runList(list: TreeList, line: Line, state: ShellState, descriptors: Descriptors): Promise<void> {
  for (const pipeline of list) {
    if (pipeline.when !== 'always' && (state.status === 0) !== (pipeline.when === 'success')) continue;
    const status = await runPipeline(pipeline, line, state, descriptors);
    state.status = pipeline.negated ? Number(status === 0) : status;
  }
}

/** The status of a pipeline is that of its last command (no pipefail). A single command runs in the state itself, so that cd lasts. */
async function runPipeline(
  { commands }: TreePipeline,
  line: Line,
  state: ShellState,
  descriptors: Descriptors,
): Promise<number> {
  const [only, ...others] = commands;
  if (only !== undefined && others.length === 0) return await runCommand(only, line, state, descriptors, [], runList);
  const stages = stagesOf(commands, line, descriptors);
  const ended = stages.map(async ({ command, mapped, owned }) => {
    try {
      return await runCommand(command, line, { ...state }, mapped, owned, runList);
    } catch (error) {
      line.stop(error);
      throw error;
    }
  });
  const results = await Promise.allSettled(ended);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  const last = results.at(-1);
  return last?.status === 'fulfilled' ? last.value : 0;
}

interface Stage {
  readonly command: TreeCommand;
  readonly mapped: Descriptors;
  /** The ends of pipes that this stage closes. */
  readonly owned: readonly number[];
}

function stagesOf(commands: readonly TreeCommand[], line: Line, descriptors: Descriptors): Stage[] {
  let input: number | null = null;
  const stages: Stage[] = [];
  try {
    for (const [index, command] of commands.entries()) {
      const mapped = new Map(descriptors);
      const owned: number[] = [];
      if (input !== null) {
        mapped.set(0, input);
        owned.push(input);
        input = null;
      }
      stages.push({ command, mapped, owned });
      if (index === commands.length - 1) continue;
      const pipe = line.pipes.take();
      mapped.set(1, pipe.write);
      owned.push(pipe.write);
      input = pipe.read;
    }
    return stages;
  } catch (error) {
    for (const { owned } of stages) owned.forEach(closeSync);
    throw error;
  }
}
