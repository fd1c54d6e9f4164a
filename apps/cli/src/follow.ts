import { setTimeout as delay } from 'node:timers/promises';
import pc from 'picocolors';
import type { AnswerTo, CountersignClient } from '#lib/sdk';

type Simulation = AnswerTo<'get', '/v1/simulations/{id}'>;
type Request = AnswerTo<'get', '/v1/approval-requests/{id}'>;

const LOOK_AGAIN_MS = 500;

/** A simulation whenever it has changed, until it has ended. */
export const followSimulation = (api: CountersignClient, id: string): AsyncGenerator<Simulation> =>
  changesOf(
    () => api.get('/v1/simulations/{id}', { path: { id } }),
    ({ state }) => state,
    ({ state }) => state !== 'pending' && state !== 'running',
  );

/** Simulates a plan, and waits for the result. */
export async function simulated(
  api: CountersignClient,
  planId: string,
  note: (text: string) => void,
): Promise<Simulation> {
  let last = await api.post('/v1/plans/{id}/simulations', { path: { id: planId } });
  for await (const simulation of followSimulation(api, last.id)) {
    if (simulation.state !== last.state) note(pc.dim(`simulation ${simulation.state}`));
    last = simulation;
  }
  return last;
}

/** An approval request whenever its state or its reviews have changed, until it is decided. */
export const followRequest = (api: CountersignClient, id: string): AsyncGenerator<Request> =>
  changesOf(
    () => api.get('/v1/approval-requests/{id}', { path: { id } }),
    ({ state, reviews }) => `${state} ${reviews.map((review) => review.id).join(' ')}`,
    ({ state }) => state !== 'open',
  );

async function* changesOf<View>(
  read: () => Promise<View>,
  stampOf: (view: View) => string,
  ended: (view: View) => boolean,
): AsyncGenerator<View> {
  let stamp: string | null = null;
  for (;;) {
    const view = await read();
    if (stampOf(view) !== stamp) yield view;
    if (ended(view)) return;
    stamp = stampOf(view);
    await delay(LOOK_AGAIN_MS);
  }
}
