import type { RunState } from '#lib/contracts';
import { FINISHED_RUN_STATES } from '#lib/run';

const ENDED: ReadonlySet<string> = new Set(FINISHED_RUN_STATES);

/** Whether nothing more comes of the run. */
export const isRunEnded = (state: RunState): boolean => ENDED.has(state);
