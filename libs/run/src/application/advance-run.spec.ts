import type { PlanDocument } from '#lib/contracts';
import { runWorld, type RunWorld } from '../../../../test/support/run-world.js';

const deployStep = {
  id: 'deploy',
  tool: 'deploy',
  arguments: { targets: { $batch: 'targets' } },
  on_failure: 'pause',
  compensate_with: { tool: 'undeploy', arguments: { targets: { $batch: 'targets' } } },
} as const;

const phase = (name: string, targets: string[], more: Partial<PlanDocument['phases'][number]> = {}): PlanDocument['phases'][number] => ({
  name,
  canary: false,
  targets,
  batch_percent: 100,
  wait_seconds: 0,
  health_checks: [],
  steps: [deployStep],
  ...more,
});

describe('advanceRun', () => {
  let world: RunWorld;
  beforeAll(async () => {
    world = await runWorld();
  });
  afterAll(async () => world.close());
  beforeEach(() => {
    world.calls.length = 0;
    world.behave(() => ({ kind: 'succeeded', result: { ok: true } }));
  });

  it('executes phases and batches in order, to the end', async () => {
    const run = await world.queued({ phases: [phase('one', ['a1', 'a2'], { batch_percent: 25 }), phase('two', ['a3', 'a4'])] });
    const done = await world.settle(run.id);
    expect(done.state).toBe('completed');
    expect(world.calls.map((call) => call.arguments)).toEqual([
      { targets: ['a1'] },
      { targets: ['a2'] },
      { targets: ['a3', 'a4'] },
    ]);
  });
});
