import { type AgentId, type DecisionId, newId, type PlanId, type RunId, type TaskId } from '#lib/kernel';
import type { Run, RunIn } from '../domain/run.js';
import type { RunRequest } from '../domain/run-view.js';
import { codeOf, fine, newHost, phase, step, valueOf } from '../fake-run-documents.js';
import { worldOfTest } from '../fake-run-world.js';
import { runIn, sampleRun } from './fake-run-samples.js';

const world = worldOfTest();

const WAYS: Readonly<Record<Run['state'], readonly Run['state'][]>> = {
  queued: [],
  executing: ['executing'],
  paused: ['executing', 'paused'],
  rolling_back: ['executing', 'rolling_back'],
  completed: ['executing', 'completed'],
  failed: ['failed'],
  cancelled: ['cancelled'],
  rolled_back: ['executing', 'rolling_back', 'rolled_back'],
  rollback_failed: ['executing', 'rolling_back', 'rollback_failed'],
};

/** A run in this state, of no plan. */
async function aRun<S extends Run['state']>(state: S, as: (run: RunIn<S>) => Run = (run) => run): Promise<Run> {
  const created = sampleRun({
    taskId: newId<TaskId>(),
    planId: newId<PlanId>(),
    environmentId: world().home.staging.id,
    decisionId: newId<DecisionId>(),
  });
  await world().tx((tx) => world().runs.insert(tx, created, []));
  for (const next of WAYS[state]) await world().tx((tx) => world().runs.save(tx, runIn(created, next)));
  const run = as(runIn(created, state));
  await world().tx((tx) => world().runs.save(tx, run));
  return run;
}

const ask = (run: Pick<Run, 'id'>, request: RunRequest, note: string | null = null) =>
  world().parts.control.execute(world().person, run.id, request, note);

describe('a request to a run', () => {
  it.each<[Run['state'], Readonly<Record<RunRequest, string>>]>([
    ['queued', { pause: 'run.wrong_state', cancel: 'asked', roll_back: 'run.wrong_state' }],
    ['executing', { pause: 'asked', cancel: 'asked', roll_back: 'asked' }],
    ['paused', { pause: 'unchanged', cancel: 'asked', roll_back: 'asked' }],
    ['rolling_back', { pause: 'asked', cancel: 'run.wrong_state', roll_back: 'unchanged' }],
    ['completed', { pause: 'run.wrong_state', cancel: 'run.wrong_state', roll_back: 'run.wrong_state' }],
    ['failed', { pause: 'run.wrong_state', cancel: 'run.wrong_state', roll_back: 'run.wrong_state' }],
    ['cancelled', { pause: 'run.wrong_state', cancel: 'run.wrong_state', roll_back: 'run.wrong_state' }],
    ['rolled_back', { pause: 'run.wrong_state', cancel: 'run.wrong_state', roll_back: 'run.wrong_state' }],
    ['rollback_failed', { pause: 'run.wrong_state', cancel: 'run.wrong_state', roll_back: 'run.wrong_state' }],
  ])('that is %s is taken or refused by its state', async (state, expected) => {
    const outcomes: Record<string, string> = {};
    for (const request of ['pause', 'cancel', 'roll_back'] as const) {
      const run = await aRun(state);
      const before = world().jobs.of(world()).length;
      const answer = await ask(run, request);
      const told = world().jobs.of(world()).length - before;
      const after = await world().run(run.id);
      outcomes[request] = answer.ok ? (after.requested === request ? 'asked' : 'unchanged') : answer.error.code;
      expect(told).toBe(outcomes[request] === 'asked' ? 1 : 0);
      if (outcomes[request] !== 'asked') expect(after).toEqual(run);
    }
    expect(outcomes).toEqual(expected);
  });

  it.each<[RunRequest, RunRequest, string]>([
    ['pause', 'pause', 'pause'],
    ['pause', 'cancel', 'cancel'],
    ['pause', 'roll_back', 'roll_back'],
    ['cancel', 'pause', 'run.already_requested'],
    ['cancel', 'roll_back', 'roll_back'],
    ['roll_back', 'pause', 'run.already_requested'],
    ['roll_back', 'cancel', 'run.already_requested'],
  ])('to %s gives way to a stronger one only: %s', async (first, second, expected) => {
    const run = await aRun('executing');
    valueOf(await ask(run, first));
    const answer = await ask(run, second);
    expect(answer.ok ? answer.value.requested : answer.error.code).toBe(expected);
    expect((await world().run(run.id)).requested).toBe(answer.ok ? expected : first);
  });

  it('is recorded with its actor and reason, and wakes the run', async () => {
    const run = await aRun('executing', (executing) => ({ ...executing, nextAt: world().uow.now + 60_000 }));
    const asked = valueOf(await ask(run, 'cancel', 'no longer needed'));
    expect(asked).toMatchObject({
      requested: 'cancel',
      requestedBy: {
        actor: { kind: 'person', id: world().person.personId },
        reason: { code: 'run.cancel_requested', message: 'no longer needed' },
      },
      nextAt: world().uow.now,
    });
    expect(await world().events(run.id)).toMatchObject([
      { type: 'run.cancel_requested', data: { note: 'no longer needed' } },
    ]);
    expect(world().jobs.of(world())).toMatchObject([{ name: 'run.advance', id: run.id }]);
  });

  it('is written down once, however often it is made', async () => {
    const run = await aRun('executing');
    valueOf(await ask(run, 'pause'));
    valueOf(await ask(run, 'pause'));
    expect(await world().eventTypes(run.id)).toEqual(['run.pause_requested']);
  });

  it('does not stop a rollback that was paused', async () => {
    const run = await aRun('paused', (paused) => ({ ...paused, rollbackReason: paused.reason }));
    expect(codeOf(await ask(run, 'cancel'))).toBe('run.wrong_state');
    expect(codeOf(await ask(run, 'roll_back'))).toBe('ok');
  });

  it('needs a run of the tenant', async () => {
    expect(codeOf(await ask({ id: newId<RunId>() }, 'pause'))).toBe('resource.not_found');
  });

  it('is made by an agent to its own runs only', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')])] });
    const stranger = { ...world().agent, agentId: newId<AgentId>() };
    expect(codeOf(await world().parts.control.execute(stranger, run.id, 'cancel', null))).toBe('task.not_yours');
    expect(codeOf(await world().parts.control.execute(world().agent, run.id, 'cancel', null))).toBe('ok');
  });

  it('is taken by a queued run before it starts', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')])] });
    valueOf(await ask(run, 'cancel'));
    expect(await world().settle(run.id)).toMatchObject({ state: 'cancelled', startedAt: null });
    expect(world().calls).toEqual([]);
    expect(await world().taskState(run)).toBe('planned');
  });

  it('waits for the dispatched call', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    world().behave(async () => {
      valueOf(await ask(run, 'cancel'));
      expect((await world().settle(run.id)).state).toBe('executing');
      return fine;
    });
    expect((await world().settle(run.id)).state).toBe('cancelled');
    expect(await world().steps(run.id)).toEqual(['a:succeeded', 'b:pending']);
  });
});
