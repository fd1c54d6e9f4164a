import type { DispatchOutcome } from '#lib/dispatch';
import type { RunId } from '#lib/kernel';
import {
  batchTargets,
  called,
  dieAfterSending,
  Died,
  failed,
  fine,
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

const undoOnce = { tool: 'undeploy_once', arguments: batchTargets };

/** A run that has called its steps, waits, and is asked to roll back. */
async function rollingBack(compensate = undo, ...ids: string[]): Promise<RunId> {
  const steps = (ids.length === 0 ? ['a'] : ids).map((id) => step(id, { compensate_with: compensate }));
  const run = await world().queued({ phases: [phase('one', [newHost()], steps, { wait_seconds: 600 })] });
  await world().settle(run.id);
  valueOf(await world().parts.control.execute(world().person, run.id, 'roll_back', 'not good'));
  return run.id;
}

const undoing =
  (answer: () => DispatchOutcome | Promise<DispatchOutcome>) =>
  (order: { readonly tool: { readonly name: string } }): DispatchOutcome | Promise<DispatchOutcome> =>
    order.tool.name.startsWith('undeploy') ? answer() : fine;

describe('a call that undoes something', () => {
  it('is tried three times at growing intervals if it is idempotent, and then left', async () => {
    const id = await rollingBack();
    world().behave(undoing(() => failed('not_started')));
    await world().settle(id);
    expect(world().calls).toHaveLength(2);
    world().passTime(1);
    await world().settle(id);
    expect(world().calls).toHaveLength(3);
    world().passTime(1);
    await world().settle(id);
    expect(world().calls).toHaveLength(3);
    world().passTime(1);
    expect(await world().settle(id)).toMatchObject({
      state: 'rollback_failed',
      rollbackReason: { code: 'run.roll_back_requested', message: 'not good' },
      outcome: { not_undone: [{ step_id: 'a', why: 'compensation_failed' }] },
    });
    expect(
      new Set(
        world()
          .calls.slice(1)
          .map((call) => call.idempotencyKey),
      ).size,
    ).toBe(1);
    expect(await world().taskState(await world().run(id))).toBe('failed');
    const types = await world().eventTypes(id);
    expect(types.filter((type) => type === 'run.step_retried')).toHaveLength(2);
    expect(types).not.toContain('run.worker_lost');
  });

  it('is made once if it is not', async () => {
    const id = await rollingBack(undoOnce);
    world().behave(undoing(() => failed('not_started')));
    expect((await world().settle(id)).state).toBe('rollback_failed');
    expect(called(world()).filter((call) => call.startsWith('undeploy_once'))).toHaveLength(1);
  });

  it.each([
    ['happened', ['a:compensated'], 1],
    ['did_not', ['a:compensated'], 2],
  ] as const)('with an unknown effect waits for a person, who says that it %s', async (effect, steps, undone) => {
    const id = await rollingBack(undoOnce);
    world().behave(undoing(() => lost));
    expect(await world().settle(id)).toMatchObject({ state: 'paused', reason: { code: 'run.effect_unknown' } });
    expect(await world().steps(id)).toEqual(['a:unknown']);
    const stepId = await stepIdOf(world(), id, 'a');
    world().behave(() => fine);
    valueOf(await world().parts.resolve.execute(world().person, id, stepId, { effect, note: 'looked' }));
    valueOf(await world().parts.resume.execute(world().person, id, null));
    expect((await world().settle(id)).state).toBe('rolled_back');
    expect(await world().steps(id)).toEqual(steps);
    expect(called(world()).filter((call) => call.startsWith('undeploy_once'))).toHaveLength(undone);
  });

  it.each([
    ['is made again if it is idempotent', undo, 'rolled_back', ['a:compensated']],
    ['is unknown if it is not', undoOnce, 'paused', ['a:unknown']],
  ])('of a worker that died %s', async (_what, compensate, state, steps) => {
    const id = await rollingBack(compensate);
    world().behave(undoing(dieAfterSending));
    await expect(world().settle(id)).rejects.toThrow(Died);
    world().behave(() => fine);
    expect((await world().settle(id)).state).toBe('rolling_back');
    world().passTime(60);
    expect((await world().settle(id)).state).toBe(state);
    expect(await world().steps(id)).toEqual(steps);
    expect(await world().eventTypes(id)).toContain('run.worker_lost');
  });
});

describe('a rollback', () => {
  it('is paused between two calls, and goes on from there', async () => {
    const id = await rollingBack(undo, 'a', 'b');
    world().behave(async () => {
      if (world().calls.length === 3) valueOf(await world().parts.control.execute(world().person, id, 'pause', null));
      return fine;
    });
    expect(await world().settle(id)).toMatchObject({ state: 'paused', rollbackReason: { message: 'not good' } });
    expect(await world().steps(id)).toEqual(['a:succeeded', 'b:compensated']);
    valueOf(await world().parts.resume.execute(world().person, id, null));
    expect((await world().settle(id)).state).toBe('rolled_back');
    expect(await world().steps(id)).toEqual(['a:compensated', 'b:compensated']);
  });

  it('keeps a late answer of a call that undoes, and counts it for nothing', async () => {
    const id = await rollingBack(undoOnce);
    let answer: (outcome: DispatchOutcome) => void = () => undefined;
    world().behave(undoing(() => new Promise((resolve) => (answer = resolve))));
    await world().parts.advance.execute(world().tenantId, id);
    const slow = world().parts.advance.execute(world().tenantId, id);
    while (world().calls.length < 2) await new Promise((resolve) => setImmediate(resolve));
    world().passTime(60);
    expect((await world().settle(id)).reason).toMatchObject({ code: 'run.effect_unknown' });
    answer(fine);
    await slow;
    expect(await world().steps(id)).toEqual(['a:unknown']);
    expect((await world().events(id)).at(-1)).toMatchObject({
      type: 'run.late_answer',
      data: { purpose: 'compensation', outcome: 'succeeded' },
    });
  });
});
