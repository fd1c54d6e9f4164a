import { setTimeout as delay } from 'node:timers/promises';
import { CountersignError, isWaiting } from '#lib/sdk';
import { FORMER_IMAGE, GOLDEN_IMAGE, smallRolloutPlan } from '../rollout-plan.js';
import { OffScriptError, simulate, submit, type Stage } from '../stage.js';

/** Three at a time, so that neighbours do not wait for each other's targets. */
const GROUPS = Array.from({ length: 9 }, (_, group) =>
  [1, 2, 3].map((server) => `web-${String(group * 3 + server).padStart(2, '0')}`),
);
/** Some seconds with the demo's shortened waits: a run can be watched, paused and rolled back. */
const WAIT_SECONDS = 3_000;
const LOOK_AGAIN_MS = 1_000;
const TRY_AGAIN_MS = 5_000;

/**
 * From now on there is always something to decide for whoever looks around: the agent asks for the next rollout as soon as
 * the last one was decided. A halt makes it wait.
 */
export async function keepAsking(stage: Stage, signal: AbortSignal): Promise<() => Promise<void>> {
  let open = await ask(stage, 0);
  return async () => {
    for (let turn = 1; !signal.aborted;) {
      try {
        const { state } = await stage.cast.agent.client.approvals.get(open);
        if (state === 'open') await delay(LOOK_AGAIN_MS, undefined, { signal });
        else {
          open = await ask(stage, turn);
          turn += 1;
        }
      } catch (error) {
        if (!(error instanceof CountersignError)) throw error;
        await delay(TRY_AGAIN_MS, undefined, { signal });
      }
    }
  };
}

/** @returns the id of the request. */
async function ask(stage: Stage, turn: number): Promise<string> {
  const targets = GROUPS[turn % GROUPS.length] ?? [];
  const image = Math.floor(turn / GROUPS.length) % 2 === 0 ? FORMER_IMAGE : GOLDEN_IMAGE;
  const { agent } = stage.cast;
  const { plan } = await submit(
    agent,
    `bring ${targets[0] ?? ''} to ${targets.at(-1) ?? ''} to ${image}`,
    smallRolloutPlan(image, targets, WAIT_SECONDS),
  );
  await simulate(stage, plan.id);
  return (await agent.client.approvals.open(plan.id)).id;
}

/** A loosening that Ada asks for, left for Noor to confirm: break-glass is switched on. */
export async function leaveChangeForNoor({ cast: { ada } }: Stage): Promise<void> {
  const { source, etag } = await ada.client.autonomy.get();
  const change = await ada.client.autonomy.put(source.replace('enabled: false', 'enabled: true'), { etag });
  if (!isWaiting(change)) throw new OffScriptError('Switching break-glass on did not wait for a second person.');
}
