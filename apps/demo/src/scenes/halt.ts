import { smallRolloutPlan, GOLDEN_IMAGE } from '../rollout-plan.js';
import { approve, refused, runOf, simulate, submit, tellRefusal, until, type Stage } from '../stage.js';
import { tellRun } from './tell-run.js';

/** Somebody pulls the brake while a run is under way: nothing more leaves, and going back still works. */
export async function meetHalt(stage: Stage): Promise<void> {
  const { cast, narrator } = stage;
  narrator.scene('A third task meets a halt');
  const { plan } = await submit(
    cast.agent,
    'roll four servers again',
    smallRolloutPlan(GOLDEN_IMAGE, ['web-40', 'web-41', 'web-42', 'web-43'], 3_000),
  );
  await simulate(stage, plan.id);
  const request = await cast.agent.client.post('/v1/plans/{id}/approval-requests', { path: { id: plan.id }, body: {} });
  await approve(cast.sam, request.id, 'fine');
  await approve(cast.lea, request.id, 'fine');
  const { id } = await runOf(stage, plan.id);
  await tellRun(stage, id, null, ({ type }) => type === 'run.waiting');

  narrator.act('Dev', 'sees something odd and halts production, with one request');
  const halt = await cast.dev.client.post('/v1/halts', {
    body: {
      kind: 'environment',
      environment: 'production',
      reason: 'error budget is burning',
    },
  });
  narrator.yes(
    `${String(halt.effect.paused_runs.length)} run asked to pause, ${String(halt.effect.revoked_grants)} grants revoked, ` +
      `${String(halt.effect.in_flight.length)} calls had already left`,
  );
  const paused = await until(
    'the pause',
    () => cast.agent.client.get('/v1/runs/{id}', { path: { id } }),
    ({ state }) => state === 'paused',
  );
  narrator.no(`the run is paused: ${paused.reason?.message ?? ''}`);
  narrator.act('drift-bot', 'tries something else in production');
  tellRefusal(narrator, await refused(tryAnother(stage)));
  narrator.act('Sam', 'rolls back what was done; a halt does not stand in the way of that');
  await cast.sam.client.post('/v1/runs/{id}/roll-back', { path: { id }, body: { note: 'not while the budget burns' } });
  await until(
    'the rollback',
    () => cast.agent.client.get('/v1/runs/{id}', { path: { id } }),
    ({ state }) => state === 'rolled_back',
  );
  narrator.yes('the run is rolled back');
  narrator.act('Sam', 'lifts the halt, with a note');
  await cast.sam.client.post('/v1/halts/{id}/lift', {
    path: { id: halt.id },
    body: { note: 'the error budget was a broken dashboard' },
  });
}

async function tryAnother({ cast }: Stage): Promise<void> {
  const { plan } = await submit(
    cast.agent,
    'roll two other servers',
    smallRolloutPlan(GOLDEN_IMAGE, ['web-01', 'web-02'], 60),
  );
  await cast.agent.client.post('/v1/plans/{id}/simulations', { path: { id: plan.id } });
}
