import type { PlanDocument } from '#lib/formats';
import type { DispatchOutcome } from '#lib/dispatch';
import {
  batchTargets,
  called,
  failed,
  fine,
  healthCheck,
  lost,
  newHost,
  phase,
  step,
  stepIdOf,
  undo,
  valueOf,
} from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

describe('a run', () => {
  it('executes batches and phases in order, to the end', async () => {
    const [a, b, c] = [newHost(), newHost(), newHost()];
    const run = await world().queued({
      phases: [phase('one', [a, b], [step('first')], { batch_percent: 34 }), phase('two', [c], [step('second')])],
    });
    const done = await world().settle(run.id);
    expect(done).toMatchObject({ state: 'completed', nextAt: null, outcome: { affected_assets: 3, not_undone: [] } });
    expect(called(world())).toEqual([`deploy ["${a}"]`, `deploy ["${b}"]`, `deploy ["${c}"]`]);
    expect(await world().eventTypes(run.id)).toEqual([
      'run.created',
      'run.started',
      ...Array.from({ length: 3 }, () => ['run.step_dispatched', 'run.step_succeeded', 'run.health_evaluated']).flat(),
      'run.completed',
    ]);
    expect(await world().taskState(run)).toBe('completed');
    const next = await world().queued({ phases: [phase('one', [a, b, c], [step('next')])] });
    expect(await world().settle(next.id)).toMatchObject({ state: 'completed', waitingOn: null });
  });

  it('leaves an audit entry for each of its events', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('first')])] });
    await world().settle(run.id);
    const entries = world()
      .audit.of(world())
      .filter(({ subject }) => subject.type === 'run' && subject.id === run.id);
    expect(entries.map(({ action }) => action)).toEqual(await world().eventTypes(run.id));
  });

  it('waits after a batch, and only then checks its health', async () => {
    const run = await world().queued({
      phases: [phase('one', [newHost()], [step('first')], { wait_seconds: 60, health_checks: [healthCheck] })],
    });
    const waiting = await world().settle(run.id);
    expect(waiting.state).toBe('executing');
    expect(world().calls).toHaveLength(1);
    expect(await world().eventTypes(run.id)).toContain('run.waiting');
    world().passTime(61);
    expect((await world().settle(run.id)).state).toBe('completed');
    expect(world().calls.map((call) => [call.tool.name, call.basis])).toEqual([
      ['deploy', 'policy'],
      ['check', 'health_check'],
    ]);
  });

  it('retries an idempotent call if its plan says so, at growing intervals, and then pauses', async () => {
    world().behave(() => failed('done'));
    const run = await world().queued({
      phases: [phase('one', [newHost()], [step('again', { tool: 'restart', on_failure: 'retry' })])],
    });
    await world().settle(run.id);
    expect(world().calls).toHaveLength(1);
    world().passTime(1);
    await world().settle(run.id);
    expect(world().calls).toHaveLength(2);
    world().passTime(10);
    const paused = await world().settle(run.id);
    expect(world().calls).toHaveLength(3);
    expect(world().calls.map((call) => call.attempt)).toEqual([1, 2, 3]);
    expect(new Set(world().calls.map((call) => call.idempotencyKey)).size).toBe(1);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.step_failed' } });
  });

  it('never retries a call that is not idempotent, nor lets a person resume past it', async () => {
    world().behave(() => failed('not_started'));
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('once')])] });
    await world().settle(run.id);
    world().passTime(60);
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.step_failed' } });
    expect(world().calls).toHaveLength(1);
    expect(await world().parts.resume.execute(world().person, run.id, null)).toMatchObject({
      ok: false,
      error: { code: 'run.step_failed' },
    });
  });

  it('rolls back in reverse order, and lists the changes without a compensation', async () => {
    const [a, b] = [newHost(), newHost()];
    world().behave((order) => (order.tool.name === 'deploy' && order.arguments.amount === 9 ? failed('done') : fine));
    const run = await world().queued({
      phases: [
        phase(
          'one',
          [a, b],
          [
            step('kept'),
            step('undone', { compensate_with: undo }),
            step('also_undone', { compensate_with: undo }),
            step('breaks', { arguments: { ...batchTargets, amount: 9 }, on_failure: 'rollback' }),
          ],
        ),
      ],
    });
    const ended = await world().settle(run.id);
    expect(ended).toMatchObject({
      state: 'rolled_back',
      rollbackReason: { code: 'run.step_failed' },
      outcome: {
        not_undone: [
          { step_id: 'kept', why: 'no_compensation' },
          { step_id: 'breaks', why: 'failed_halfway' },
        ],
      },
    });
    expect(
      world()
        .calls.slice(-2)
        .map((call) => [call.tool.name, call.basis, call.step]),
    ).toEqual([
      ['undeploy', 'rollback', await stepIdOf(world(), run.id, 'also_undone')],
      ['undeploy', 'rollback', await stepIdOf(world(), run.id, 'undone')],
    ]);
  });

  it('ends as rollback_failed if one change could not be undone, and undoes the others', async () => {
    world().behave((order) => (order.tool.name === 'undeploy_once' ? failed('done') : fine));
    const run = await world().queued({
      phases: [
        phase(
          'one',
          [newHost()],
          [
            step('first', { compensate_with: undo }),
            step('second', { compensate_with: { tool: 'undeploy_once', arguments: batchTargets } }),
          ],
          { wait_seconds: 600 },
        ),
      ],
    });
    await world().settle(run.id);
    valueOf(await world().parts.control.execute(world().person, run.id, 'roll_back', 'not good'));
    expect(await world().settle(run.id)).toMatchObject({
      state: 'rollback_failed',
      outcome: { not_undone: [{ step_id: 'second', why: 'compensation_failed' }] },
    });
    expect(await world().steps(run.id)).toEqual(['first:compensated', 'second:compensation_failed']);
  });
});

