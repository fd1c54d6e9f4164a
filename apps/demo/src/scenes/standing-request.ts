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
/** The states of a plan without an approval request. */
const CAN_BE_ASKED_FOR: ReadonlySet<string> = new Set(['validated', 'simulated']);

/**
 * Keeps one request open for a visitor. The agent asks for the next rollout as soon as the last one was decided. An obstacle, for
 * example a halt, makes it wait and try again with the same plan.
 */
export async function keepAsking(stage: Stage, signal: AbortSignal): Promise<() => Promise<void>> {
  const { client } = stage.cast.agent;
  let open = await ask(stage, await propose(stage, 0));
  return async () => {
    let proposed: string | null = null;
    for (let turn = 1; !signal.aborted;) {
      try {
        if (
          proposed === null &&
          (await client.get('/v1/approval-requests/{id}', { path: { id: open } })).state === 'open'
        ) {
          await delay(LOOK_AGAIN_MS, undefined, { signal });
          continue;
        }
        proposed ??= await propose(stage, turn);
        open = await ask(stage, proposed);
        proposed = null;
        turn += 1;
      } catch (error) {
        if (!(error instanceof CountersignError || error instanceof OffScriptError)) throw error;
        await delay(TRY_AGAIN_MS, undefined, { signal });
        // Somebody may have executed it meanwhile by breaking the glass: then the next one is asked for.
        const status =
          proposed === null ? undefined : (await client.get('/v1/plans/{id}', { path: { id: proposed } })).status;
        if (status !== undefined && !CAN_BE_ASKED_FOR.has(status)) {
          proposed = null;
          turn += 1;
        }
      }
    }
  };
}

/** @returns the id of the plan. */
async function propose({ cast: { agent } }: Stage, turn: number): Promise<string> {
  const targets = GROUPS[turn % GROUPS.length] ?? [];
  const image = Math.floor(turn / GROUPS.length) % 2 === 0 ? FORMER_IMAGE : GOLDEN_IMAGE;
  const goal = `bring ${targets[0] ?? ''} to ${targets.at(-1) ?? ''} to ${image}`;
  return (await submit(agent, goal, smallRolloutPlan(image, targets, WAIT_SECONDS))).plan.id;
}

/** @returns the id of the request. */
async function ask(stage: Stage, planId: string): Promise<string> {
  await simulate(stage, planId);
  return (await stage.cast.agent.client.post('/v1/plans/{id}/approval-requests', { path: { id: planId }, body: {} }))
    .id;
}

const LOOSENINGS = [
  ['enabled: false', 'enabled: true'],
  ['require_two_approvers: true # For critical risk', 'require_two_approvers: false'],
] as const;

/**
 * A loosening that Ada asks for, left for Noor to confirm. Break-glass is switched on, and one approval is enough in production.
 */
export async function leaveChangeForNoor({ cast: { ada } }: Stage): Promise<void> {
  const { text: source, headers } = await ada.client.answer('GET', '/v1/autonomy', { accept: 'application/yaml' });
  const yaml = LOOSENINGS.reduce((text, [from, to]) => {
    if (!text.includes(from)) throw new OffScriptError(`The autonomy document has no “${from}” to loosen.`);
    return text.replace(from, to);
  }, source);
  const change = await ada.client
    .because('On call may have to act before two people can be reached.')
    .put('/v1/autonomy', { yaml, ifMatch: headers.get('etag') ?? undefined });
  if (!isWaiting(change)) throw new OffScriptError('The loosening did not wait for a second person.');
}
