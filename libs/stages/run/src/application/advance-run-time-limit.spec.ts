import { fine, newHost, phase, step, undo, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

const WEEK_SECONDS = 10_080 * 60;
const DAY_SECONDS = 86_400;

describe('the time of a whole run', () => {
  it('is over after a week: it pauses at the next step, and goes on for as long again once resumed', async () => {
    // The dispatched call is awaited, and its answer counts.
    world().behave(() => {
      if (world().calls.length === 1) world().passTime(WEEK_SECONDS);
      return fine;
    });
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    expect(await world().settle(run.id)).toMatchObject({
      state: 'paused',
      reason: { code: 'run.time_limit', details: { limit_minutes: 10_080 } },
      pauseBy: null,
    });
    expect(await world().steps(run.id)).toEqual(['a:succeeded', 'b:pending']);
    const resumed = valueOf(await world().parts.resume.execute(world().person, run.id, 'go on'));
    expect(resumed.pauseBy).toBe(world().uow.now + WEEK_SECONDS * 1_000);
    expect((await world().settle(run.id)).state).toBe('completed');
  });

  it('wakes a run that waits', async () => {
    const waits = [3_600, ...Array.from({ length: 7 }, () => DAY_SECONDS)];
    const run = await world().queued({
      phases: waits.map((wait, index) =>
        phase(`phase ${String(index)}`, [newHost()], [step(`step_${String(index)}`)], { wait_seconds: wait }),
      ),
    });
    await world().settle(run.id);
    for (const wait of waits.slice(0, -1)) {
      world().passTime(wait);
      await world().settle(run.id);
    }
    const waiting = await world().run(run.id);
    expect(waiting.nextAt).toBe(waiting.pauseBy);
    world().uow.now = waiting.pauseBy ?? 0;
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.time_limit' } });
  });

  it('does not cut a rollback short', async () => {
    world().behave((order) => {
      if (order.tool.name === 'undeploy') world().passTime(WEEK_SECONDS);
      return fine;
    });
    const steps = ['a', 'b'].map((id) => step(id, { compensate_with: undo }));
    const run = await world().queued({ phases: [phase('one', [newHost()], steps, { wait_seconds: 600 })] });
    await world().settle(run.id);
    valueOf(await world().parts.control.execute(world().person, run.id, 'roll_back', null));
    expect((await world().settle(run.id)).state).toBe('rolled_back');
  });
});
