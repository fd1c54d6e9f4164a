import { z } from 'zod';
import { defineTool } from '../define-tool.js';
import type { RunnerTool } from '../domain/runner-tool.js';
import { documentOf } from './categories.js';
import { TOOL_SECONDS } from './settings.js';
import type { WriteDeps } from './write-tool.js';

/** The way back: restores the state before a write. The snapshot holds the files, so that no argument is a path to judge. */
export const rollbackCheckpoint = ({ settings }: WriteDeps): RunnerTool =>
  defineTool({
    name: 'rollback-checkpoint',
    document: documentOf(
      'workspace-write',
      'Restores the files as they were before a write. It names no path to judge: its snapshot holds the files.',
      TOOL_SECONDS,
      ['/snapshot'],
    ),
    schema: z.strictObject({
      snapshot: z
        .string()
        .regex(/^[0-9a-f]{32}$/, 'must be the 32 hexadecimal digits that the result of the write names')
        .meta({ description: 'The snapshot that the result of the write names.' }),
    }),
    run: ({ root, signal }, { snapshot }) =>
      settings.turns.take(root, signal, async () => ({
        snapshot,
        changed: await settings.snapshots.rollback(root, snapshot),
      })),
  });
