import { canonicalJson, type Json } from '#lib/canonical';
import type { AutonomyDocument, PlanDocument } from '#lib/contracts';
import { digestOf, newId, type RunId, type SimulationId } from '#lib/kernel';
import { sqlOf } from '#lib/database';
import { newHost, phase, step, undo, worldOfFile } from '../../../../test/support/run-documents.js';
import { valueOf } from '../../../../test/support/run-world.js';

const world = worldOfFile();

describe('a freeze in the middle of a run', () => {
  const minute = (at: number): string => new Date(at).toISOString().slice(0, 16);
  const freeze = (mayPass?: string[]): AutonomyDocument => ({
    autonomy: { mode: 'full_auto' },
    freezes: [
      {
        name: 'evening',
        time_zone: 'UTC',
        from: minute(Date.now() - 3_600_000),
        until: minute(Date.now() + 3_600_000),
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
    await world().advance.execute(world().tenantId, run.id);
    await world().advance.execute(world().tenantId, run.id);
    return run.id;
  };

  afterEach(() => world().autonomy({ autonomy: { mode: 'full_auto' } }));

  it('lets its phase come to an end, stops before the next, and goes on by itself when it is over', async () => {
    const id = await begun();
    await world().autonomy(freeze());
    expect((await world().settle(id)).state).toBe('executing');
    expect(await world().steps(id)).toEqual(['a:succeeded', 'b:succeeded', 'c:pending']);
    await world().passTime(61);
    const paused = await world().settle(id);
    const until = Math.floor((Date.now() + 3_600_000) / 60_000) * 60_000;
    expect(paused).toMatchObject({ state: 'paused', nextAt: until, reason: { code: 'freeze.active' } });
    expect(paused.reason?.details?.until).toBe(new Date(until).toISOString());

    valueOf(await world().resume.execute(world().person, id, 'it is urgent'));
    expect(await world().settle(id)).toMatchObject({ state: 'paused', reason: { code: 'freeze.active' } });

    await world().autonomy({ autonomy: { mode: 'full_auto' } });
    await world().db.owner.query(
      `update run set next_at = clock_timestamp(),
         reason = jsonb_set(reason, '{details,until}', to_jsonb('2026-01-01T00:00:00.000Z'::text))
       where id = $1`,
      [id],
    );
    expect((await world().settle(id)).state).toBe('completed');
    expect(await world().eventTypes(id)).toEqual(
      expect.arrayContaining(['run.paused', 'run.resumed', 'run.completed']),
    );
  });

  it('is rolled back and cancelled as ever', async () => {
    const [id, other] = [await begun(), await begun()];
    await world().autonomy(freeze());
    for (const each of [id, other]) await world().settle(each);
    await world().passTime(61);
    for (const each of [id, other]) expect((await world().settle(each)).reason?.code).toBe('freeze.active');
    valueOf(await world().control.execute(world().person, id, 'roll_back', null));
    expect((await world().settle(id)).state).toBe('rolled_back');

    valueOf(await world().control.execute(world().person, other, 'cancel', null));
    expect((await world().settle(other)).state).toBe('cancelled');
  });

  it('does not start at all in one', async () => {
    await world().autonomy(freeze());
    const plan = await world().plan({ phases: [phase('one', [newHost()], [step('a')])] });
    const refused = await world().start.execute(world().agent, plan);
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

    await world().passTime(601);
    expect((await world().settle(first.id)).state).toBe('completed');
    expect(await world().settle(second.id)).toMatchObject({ state: 'executing', waitingOn: null });
    await world().passTime(601);
    await world().settle(other.id);
    await world().settle(second.id);
  });

  it.each([
    ['that another run has outdated', 'simulation.targets_touched', 'Another run has touched the targets'],
    ['that has become too old', 'simulation.too_old', 'too old while the run was queued'],
  ])('does not start on a prediction %s', async (_how, code, says) => {
    const run = await world().queued(on(newHost()));
    const predicted: Json = {
      affected_assets: 1,
      estimated_duration_minutes: 1,
      predicted_risk: 'low',
      health_check_points: [],
      details: { calls: [], wait_minutes: 0 },
    };
    const id = newId<SimulationId>();
    await world().tx(async (tx) => {
      const sql = sqlOf(tx);
      await sql.execute(
        `insert into simulation (tenant_id, id, plan_id, plan_digest, decision_id, agent_id, credential_id, state, created_at)
         select tenant_id, $2, id, digest, decision_id, agent_id, credential_id, 'pending', now() from plan where id = $1`,
        [run.planId, id],
      );
      await sql.execute(`update simulation set state = 'running', started_at = now() where id = $1`, [id]);
      await sql.execute(
        `update simulation set state = 'succeeded', finished_at = now(), result = $3, digest = $2 where id = $1`,
        [id, digestOf('simulation', predicted), canonicalJson(predicted)],
      );
      await sql.execute(
        `update simulation set state = 'stale', stale_reason = jsonb_build_object('code', $2::text, 'message', 'stale') where id = $1`,
        [id, code],
      );
    });
    // The service itself cannot give a run another prediction than the one it was created with.
    await world().db.owner.query('update run set simulation_id = $2 where id = $1', [run.id, id]);
    expect(await world().settle(run.id)).toMatchObject({
      state: 'failed',
      reason: { code: 'run.simulation_stale', message: expect.stringContaining(says) as string, details: { code } },
    });
    expect(world().calls).toEqual([]);
  });

  it('lets a step of the whole environment wait for every target, and every target for it', async () => {
    await endEverything();
    const first = await world().queued(on(newHost()));
    await world().settle(first.id);
    const whole = await world().queued({
      phases: [
        phase('one', [], [{ id: 'all', tool: 'reindex', arguments: {}, on_failure: 'pause' }], { wait_seconds: 600 }),
      ],
    });
    expect(await world().settle(whole.id)).toMatchObject({ state: 'queued', waitingOn: { runId: first.id } });
    await world().passTime(601);
    await world().settle(first.id);
    expect((await world().settle(whole.id)).state).toBe('executing');
    const third = await world().queued(on(newHost()));
    expect(await world().settle(third.id)).toMatchObject({
      state: 'queued',
      waitingOn: { target: 'environment:staging', runId: whole.id },
    });
    await world().passTime(601);
    await world().settle(whole.id);
    await world().settle(third.id);
  });
});

/** Lets go of every target. */
async function endEverything(): Promise<void> {
  for (const runId of await world().tx((tx) => world().runs.liveRuns(tx, { kind: 'tenant' }))) {
    valueOf(await world().control.execute(world().person, runId, 'cancel', null));
    for (const left of await world().tx((tx) => world().runs.steps(tx, runId))) {
      if (left.state !== 'unknown') continue;
      valueOf(
        await world().resolve.execute(world().person, runId, left.id, { effect: 'happened', note: 'the test is over' }),
      );
    }
    await world().settle(runId);
  }
}
