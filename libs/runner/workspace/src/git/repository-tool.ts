import type { z } from 'zod';
import type { JsonObject } from '#lib/canonical';
import type { RunnerTool, ToolContext } from '../domain/runner-tool.js';
import { readTool } from '../tools/read-tool.js';
import type { Folder } from '../files/folder.js';
import type { WorkspaceSettings } from '../tools/settings.js';
import { Repository } from './repository.js';

/** A tool that looks at the repository of the workspace. */
export const repositoryTool = <Schema extends z.ZodType>(
  settings: WorkspaceSettings,
  source: {
    readonly name: string;
    readonly description: string;
    readonly schema: Schema;
    readonly reads?: readonly string[];
    readonly read: (
      repository: Repository,
      callArguments: z.output<Schema>,
      context: ToolContext,
      root: Folder,
    ) => Promise<JsonObject>;
  },
): RunnerTool =>
  readTool(settings, {
    ...source,
    category: 'git-read',
    read: (root, given, context) =>
      Repository.with(root, settings, context, (repository) => source.read(repository, given, context, root)),
  });
