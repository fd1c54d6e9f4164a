import type { AutonomyDocument, PlanDocument } from '#lib/formats';
import type { RunId } from '#lib/kernel';
import { newHost, phase, step, undo, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

describe('a freeze in the middle of a run', () => {
  const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);
  const freeze = (mayPass?: string[]): AutonomyDocument => ({
    autonomy: { mode: 'full_auto' },
    freezes: [
      {
        name: 'evening',
        time_zone: 'UTC',
        from: minute(world().uow.now - 3_600_000),
        until: minute(world().uow.now + 3_600_000),
        ...(mayPass === undefined ? {} : { may_pass: mayPass }),
      },
    ],
  });
  const begun = async (): Promise<RunId> => {
    const run = await world().queued({
      phases: [
        phase('one', [newHost(), newHost()], [step('a', { compensate_with: undo }), step('b')], { wait_seconds: 60 }),
        phase('two', [newHost()], [step('c')]),
      ],
    });
    await world().parts.advance.execute(world().tenantId, run.id);
    await world().parts.advance.execute(world().tenantId, run.id);
    return run.id;
  };

  it('lets its phase come to an end, stops before the next, and goes on by itself when it is over', async () => {
    const id = await begun();
    const begins = world().uow.now;
    world().autonomy(freeze());
    expect((await world().settle(id)).state).toBe('executing');
    expect(await world().steps(id)).toEqual(['a:succeeded', 'b:succeeded', 'c:pending']);
    world().passTime(61);
    const paused = await world().settle(id);
    const until = begins + 3_600_000;
    expect(paused).toMatchObject({ state: 'paused', nextAt: until, reason: { code: 'freeze.active' } });
    expect(paused.reason?.details?.until).toBe(new Date(until).toISOString());

    valueOf(await world().parts.resume.execute(world().person, id, 'it is urgent'));
    expect(await world().settle(id)).toMatchObject({ state: 'paused', reason: { code: 'freeze.active' } });

    world().passTime(3_600);
    expect((await world().settle(id)).state).toBe('completed');
    expect(await world().eventTypes(id)).toEqual(
      expect.arrayContaining(['run.paused', 'run.resumed', 'run.completed']),
    );
  });

  it('is rolled back and cancelled as ever', async () => {
    const [id, other] = [await begun(), await begun()];
    world().autonomy(freeze());
    for (const each of [id, other]) await world().settle(each);
    world().passTime(61);
    for (const each of [id, other]) expect((await world().settle(each)).reason?.code).toBe('freeze.active');
    valueOf(await world().parts.control.execute(world().person, id, 'roll_back', null));
    expect((await world().settle(id)).state).toBe('rolled_back');

    valueOf(await world().parts.control.execute(world().person, other, 'cancel', null));
    expect((await world().settle(other)).state).toBe('cancelled');
  });

  it('does not start at all in one', async () => {
    world().autonomy(freeze());
    const plan = await world().plan({ phases: [phase('one', [newHost()], [step('a')])] });
    const refused = await world().parts.start.execute(world().agent, plan);
    expect(refused.ok ? 'started' : refused.error.code).toBe('freeze.active');
  });
});

describe('T36: two runs of the same target', () => {
  const on = (target: string): PlanDocument => ({
    phases: [phase('one', [target], [step('a')], { wait_seconds: 600 })],
  });

  it('lets the second wait and name the first', async () => {
    const target = newHost();
    const first = await world().queued(on(target));
    await world().settle(first.id);
    const second = await world().queued(on(target));
    expect(await world().settle(second.id)).toMatchObject({ state: 'queued', waitingOn: { target, runId: first.id } });
    expect(world().calls).toHaveLength(1);
    const other = await world().queued(on(newHost()));
    expect((await world().settle(other.id)).state).toBe('executing');

    world().passTime(601);
    expect((await world().settle(first.id)).state).toBe('completed');
    expect(await world().settle(second.id)).toMatchObject({ state: 'executing', waitingOn: null });
    world().passTime(601);
    await world().settle(other.id);
    await world().settle(second.id);
  });

  it.each([
    ['that another run has outdated', 'simulation.targets_touched', 'Another run has touched the targets'],
    ['that has become too old', 'simulation.too_old', 'too old while the run was queued'],
  ])('does not start on a prediction %s', async (_how, code, says) => {
    const plan = await world().plan(on(newHost()));
    const outdate = await world().predict(plan);
    const run = valueOf(await world().parts.start.execute(world().agent, plan));
    await outdate(code);
    expect(await world().settle(run.id)).toMatchObject({
      state: 'failed',
      reason: { code: 'run.simulation_stale', message: expect.stringContaining(says) as string, details: { code } },
    });
    expect(world().calls).toEqual([]);
  });

  it('outdates earlier predictions of its targets', async () => {
    const target = newHost();
    const predicted = await world().plan(on(target));
    await world().predict(predicted);
    const second = valueOf(await world().parts.start.execute(world().agent, predicted));
    const first = await world().queued(on(target));
    await world().settle(first.id);
    world().passTime(600);
    expect((await world().settle(first.id)).state).toBe('completed');
    expect(await world().settle(second.id)).toMatchObject({
      state: 'failed',
      reason: { code: 'run.simulation_stale', details: { code: 'simulation.targets_touched' } },
    });
  });

  it('lets a step of the whole environment wait for every target, and every target for it', async () => {
    const first = await world().queued(on(newHost()));
    await world().settle(first.id);
    const whole = await world().queued({
      phases: [
        phase('one', [], [{ id: 'all', tool: 'reindex', arguments: {}, on_failure: 'pause' }], { wait_seconds: 600 }),
      ],
    });
    expect(await world().settle(whole.id)).toMatchObject({ state: 'queued', waitingOn: { runId: first.id } });
    world().passTime(601);
    await world().settle(first.id);
    expect((await world().settle(whole.id)).state).toBe('executing');
    const third = await world().queued(on(newHost()));
    expect(await world().settle(third.id)).toMatchObject({
      state: 'queued',
      waitingOn: { target: 'environment:staging', runId: whole.id },
    });
    world().passTime(601);
    await world().settle(whole.id);
    await world().settle(third.id);
  });
});
