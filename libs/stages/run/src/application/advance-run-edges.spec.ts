import { newId, type RunId } from '#lib/kernel';
import {
  dieAfterSending,
  Died,
  failed,
  fine,
  healthCheck,
  lost,
  newHost,
  phase,
  step,
  valueOf,
} from '../fake-run-documents.js';
import { FakeRunWorld, worldOfTest } from '../fake-run-world.js';

const world = worldOfTest();

const oneStep = (tool = 'deploy') => ({ phases: [phase('one', [newHost()], [step('a', { tool })])] });
const advance = (id: RunId) => world().parts.advance.execute(world().tenantId, id);

describe('a turn', () => {
  it('is nothing for a run that is not there, or has ended', async () => {
    expect(await advance(newId<RunId>())).toEqual({ when: 'never' });
    const run = await world().queued(oneStep());
    await world().settle(run.id);
    const ended = await world().run(run.id);
    expect(await advance(run.id)).toEqual({ when: 'never' });
    expect(await world().run(run.id)).toEqual(ended);
  });

  it('is the last one if it ends the run', async () => {
    const run = await world().queued(oneStep());
    let again = await advance(run.id);
    while ((await world().run(run.id)).finishedAt === null) again = await advance(run.id);
    expect(again).toEqual({ when: 'never' });
  });

  it('is refused to a run that Countersign did not make, and a person still cancels it', async () => {
    const run = await world().queued(oneStep());
    await world().tx((tx) => {
      world().runs.forge(tx, run.id);
      return Promise.resolve();
    });
    await expect(advance(run.id)).rejects.toMatchObject({ failure: { code: 'record.not_authentic' } });
    expect(world().calls).toEqual([]);
    valueOf(await world().parts.control.execute(world().person, run.id, 'cancel', null));
  });

  it('says when it wants to be called again: at the end of a wait, which is announced once', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')], { wait_seconds: 60 })] });
    await world().settle(run.id);
    const at = world().uow.now + 60_000;
    expect(await advance(run.id)).toEqual({ when: 'at', at });
    world().passTime(30);
    expect(await advance(run.id)).toEqual({ when: 'at', at });
    expect(await world().run(run.id)).toMatchObject({ nextAt: at, waitUntil: at });
    const waiting = (await world().events(run.id)).filter(({ type }) => type === 'run.waiting');
    expect(waiting).toMatchObject([{ data: { wait_ms: 60_000, until: new Date(at).toISOString() } }]);
  });

  it('says so at the end of a lease, and of a pause between tries', async () => {
    world().behave(dieAfterSending);
    const run = await world().queued(oneStep());
    await expect(world().settle(run.id)).rejects.toThrow(Died);
    expect(await advance(run.id)).toEqual({ when: 'at', at: world().uow.now + 31_000 });
    world().behave(() => failed('done'));
    const again = step('again', { tool: 'restart', on_failure: 'retry' });
    const tried = await world().queued({ phases: [phase('one', [newHost()], [again])] });
    await world().settle(tried.id);
    expect(await advance(tried.id)).toEqual({ when: 'at', at: world().uow.now + 1_000 });
  });

  it('leaves a call to the next one if the run was waiting before its lock', async () => {
    world().behave(() => failed('done'));
    const again = step('again', { tool: 'restart', on_failure: 'retry' });
    const run = await world().queued({ phases: [phase('one', [newHost()], [again])] });
    await world().settle(run.id);
    world().behave(() => fine);
    const { runs } = world();
    jest.spyOn(runs, 'lockToAdvance').mockImplementationOnce((tx, id) => {
      world().passTime(1);
      return runs.lock(tx, id);
    });
    expect(await advance(run.id)).toEqual({ when: 'now' });
    expect(world().calls).toHaveLength(1);
    await advance(run.id);
    expect(world().calls).toHaveLength(2);
  });

  it('leaves a run that is due at once after a failed try', async () => {
    const again = step('again', { tool: 'restart', on_failure: 'retry' });
    const run = await world().queued({ phases: [phase('one', [newHost()], [again])] });
    world().behave(() => {
      world().passTime(3);
      return failed('done');
    });
    await advance(run.id);
    expect(await world().parts.advance.execute(world().tenantId, run.id, () => true)).toEqual({ when: 'now' });
    const { now } = world().uow;
    expect(await world().steps(run.id)).toEqual(['again:pending']);
    expect(await world().run(run.id)).toMatchObject({ nextAt: now, updatedAt: now });
  });

  it('tells its listeners of every move, once', async () => {
    const run = await world().queued(oneStep());
    await world().settle(run.id);
    expect(world().moved.map(({ type, run: { state } }) => [type, state])).toEqual([
      ['run.started', 'executing'],
      ['run.completed', 'completed'],
    ]);
    expect(
      world()
        .outbox.of(world())
        .map(({ payload }) => payload),
    ).toEqual([
      { run_id: run.id, event: 'run.started' },
      { run_id: run.id, event: 'run.completed' },
    ]);
  });
});

