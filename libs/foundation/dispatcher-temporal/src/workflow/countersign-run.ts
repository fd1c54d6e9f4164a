import {
  condition,
  continueAsNew,
  defineSignal,
  proxyActivities,
  setHandler,
  workflowInfo,
} from '@temporalio/workflow';
import { driveRun } from '../domain/drive-run.js';

/** A turn has six events or so. Temporal itself suggests a new history after thousands. */
const LONG_HISTORY = 2_000;

/** A call may take an hour and its lease a margin more. A worker that died misses its heartbeat long before. */
const activities = proxyActivities({
  startToCloseTimeout: '90 minutes',
  heartbeatTimeout: '5 seconds',
  retry: { initialInterval: '200 ms', maximumInterval: '10 seconds' },
});

const wake = defineSignal('wake');

/**
 * The workflow of one run. Temporal replays it from its history: a change of the order of its calls needs `patched`, or
 * another name.
 */
export async function countersignRun(tenantId: string, runId: string, installation: string): Promise<void> {
  let woken = false;
  setHandler(wake, () => {
    woken = true;
  });
  const end = await driveRun({
    advance: () => activities.advance(tenantId, runId, installation),
    forgetWakes: () => {
      woken = false;
    },
    woken: () => woken,
    wait: async (ms) => {
      await condition(() => woken, ms);
    },
    historyIsLong: () => {
      const { historyLength, continueAsNewSuggested } = workflowInfo();
      return continueAsNewSuggested || historyLength >= LONG_HISTORY;
    },
  });
  if (end === 'continue') await continueAsNew(tenantId, runId, installation);
}
