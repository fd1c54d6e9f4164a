import { z } from 'zod';
import { defineTool } from '../define-tool.js';
import type { RunnerTool } from '../domain/runner-tool.js';
import { withRoot } from '../files/locate.js';
import { runScript, scriptNameSchema } from '../programs/run-script.js';
import { documentOf } from './categories.js';
import type { WorkspaceSettings } from './settings.js';

export const testRun = (settings: WorkspaceSettings): RunnerTool =>
  defineTool({
    name: 'test-run',
    document: documentOf(
      'terminal-write',
      'Runs a script of package.json, without a shell of its own.',
      settings.programs.scriptSeconds,
      ['/script'],
    ),
    schema: z.strictObject({
      script: scriptNameSchema.optional().meta({ description: 'The name of the script; test if absent.' }),
    }),
    run: (context, { script = 'test' }) =>
      withRoot(
        context.root,
        async (root) => ({ ...(await runScript(root, script, context, settings.programs)) }),
        settings.platform,
      ),
  });
