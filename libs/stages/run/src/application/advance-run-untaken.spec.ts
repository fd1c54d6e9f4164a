import type { DispatchOutcome } from '#lib/dispatch';
import type { RunId } from '#lib/kernel';
import { called, fine, newHost, phase, step, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

const untaken: DispatchOutcome = {
  kind: 'failed',
  effect: 'not_started',
  error: { code: 'dispatch.not_taken', message: 'Nobody took it.' },
};
const begun = async (): Promise<RunId> =>
  (await world().queued({ phases: [phase('one', [newHost()], [step('a', { on_failure: 'rollback' })])] })).id;

describe('a step that no executor takes', () => {
  it('is offered again after a pause, and starts once an executor takes it, although it is not idempotent', async () => {
    let offers = 0;
    world().behave(() => ((offers += 1) < 3 ? untaken : fine));
    const id = await begun();
    expect(await world().settle(id)).toMatchObject({ state: 'executing', nextAt: world().uow.now + 1_000 });
    world().passTime(1);
    expect(await world().settle(id)).toMatchObject({ state: 'executing', nextAt: world().uow.now + 2_000 });
    world().passTime(2);
    expect(await world().settle(id)).toMatchObject({ state: 'completed' });
    expect(called(world())).toHaveLength(3);
  });

  it('pauses its run after six offers with a clear reason, and a person who resumes it has it offered again', async () => {
    world().behave(() => untaken);
    const id = await begun();
    for (const seconds of [1, 2, 4, 8, 16]) {
      expect(await world().settle(id)).toMatchObject({ state: 'executing' });
      world().passTime(seconds);
    }
    const paused = await world().settle(id);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.step_not_taken' } });
    expect(paused.reason?.message).toContain('did not start: Nobody took it.');
    expect(called(world())).toHaveLength(6);
    world().behave(() => fine);
    valueOf(await world().parts.resume.execute(world().person, id, 'the pool is back'));
    expect(await world().settle(id)).toMatchObject({ state: 'completed' });
  });

  it('is not offered again on the word of a tool that started it', async () => {
    world().behave(() => ({ ...untaken, effect: 'done' }));
    const id = (await world().queued({ phases: [phase('one', [newHost()], [step('a')])] })).id;
    const paused = await world().settle(id);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.step_failed' } });
    expect(called(world())).toHaveLength(1);
    const resumed = await world().parts.resume.execute(world().person, id, null);
    expect(resumed).toMatchObject({ ok: false, error: { code: 'run.step_failed' } });
  });
});
