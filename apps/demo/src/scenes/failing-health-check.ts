import { smallRolloutPlan } from '../rollout-plan.js';
import { approve, runOf, simulate, submit, until, type Stage } from '../stage.js';
import { tellRun } from './tell-run.js';

const BROKEN_IMAGE = 'web-2026.12';

/** A server does not answer its health check after the change: the run pauses, and is rolled back. */
export async function failHealthCheck(stage: Stage): Promise<void> {
  const { cast, narrator, fleetUrl } = stage;
  narrator.scene('A second task meets a failing health check');
  await fetch(`${fleetUrl}/faults`, {
    method: 'POST',
    body: JSON.stringify({ assets: ['web-31'], image: BROKEN_IMAGE, effect: 'silent' }),
  });
  narrator.aside(`(the fleet is told that web-31 will fall silent on ${BROKEN_IMAGE})`);
  const { plan } = await submit(
    cast.agent,
    `try ${BROKEN_IMAGE} on three servers`,
    smallRolloutPlan(BROKEN_IMAGE, ['web-30', 'web-31', 'web-32'], 60),
  );
  await simulate(stage, plan.id);
  const request = await cast.agent.client.post('/v1/plans/{id}/approval-requests', { path: { id: plan.id }, body: {} });
  await approve(cast.sam, request.id, 'three servers, canary first');
  await approve(cast.lea, request.id, 'ok');
  narrator.act('people', 'approve it; the canary goes well, then web-31 gets the image');
  const { id } = await runOf(stage, plan.id);
  const pausedAt = await tellRun(stage, id, null, ({ type }) => type === 'run.paused');
  await until(
    'the pause',
    () => cast.sam.client.get('/v1/runs/{id}', { path: { id } }),
    ({ state }) => state === 'paused',
  );
  narrator.act('Sam', 'looks, and rolls back');
  await cast.sam.client.post('/v1/runs/{id}/roll-back', { path: { id }, body: { note: 'web-31 does not answer' } });
  await tellRun(stage, id, 'rolled_back', undefined, pausedAt);
}
