import type { RunState } from '#lib/formats';
import { FINISHED_RUN_STATES } from '#lib/run';

const ENDED: ReadonlySet<string> = new Set(FINISHED_RUN_STATES);

/** True if the run has ended. */
export const isRunEnded = (state: RunState): boolean => ENDED.has(state);