describe('health', () => {
  const gated = (target: string): PlanDocument => ({
    phases: [
      phase('one', [target], [step('first', { compensate_with: undo })], {
        health_checks: [healthCheck],
        rollback_if: 'web.error_rate > 0.05',
      }),
    ],
  });
  const reporting =
    (metrics: Record<string, number>) =>
    (order: { tool: { name: string } }): DispatchOutcome =>
      order.tool.name === 'check' ? { kind: 'succeeded', result: { metrics } } : fine;

  it('goes on if the condition is not met', async () => {
    world().behave(reporting({ error_rate: 0.01 }));
    const run = await world().queued(gated(newHost()));
    expect((await world().settle(run.id)).state).toBe('completed');
  });

  it('rolls back if it is met', async () => {
    world().behave(reporting({ error_rate: 0.2 }));
    const run = await world().queued(gated(newHost()));
    expect(await world().settle(run.id)).toMatchObject({
      state: 'rolled_back',
      rollbackReason: { code: 'run.rollback_condition_met' },
    });
    expect(called(world()).at(-1)).toMatch(/^undeploy /);
  });

  it('pauses if a metric is missing, and asks again when resumed', async () => {
    world().behave(reporting({ latency: 1 }));
    const run = await world().queued(gated(newHost()));
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.health_unclear' } });
    world().behave(reporting({ error_rate: 0 }));
    valueOf(await world().parts.resume.execute(world().person, run.id, 'the agent reports again'));
    expect((await world().settle(run.id)).state).toBe('completed');
    expect(called(world()).filter((call) => call.startsWith('check'))).toHaveLength(2);
  });

  it('pauses if a check fails, and is never sent past it by resuming', async () => {
    world().behave((order) => (order.tool.name === 'check' ? failed('not_started') : fine));
    const run = await world().queued(gated(newHost()));
    expect(await world().settle(run.id)).toMatchObject({
      state: 'paused',
      reason: { code: 'run.health_check_failed' },
    });
    valueOf(await world().parts.resume.execute(world().person, run.id, null));
    expect(await world().settle(run.id)).toMatchObject({
      state: 'paused',
      reason: { code: 'run.health_check_failed' },
    });
  });
});

describe('the possible changes of a failed step', () => {
  it('is told of a call that timed out before it was refused', async () => {
    const answers = [lost, failed('not_started')];
    world().behave(() => answers[Math.min(world().calls.length, 2) - 1] ?? fine);
    const again = step('again', { tool: 'restart', on_failure: 'retry' });
    const run = await world().queued({ phases: [phase('one', [newHost()], [again])] });
    for (let tries = 0; tries < 4; tries += 1) {
      await world().settle(run.id);
      world().passTime(60);
    }
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.step_failed' } });
    valueOf(await world().parts.control.execute(world().person, run.id, 'cancel', null));
    expect(await world().settle(run.id)).toMatchObject({
      state: 'cancelled',
      outcome: { affected_assets: 1, not_undone: [{ step_id: 'again', why: 'failed_halfway' }] },
    });
  });
});