describe('waits that are shortened for a demonstration', () => {
  it('say so', async () => {
    const demo = await FakeRunWorld.open({ settings: { waitScale: 0.01 } });
    const run = await demo.queued({ phases: [phase('one', [newHost()], [step('a')], { wait_seconds: 60 })] });
    await demo.settle(run.id);
    const waiting = (await demo.events(run.id)).find(({ type }) => type === 'run.waiting');
    expect(waiting?.data).toMatchObject({ wait_ms: 600, shortened_for_demonstration_by: 0.01 });
    demo.passTime(0.6);
    expect((await demo.settle(run.id)).state).toBe('completed');
  });
});

describe('a call that cannot leave', () => {
  it('is a call that its agent would make itself, if a person submitted the plan', async () => {
    const byAgent = await FakeRunWorld.open({ executor: 'agent' });
    const run = valueOf(
      await byAgent.parts.start.execute(
        byAgent.person,
        await byAgent.plan(oneStep(), byAgent.home.staging, byAgent.person),
      ),
    );
    expect(await byAgent.settle(run.id)).toMatchObject({
      state: 'paused',
      reason: { code: 'run.executor_unavailable', details: { step_id: 'a' } },
    });
    expect(await byAgent.attempts(run.id)).toEqual([]);
  });
});

describe('a worker that dies again and again', () => {
  it('is given up after twenty dispatches of an idempotent call, which then counts as failed', async () => {
    world().behave(dieAfterSending);
    const run = await world().queued(oneStep('restart'));
    for (let dispatches = 0; dispatches < 20; dispatches += 1) {
      await expect(world().settle(run.id)).rejects.toThrow(Died);
      world().passTime(60);
    }
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.step_failed' } });
    expect(world().calls).toHaveLength(20);
    expect(await world().steps(run.id)).toEqual(['a:failed']);
  });
});

describe('a health check with an unknown result', () => {
  it('failed: it changes nothing, so no person is asked to find out', async () => {
    world().behave((order) => (order.tool.name === 'check' ? lost : fine));
    const checked = phase('one', [newHost()], [step('a')], { health_checks: [healthCheck] });
    const run = await world().queued({ phases: [checked] });
    expect((await world().settle(run.id)).reason).toMatchObject({ code: 'run.health_check_failed' });
    expect(await world().steps(run.id)).toEqual(['a:succeeded', 'web:failed']);
  });
});

describe('the end of a run', () => {
  it('is held against its prediction', async () => {
    world().behave(() => {
      world().passTime(3);
      return { kind: 'succeeded', result: { affected_assets: 2 } };
    });
    const planId = await world().plan(oneStep());
    await world().predict(planId);
    const run = valueOf(await world().parts.start.execute(world().agent, planId));
    expect(run.simulationId).not.toBeNull();
    await world().settle(run.id);
    expect(world().outcomes.of(world(), run.id)).toHaveLength(1);
  });

  it.each([
    ['completed', fine, 'completed', 'completed'],
    ['failed', failed('done'), 'rolled_back', 'failed'],
  ] as const)('leaves its task %s', async (_what, outcome, state, taskState) => {
    world().behave(() => outcome);
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a', { on_failure: 'rollback' })])] });
    const ended = await world().settle(run.id);
    expect(ended).toMatchObject({ state, finishedAt: world().uow.now, nextAt: null });
    expect(await world().taskState(run)).toBe(taskState);
  });

  it('is told once, by the process that brought it about', async () => {
    const ends: string[] = [];
    world().parts.advance.onEnd((state) => ends.push(state));
    await world().settle((await world().queued(oneStep())).id);
    const cancelled = await world().queued(oneStep());
    valueOf(await world().parts.control.execute(world().person, cancelled.id, 'cancel', null));
    await world().settle(cancelled.id);
    const refused = await world().queued(oneStep());
    await world().tx((tx) => world().plans.setState(tx, refused.planId, 'withdrawn', world().uow.now));
    await world().settle(refused.id);
    world().behave(() => failed('done'));
    const undone = { phases: [phase('one', [newHost()], [step('a', { on_failure: 'rollback' })])] };
    await world().settle((await world().queued(undone)).id);
    expect(ends).toEqual(['completed', 'cancelled', 'failed', 'rolled_back']);
  });

  it('wakes the runs that wait for its targets', async () => {
    const document = { phases: [phase('one', [newHost()], [step('a')], { wait_seconds: 60 })] };
    const [first, second] = [await world().queued(document), await world().queued(document)];
    await world().settle(first.id);
    await world().settle(second.id);
    world().passTime(60);
    const before = world().jobs.of(world()).length;
    await world().settle(first.id);
    expect(world().jobs.of(world()).slice(before)).toMatchObject([{ name: 'run.advance', id: second.id }]);
  });
});

describe('a queued run', () => {
  it('fails if its task was cancelled meanwhile', async () => {
    const run = await world().queued(oneStep());
    await world().tx((tx) => world().tasks.setState(tx, run.taskId, 'cancelled', world().uow.now));
    expect(await world().settle(run.id)).toMatchObject({ state: 'failed', reason: { code: 'run.task_not_planned' } });
    expect(world().calls).toEqual([]);
  });

  it('fails if its plan was withdrawn meanwhile', async () => {
    const run = await world().queued(oneStep());
    await world().tx((tx) => world().plans.setState(tx, run.planId, 'withdrawn', world().uow.now));
    expect(await world().settle(run.id)).toMatchObject({ state: 'failed', reason: { code: 'run.plan_not_live' } });
    expect(world().calls).toEqual([]);
  });
});
