import type { z } from 'zod';
import type { JsonObject } from '#lib/canonical';
import { defineTool } from '../define-tool.js';
import type { RunnerTool, ToolContext } from '../domain/runner-tool.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import type { Folder } from '../files/folder.js';
import { withRoot } from '../files/locate.js';
import { documentOf, type Category, type PathPointers } from './categories.js';
import type { Checks } from './checks.js';
import { TOOL_SECONDS, type WorkspaceSettings } from './settings.js';

/** A change that was checked and is ready: nothing has been written yet. */
export interface PreparedWrite {
  /** The names on the way to each entry that will change, for the snapshot. */
  readonly changes: readonly (readonly string[])[];
  readonly apply: () => Promise<JsonObject>;
}

export interface WriteSource<Schema extends z.ZodType> {
  readonly name: string;
  readonly category: Extract<Category, 'workspace-write' | 'git-write'>;
  readonly description: string;
  readonly schema: Schema;
  readonly identityFields: readonly string[];
  /** JSON Pointers to the arguments that are paths. */
  readonly paths?: PathPointers;
  /** By default `modify`. */
  readonly effect?: 'modify' | 'destructive';
  /** @throws {ToolRefusal} if the change is refused: then nothing has happened. */
  readonly prepare: (root: Folder, callArguments: z.output<Schema>, context: ToolContext) => Promise<PreparedWrite>;
}

/** The parts that all writing tools share. */
export interface WriteDeps {
  readonly settings: WorkspaceSettings;
  readonly checks: Checks;
}

/**
 * Makes a writing tool: check, snapshot, write; then the configured
 * checks, whose output is in the result. A write that fails half-way is undone. The snapshot is let go if all checks pass;
 * otherwise the result names it, and `rollback-checkpoint` restores it.
 */
export function writeTool<Schema extends z.ZodType>(
  { settings, checks }: WriteDeps,
  { name, category, description, schema, identityFields, paths, effect, prepare }: WriteSource<Schema>,
): RunnerTool {
  const checked = category === 'workspace-write' && settings.checks.length > 0;
  return defineTool({
    name,
    document: documentOf(category, description, TOOL_SECONDS, identityFields, paths, effect),
    schema,
    run: async (context, given) => {
      const write = (root: Folder): Promise<JsonObject> =>
        settings.turns.take(context.root, context.signal, async () => {
          context.signal.throwIfAborted();
          return await writeWithSnapshot(settings, context, await prepare(root, given, context));
        });
      return await withRoot(context.root, write, settings.platform);
    },
    ...(checked
      ? { after: { seconds: checks.seconds, run: (context, result) => verify(settings, checks, context, result) } }
      : {}),
  });
}

async function writeWithSnapshot(
  { snapshots }: WorkspaceSettings,
  context: ToolContext,
  { changes, apply }: PreparedWrite,
): Promise<JsonObject> {
  const { id } = await snapshots.takePaths(context, changes);
  try {
    return { ...(await apply()), snapshot: id };
  } catch (problem) {
    const reason = problem instanceof Error ? problem.message : 'unknown problem';
    try {
      await snapshots.rollback(context.root, id);
    } catch {
      throw new ToolRefusal(
        'workspace.write_unfinished',
        `The write failed half-way: ${reason} It could not be undone. Roll back to the snapshot ${id}.`,
        'unknown',
      );
    }
    await snapshots.forget(id);
    if (problem instanceof ToolRefusal) throw problem;
    throw new ToolRefusal('workspace.write_failed', `The write failed, and was undone: ${reason}.`);
  }
}

async function verify(
  { snapshots }: WorkspaceSettings,
  checks: Checks,
  context: ToolContext,
  result: JsonObject,
): Promise<JsonObject> {
  const ends = await checks.after(context);
  const checked = { ...result, checks: ends.map((end) => ({ ...end })) };
  if (!ends.every(({ passed }) => passed) || typeof result.snapshot !== 'string') return checked;
  await snapshots.forget(result.snapshot);
  return { ...checked, snapshot: null };
}
