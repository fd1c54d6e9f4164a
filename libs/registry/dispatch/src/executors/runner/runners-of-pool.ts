import type { DispatchOrder } from '../../application/tool-dispatcher.port.js';
import { runnerKind } from './runner-kind.js';

/** The runners of a pool as an executor that no registry holds. */
export const runnersOfPool = (name: string, pool: string, audience: string): DispatchOrder['executor'] => ({
  name,
  kind: runnerKind.name,
  url: null,
  audience,
  secret: null,
  settings: { pool },
});
