import type { ToolLevel } from '#lib/formats';
import type { ShellClass } from './verdict.js';

/** How much is at stake in a command of a class. */
export const CLASS_LEVEL: Readonly<Record<ShellClass, ToolLevel>> = {
  READ_ONLY: 'low',
  BUILD_TEST: 'low',
  WRITE: 'medium',
  NETWORK: 'medium',
  UNKNOWN: 'high',
  DESTRUCTIVE: 'high',
  ESCALATION: 'critical',
};
