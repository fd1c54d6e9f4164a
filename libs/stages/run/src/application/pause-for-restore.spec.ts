import type { PlanDocument } from '#lib/formats';
import { dieAfterSending, Died, fine, lost, newHost, phase, step, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const restore = { epoch: 2, reason: 'the backup of noon was restored' };
const world = worldOfTest();

const planOf = (tool: string): PlanDocument => ({
  phases: [phase('one', [newHost()], [step('first', { tool }), step('second', { tool })])],
});

const restored = () => world().tx((tx) => world().parts.restore.execute(tx, restore));

describe('T30: a restore from a backup', () => {
  it.each(['deploy', 'restart'])('leaves a call of %s that was in flight unknown, and its run paused', async (tool) => {
    world().behave(dieAfterSending);
    const run = await world().queued(planOf(tool));
    await expect(world().settle(run.id)).rejects.toThrow(Died);
    world().behave(() => fine);

    expect(await restored()).toContain(run.id);
    expect(await world().run(run.id)).toMatchObject({
      state: 'paused',
      reason: { code: 'run.restored', message: restore.reason, details: { epoch: 2 } },
      nextAt: null,
    });
    expect(await world().steps(run.id)).toEqual(['first:unknown', 'second:pending']);
    const [attempt] = await world().attempts(run.id);
    expect(attempt).toMatchObject({ outcome: 'unknown', error: { code: 'run.restored' } });
    expect((await world().eventTypes(run.id)).slice(-2)).toEqual(['run.step_given_up', 'run.paused']);

    world().passTime(86_400);
    expect((await world().settle(run.id)).state).toBe('paused');
    expect(world().calls).toHaveLength(1);

    const { person, parts } = world();
    const { resolve, resume } = parts;
    const [step] = await world().tx((tx) => world().runs.steps(tx, run.id));
    if (step === undefined) throw new Error('the run has no step');
    valueOf(await resolve.execute(person, run.id, step.id, { effect: 'happened', note: 'it is in its log' }));
    valueOf(await resume.execute(person, run.id, null));
    expect((await world().settle(run.id)).state).toBe('completed');
    expect(world().calls).toHaveLength(2);
  });

  it('cancels a run that had not begun: it may have, since', async () => {
    const run = await world().queued(planOf('deploy'));
    await restored();
    expect(await world().run(run.id)).toMatchObject({ state: 'cancelled', reason: { code: 'run.restored' } });
    expect((await world().settle(run.id)).state).toBe('cancelled');
    expect(world().calls).toEqual([]);
  });

  it('drops the request to a run under way', async () => {
    const waits = phase('one', [newHost()], [step('a')], { wait_seconds: 600 });
    const run = await world().queued({ phases: [waits] });
    await world().settle(run.id);
    valueOf(await world().parts.control.execute(world().person, run.id, 'cancel', 'no longer needed'));
    await restored();
    expect(await world().run(run.id)).toMatchObject({ state: 'paused', requested: null, requestedBy: null });
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.restored' } });
  });

  it('leaves a paused run paused with a reason, drops its request, and touches no run that has ended', async () => {
    const ended = await world().queued(planOf('deploy'));
    await world().settle(ended.id);
    const before = await world().eventTypes(ended.id);
    world().behave(() => lost);
    const paused = await world().queued(planOf('deploy'));
    expect((await world().settle(paused.id)).state).toBe('paused');
    valueOf(await world().parts.control.execute(world().person, paused.id, 'cancel', 'no longer needed'));
    await restored();
    expect(await world().run(paused.id)).toMatchObject({ state: 'paused', requested: null, nextAt: null });
    expect((await world().eventTypes(paused.id)).at(-1)).toBe('run.restored');
    expect(await world().eventTypes(ended.id)).toEqual(before);
  });
});
