import { TOOL_LEVELS, type ToolLevel } from '#lib/formats';
import { CLASS_LEVEL } from '#lib/shell-safety';
import { liftsRisk, level, type ToolVersion } from '#lib/tool';
import type { ToolCallFacts } from './tool-call.js';

/**
 * How much is at stake in a call. A command line has the level of its class. Any other call has the level of the tool,
 * or that of its paths if they make it graver. policies/session says the same.
 */
export function callLevel(
  { definition }: Pick<ToolVersion, 'definition'>,
  { shell, paths }: Pick<ToolCallFacts, 'shell' | 'paths'>,
): ToolLevel {
  if (shell !== null) return CLASS_LEVEL[shell.class];
  const ofTool = level(definition);
  if (paths === null || !liftsRisk(paths)) return ofTool;
  const ofPaths = CLASS_LEVEL[paths.class];
  return TOOL_LEVELS.indexOf(ofPaths) > TOOL_LEVELS.indexOf(ofTool) ? ofPaths : ofTool;
}
