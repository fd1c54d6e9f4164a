import type { z } from 'zod';
import type { JsonObject } from '#lib/canonical';
import { defineTool } from '../define-tool.js';
import type { RunnerTool, ToolContext } from '../domain/runner-tool.js';
import type { Folder } from '../files/folder.js';
import { withRoot } from '../files/locate.js';
import { documentOf, type Category } from './categories.js';
import { TOOL_SECONDS, type WorkspaceSettings } from './settings.js';

/** A tool that only looks. */
export interface ReadSource<Schema extends z.ZodType> {
  readonly name: string;
  readonly category?: Extract<Category, 'read' | 'git-read'>;
  readonly description: string;
  readonly schema: Schema;
  readonly identityFields?: readonly string[];
  /** JSON Pointers to the arguments that are paths. */
  readonly reads?: readonly string[];
  readonly read: (root: Folder, callArguments: z.output<Schema>, context: ToolContext) => Promise<JsonObject>;
}

/** Makes a reading tool: it opens the root for the call, within its time limit. */
export const readTool = <Schema extends z.ZodType>(
  settings: WorkspaceSettings,
  { name, category = 'read', description, schema, identityFields = [], reads = [], read }: ReadSource<Schema>,
): RunnerTool =>
  defineTool({
    name,
    document: documentOf(category, description, TOOL_SECONDS, identityFields, { reads }),
    schema,
    run: (context, given) => withRoot(context.root, (root) => read(root, given, context), settings.platform),
  });
