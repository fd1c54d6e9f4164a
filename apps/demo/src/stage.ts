import { setTimeout as delay } from 'node:timers/promises';
import { CountersignError, type AnswerTo, type BodyOf } from '#lib/sdk';
import type { Cast, Player } from './cast.js';
import type { Narrator } from './narrator.js';
import { challengeOf } from './software-authenticator.js';

/** The parts that every scene uses. */
export interface Stage {
  readonly cast: Cast;
  readonly narrator: Narrator;
  /** The fleet itself, for injecting faults and for reading its ledger. */
  readonly fleetUrl: string;
  /** The demo's own Slack. */
  readonly slackUrl: string;
}

/** The story did not go as it must: the demo ends with an error. */
export class OffScriptError extends Error {}

const PATIENCE_MS = 120_000;
const LOOK_AGAIN_MS = 100;

/** Asks until the answer is the one waited for. */
export async function until<T>(what: string, ask: () => Promise<T>, done: (value: T) => boolean): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    const value = await ask();
    if (done(value)) return value;
    if (performance.now() > deadline)
      throw new OffScriptError(`${what} took too long: ${JSON.stringify(value).slice(0, 500)}`);
    await delay(LOOK_AGAIN_MS);
  }
}

/** A refusal that has to come; anything else is an error of the demo. */
export async function refused(work: Promise<unknown>, code?: string): Promise<CountersignError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof CountersignError && (code === undefined || error.code === code)) return error;
    throw error;
  }
  throw new OffScriptError(`Countersign allowed what it must refuse${code === undefined ? '' : ` with ${code}`}.`);
}

/** Shows a refusal as its receiver sees it. */
export function tellRefusal(narrator: Narrator, error: CountersignError): void {
  narrator.no(`${error.problem.detail} (${error.code})`);
  for (const reason of error.problem.reasons ?? []) narrator.aside(`  ${reason.code}, ${reason.rule}`);
}

/** Submits a task and a plan as the agent. */
export async function submit(
  { client }: Player,
  goal: string,
  plan: BodyOf<'post', '/v1/tasks/{id}/plans'>,
): Promise<{ readonly taskId: string; readonly plan: AnswerTo<'post', '/v1/tasks/{id}/plans'> }> {
  const task = await client.post('/v1/tasks', {
    body: {
      goal,
      task_type: 'drift_remediation',
      environment: 'production',
      timeout_minutes: 60,
      constraints: { canary_required: true, max_batch_percent: 20 },
      agent: { model: 'example-model', version: '1' },
    },
  });
  return { taskId: task.id, plan: await client.post('/v1/tasks/{id}/plans', { path: { id: task.id }, body: plan }) };
}

/** Simulates a plan and waits for the fleet's prediction. */
export async function simulate({ cast: { agent }, narrator }: Stage, planId: string) {
  const started = await agent.client.post('/v1/plans/{id}/simulations', { path: { id: planId } });
  const simulation = await narrator.during(
    'simulating',
    until(
      'the simulation',
      () => agent.client.get('/v1/simulations/{id}', { path: { id: started.id } }),
      ({ state }) => state !== 'pending' && state !== 'running',
    ),
  );
  if (simulation.state !== 'succeeded' || simulation.result === null) {
    throw new OffScriptError(`the simulation ended ${simulation.state}: ${simulation.failure?.message ?? ''}`);
  }
  return simulation.result;
}

/** One review of exactly the shown plan, signed with the reviewer's passkey if the terms ask for it. */
export async function approve(reviewer: Player, requestId: string, comment: string) {
  const seen = await reviewer.client.get('/v1/approval-requests/{id}', { path: { id: requestId } });
  const review = { verdict: 'approve', comment, subject_digest: seen.subject.digest } as const;
  if (!seen.decision.obligations.mfa || reviewer.passkey === null)
    return reviewer.client.post('/v1/approval-requests/{id}/reviews', { path: { id: requestId }, body: review });
  const asked = await reviewer.client.post('/v1/step-ups', {
    body: { operation: { kind: 'review', request_id: requestId, ...review } },
  });
  const assertion = reviewer.passkey.assert(challengeOf(asked.passkey_options ?? {}));
  const proof = await reviewer.client.post('/v1/step-ups/{id}/proof', {
    path: { id: asked.id },
    body: { method: 'passkey', assertion },
  });
  return reviewer.client.post('/v1/approval-requests/{id}/reviews', {
    path: { id: requestId },
    body: { ...review, step_up_id: proof.id },
  });
}

/** The run that an approval started. */
export async function runOf({ cast: { agent } }: Stage, planId: string) {
  const { items } = await until(
    'the run',
    () => agent.client.get('/v1/runs', { query: { plan_id: planId } }),
    (page) => page.items.length > 0,
  );
  const [run] = items;
  if (run === undefined) throw new OffScriptError('the approval started no run');
  return run;
}
