import { newId, type RunId } from '#lib/kernel';
import type { Run } from '../domain/run.js';
import { codeOf, failed, fine, healthCheck, lost, newHost, phase, step, undo, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

const resume = (id: RunId, note: string | null = null) => world().parts.resume.execute(world().person, id, note);

/** A run that is paused between its two steps. */
async function pausedRun(): Promise<Run> {
  const steps = [step('a', { compensate_with: undo }), step('b')];
  const run = await world().queued({ phases: [phase('one', [newHost()], steps)] });
  world().behave(async () => {
    valueOf(await world().parts.control.execute(world().person, run.id, 'pause', null));
    return fine;
  });
  const paused = await world().settle(run.id);
  world().behave(() => fine);
  return paused;
}

describe('resuming', () => {
  it('lets a paused run go on, records the person, and wakes the run', async () => {
    const run = await pausedRun();
    const jobs = world().jobs.of(world()).length;
    const resumed = valueOf(await resume(run.id, 'go on'));
    expect(resumed).toMatchObject({ state: 'executing', reason: null, requested: null, nextAt: world().uow.now });
    expect((await world().events(run.id)).at(-1)).toMatchObject({
      type: 'run.resumed',
      actor: { kind: 'person', id: world().person.personId },
      data: { note: 'go on', retried_steps: [] },
    });
    expect(world().jobs.of(world()).slice(jobs)).toMatchObject([{ name: 'run.advance', id: run.id }]);
    expect((await world().settle(run.id)).state).toBe('completed');
  });

  it('needs a run of the tenant', async () => {
    expect(codeOf(await resume(newId<RunId>()))).toBe('resource.not_found');
  });

  it('is for paused runs', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')])] });
    expect(codeOf(await resume(run.id))).toBe('run.wrong_state');
    await world().settle(run.id);
    expect(codeOf(await resume(run.id))).toBe('run.wrong_state');
  });

  it('waits until everything that is unknown was resolved', async () => {
    world().behave(() => lost);
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')])] });
    await world().settle(run.id);
    expect(codeOf(await resume(run.id))).toBe('run.effect_unknown');
  });

  it.each(['cancel', 'roll_back'] as const)('does not overtake a %s', async (request) => {
    const run = await pausedRun();
    valueOf(await world().parts.control.execute(world().person, run.id, request, null));
    expect(codeOf(await resume(run.id))).toBe('run.already_requested');
  });

  it('tries a failed call again if it is idempotent, with all its tries', async () => {
    world().behave(() => failed('done'));
    const again = step('again', { tool: 'restart', on_failure: 'retry' });
    const run = await world().queued({ phases: [phase('one', [newHost()], [again])] });
    for (let tries = 0; tries < 3; tries += 1) {
      await world().settle(run.id);
      world().passTime(10);
    }
    expect(await world().run(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.step_failed' } });
    valueOf(await resume(run.id));
    const [stepOf] = await world().tx((tx) => world().runs.steps(tx, run.id));
    expect(stepOf).toMatchObject({ state: 'pending', failures: 0, error: null, attempts: 3 });
    world().behave(() => fine);
    expect((await world().settle(run.id)).state).toBe('completed');
    expect(world().calls.map((call) => call.attempt)).toEqual([1, 2, 3, 4]);
  });

  it('does not try one again that is not', async () => {
    world().behave(() => failed('not_started'));
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('once')])] });
    await world().settle(run.id);
    expect(codeOf(await resume(run.id))).toBe('run.step_failed');
  });

  it('makes the health checks of its batch anew, in another round', async () => {
    world().behave((order) => (order.tool.name === 'check' ? { kind: 'succeeded', result: {} } : fine));
    const checked = phase('one', [newHost()], [step('a')], {
      health_checks: [healthCheck],
      rollback_if: 'web.error_rate > 0.05',
    });
    const run = await world().queued({ phases: [checked] });
    expect((await world().settle(run.id)).reason).toMatchObject({ code: 'run.health_unclear' });
    expect(valueOf(await resume(run.id)).healthRound).toBe(2);
    expect(await world().steps(run.id)).toEqual(['a:succeeded', 'web:succeeded', 'web:pending']);
    expect((await world().settle(run.id)).reason).toMatchObject({ code: 'run.health_unclear' });
    const health = await world().tx((tx) => world().runs.healthResults(tx, run.id));
    expect(health.map(({ healthRound, verdict }) => [healthRound, verdict])).toEqual([
      [1, 'unclear'],
      [2, 'unclear'],
    ]);
  });

  it('does not begin under a halt', async () => {
    const run = await pausedRun();
    const halt = await world().halt();
    expect(await resume(run.id)).toMatchObject({
      ok: false,
      error: { kind: 'forbidden', code: 'halt.active', details: { halt_id: halt.id } },
    });
    await world().lift(halt);
    expect(codeOf(await resume(run.id))).toBe('ok');
  });

  it('takes a rollback up again, also under a halt', async () => {
    const run = await pausedRun();
    valueOf(await world().parts.control.execute(world().person, run.id, 'roll_back', null));
    world().behave(async () => {
      valueOf(await world().parts.control.execute(world().person, run.id, 'pause', null));
      return { kind: 'failed', effect: 'not_started', error: { code: 'tool.busy', message: 'later' } };
    });
    expect((await world().settle(run.id)).state).toBe('paused');
    expect(await world().steps(run.id)).toEqual(['a:compensating', 'b:pending']);
    world().passTime(1);
    world().behave(() => fine);
    await world().halt();
    expect(valueOf(await resume(run.id)).state).toBe('rolling_back');
    expect((await world().settle(run.id)).state).toBe('rolled_back');
  });
});
