import { dieAfterSending, Died, newHost, phase, step, undo, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';
import type { Run } from '../domain/run.js';

const world = worldOfTest();

/** A run that waits after its first phase. */
async function executing(tool = 'deploy'): Promise<Run> {
  const first = phase('one', [newHost()], [step('a', { tool, compensate_with: undo })], { wait_seconds: 600 });
  const run = await world().queued({ phases: [first, phase('two', [newHost()], [step('b', { tool })])] });
  return world().settle(run.id);
}

describe('a halt', () => {
  it('asks the runs that go forward to pause, and says so in each', async () => {
    const run = await executing();
    const halt = await world().halt();
    expect(halt.effect.pausedRuns).toEqual([run.id]);
    expect((await world().events(run.id)).at(-1)).toMatchObject({
      type: 'run.pause_requested',
      actor: { kind: 'system' },
      data: { halt_id: halt.id, note: 'something is wrong' },
    });
    expect(await world().settle(run.id)).toMatchObject({
      state: 'paused',
      reason: { code: 'run.halted', message: 'something is wrong', details: { halt_id: halt.id } },
    });
  });

  it('does not touch queued, paused, rolling back and ended runs', async () => {
    const queued = await world().queued({ phases: [phase('one', [newHost()], [step('a')])] });
    const paused = await executing();
    valueOf(await world().parts.control.execute(world().person, paused.id, 'pause', null));
    await world().settle(paused.id);
    const back = await executing();
    valueOf(await world().parts.control.execute(world().person, back.id, 'roll_back', null));
    await world().parts.advance.execute(world().tenantId, back.id);
    expect((await world().run(back.id)).state).toBe('rolling_back');
    const ended = await executing();
    valueOf(await world().parts.control.execute(world().person, ended.id, 'cancel', null));
    await world().settle(ended.id);
    expect((await world().halt()).effect.pausedRuns).toEqual([]);
    expect((await world().settle(back.id)).state).toBe('rolled_back');
    // It starts, and policy lets nothing of it leave.
    expect(await world().settle(queued.id)).toMatchObject({ state: 'paused', reason: { code: 'run.not_allowed' } });
    expect(world().calls.filter(({ source }) => source.id === queued.id)).toEqual([]);
  });

  it('takes nothing back that somebody asked for before', async () => {
    const run = await executing();
    valueOf(await world().parts.control.execute(world().person, run.id, 'cancel', 'enough'));
    expect((await world().halt()).effect.pausedRuns).toEqual([run.id]);
    expect(await world().settle(run.id)).toMatchObject({ state: 'cancelled', reason: { message: 'enough' } });
  });

  it('of a tool asks the runs that still have to call it', async () => {
    const [other, run] = [await executing('restart'), await executing()];
    const halt = await world().halt({ kind: 'tool', tool: 'deploy' });
    expect(halt.effect.pausedRuns).toEqual([run.id]);
    expect((await world().run(other.id)).requested).toBeNull();
  });

  it('lists the dispatched calls', async () => {
    world().behave(dieAfterSending);
    const host = newHost();
    const run = await world().queued({ phases: [phase('one', [host], [step('a')])] });
    await expect(world().settle(run.id)).rejects.toThrow(Died);
    expect((await world().halt()).effect.inFlight).toEqual([
      {
        run_id: run.id,
        step_id: 'a',
        attempt: 1,
        tool: 'deploy@1',
        targets: [host],
        dispatched_at: new Date(world().uow.now).toISOString(),
        state: 'dispatched',
      },
    ]);
  });
});
