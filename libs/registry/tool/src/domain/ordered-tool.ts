import type { DispatchOrder } from '#lib/dispatch';
import type { ToolVersion } from './tool-version.js';

/** A tool as the order of a call names it. */
export const orderedTool = ({ name, version, definition }: ToolVersion): DispatchOrder['tool'] => ({
  name,
  version,
  timeLimitSeconds: definition.time_limit_seconds,
  idempotent: definition.idempotent,
  ...(definition.mcp === undefined ? {} : { mcp: definition.mcp }),
});
