import { canonicalJson, type Json } from '#lib/canonical';
import type { AutonomyDocument, PlanDocument } from '#lib/contracts';
import type { DispatchOutcome } from '#lib/dispatch';
import { digestOf, newId, type RunId, type RunStepId, type SimulationId } from '#lib/kernel';
import { sqlOf } from '#lib/database';
import { runWorld, type RunWorld, valueOf } from '../../../../test/support/run-world.js';
import { ATTEMPT_TRANSITIONS } from '../domain/attempt-transitions.js';
import { RUN_TRANSITIONS } from '../domain/run-transitions.js';

type Phase = PlanDocument['phases'][number];
type Step = Phase['steps'][number];

const batchTargets = { targets: { $batch: 'targets' } };
const undo = { tool: 'undeploy', arguments: batchTargets };

const step = (id: string, more: Partial<Step> = {}): Step => ({
  id,
  tool: 'deploy',
  arguments: batchTargets,
  on_failure: 'pause',
  ...more,
});

const phase = (name: string, targets: readonly string[], steps: readonly Step[], more: Partial<Phase> = {}): Phase => ({
  name,
  canary: false,
  targets: [...targets],
  batch_percent: 100,
  wait_seconds: 0,
  health_checks: [],
  steps: [...steps],
  ...more,
});

const healthCheck = { name: 'web', tool: 'check', arguments: batchTargets };

const failed = (effect: 'not_started' | 'done'): DispatchOutcome => ({
  kind: 'failed',
  effect,
  error: { code: 'tool.broken', message: 'broken' },
});
const lost: DispatchOutcome = { kind: 'unknown', error: { code: 'dispatch.timeout', message: 'no answer' } };
const fine: DispatchOutcome = { kind: 'succeeded', result: { ok: true } };

let world: RunWorld;
let host = 0;
/** A target that no other test touches. */
const newHost = (): string => `host-${String((host += 1))}`;

beforeAll(async () => {
  world = await runWorld();
});
afterAll(async () => {
  await world.close();
});
beforeEach(() => {
  world.calls.length = 0;
  world.behave(() => fine);
});

const called = (): readonly string[] =>
  world.calls.map((call) => `${call.tool.name} ${JSON.stringify(call.arguments.targets ?? [])}`);

async function stepIdOf(runId: RunId, name: string): Promise<RunStepId> {
  const found = (await world.tx((tx) => world.runs.steps(tx, runId))).find((candidate) => candidate.stepId === name);
  if (found === undefined) throw new Error(`no step ${name}`);
  return found.id;
}

/** A worker that dies after the call has left: it never writes the answer. */
class Died extends Error {}
const dieAfterSending = (): never => {
  throw new Died('the worker was killed');
};

describe('a run', () => {
  it('executes batches and phases in order, to the end', async () => {
    const [a, b, c] = [newHost(), newHost(), newHost()];
    const run = await world.queued({
      phases: [phase('one', [a, b], [step('first')], { batch_percent: 34 }), phase('two', [c], [step('second')])],
    });
    const done = await world.settle(run.id);
    expect(done).toMatchObject({ state: 'completed', nextAt: null, outcome: { affected_assets: 3, not_undone: [] } });
    expect(called()).toEqual([`deploy ["${a}"]`, `deploy ["${b}"]`, `deploy ["${c}"]`]);
    expect(await world.eventTypes(run.id)).toEqual([
      'run.created',
      'run.started',
      ...Array.from({ length: 3 }, () => ['run.step_dispatched', 'run.step_succeeded', 'run.health_evaluated']).flat(),
      'run.completed',
    ]);
    const task = await world.tx((tx) =>
      sqlOf(tx).query<{ state: string }>('select state from task where id = $1', [run.taskId]),
    );
    expect(task).toEqual([{ state: 'completed' }]);
    const locks = await world.tx((tx) => sqlOf(tx).query('select target from target_lock where run_id = $1', [run.id]));
    expect(locks).toEqual([]);
  });

  it('leaves an audit entry for each of its events', async () => {
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('first')])] });
    await world.settle(run.id);
    const actions = await world.tx((tx) =>
      sqlOf(tx).query<{ action: string }>(
        "select action from audit_entry where subject_type = 'run' and run_id = $1 order by entry_number",
        [run.id],
      ),
    );
    expect(actions.map((row) => row.action)).toEqual(await world.eventTypes(run.id));
  });

  it('waits after a batch, and only then checks its health', async () => {
    const run = await world.queued({
      phases: [phase('one', [newHost()], [step('first')], { wait_seconds: 60, health_checks: [healthCheck] })],
    });
    const waiting = await world.settle(run.id);
    expect(waiting.state).toBe('executing');
    expect(world.calls).toHaveLength(1);
    expect(await world.eventTypes(run.id)).toContain('run.waiting');
    await world.passTime(61);
    expect((await world.settle(run.id)).state).toBe('completed');
    expect(world.calls.map((call) => [call.tool.name, call.basis])).toEqual([
      ['deploy', 'policy'],
      ['check', 'health_check'],
    ]);
  });

  it('retries an idempotent call where its plan says so, at growing intervals, and then pauses', async () => {
    world.behave(() => failed('done'));
    const run = await world.queued({
      phases: [phase('one', [newHost()], [step('again', { tool: 'restart', on_failure: 'retry' })])],
    });
    await world.settle(run.id);
    expect(world.calls).toHaveLength(1);
    await world.passTime(1);
    await world.settle(run.id);
    expect(world.calls).toHaveLength(2);
    await world.passTime(10);
    const paused = await world.settle(run.id);
    expect(world.calls).toHaveLength(3);
    expect(world.calls.map((call) => call.attempt)).toEqual([1, 2, 3]);
    expect(new Set(world.calls.map((call) => call.idempotencyKey)).size).toBe(1);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.step_failed' } });
  });

  it('never retries what is not idempotent, nor lets a person resume past it', async () => {
    world.behave(() => failed('not_started'));
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('once')])] });
    await world.settle(run.id);
    await world.passTime(60);
    expect(await world.settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.step_failed' } });
    expect(world.calls).toHaveLength(1);
    expect(await world.resume.execute(world.person, run.id, null)).toMatchObject({
      ok: false,
      error: { code: 'run.step_failed' },
    });
  });

  it('rolls back in reverse order, and says what nothing could undo', async () => {
    const [a, b] = [newHost(), newHost()];
    world.behave((order) => (order.tool.name === 'deploy' && order.arguments.amount === 9 ? failed('done') : fine));
    const run = await world.queued({
      phases: [
        phase(
          'one',
          [a, b],
          [
            step('kept'),
            step('undone', { compensate_with: undo }),
            step('also_undone', { compensate_with: undo }),
            step('breaks', { arguments: { ...batchTargets, amount: 9 }, on_failure: 'rollback' }),
          ],
        ),
      ],
    });
    const ended = await world.settle(run.id);
    expect(ended).toMatchObject({
      state: 'rolled_back',
      rollbackReason: { code: 'run.step_failed' },
      outcome: {
        not_undone: [
          { step_id: 'kept', why: 'no_compensation' },
          { step_id: 'breaks', why: 'failed_halfway' },
        ],
      },
    });
    expect(world.calls.slice(-2).map((call) => [call.tool.name, call.basis, call.step])).toEqual([
      ['undeploy', 'rollback', await stepIdOf(run.id, 'also_undone')],
      ['undeploy', 'rollback', await stepIdOf(run.id, 'undone')],
    ]);
  });

  it('ends as rollback_failed where something could not be undone, having undone the rest', async () => {
    world.behave((order) => (order.tool.name === 'undeploy_once' ? failed('done') : fine));
    const run = await world.queued({
      phases: [
        phase(
          'one',
          [newHost()],
          [
            step('first', { compensate_with: undo }),
            step('second', { compensate_with: { tool: 'undeploy_once', arguments: batchTargets } }),
          ],
          { wait_seconds: 600 },
        ),
      ],
    });
    await world.settle(run.id);
    valueOf(await world.control.execute(world.person, run.id, 'roll_back', 'not good'));
    expect(await world.settle(run.id)).toMatchObject({
      state: 'rollback_failed',
      outcome: { not_undone: [{ step_id: 'second', why: 'compensation_failed' }] },
    });
    expect(await world.steps(run.id)).toEqual(['first:compensated', 'second:compensation_failed']);
  });
});

describe('health', () => {
  const gated = (target: string): PlanDocument => ({
    phases: [
      phase('one', [target], [step('first', { compensate_with: undo })], {
        health_checks: [healthCheck],
        rollback_if: 'web.error_rate > 0.05',
      }),
    ],
  });
  const reporting =
    (metrics: Record<string, number>) =>
    (order: { tool: { name: string } }): DispatchOutcome =>
      order.tool.name === 'check' ? { kind: 'succeeded', result: { metrics } } : fine;

  it('goes on where the condition is not met', async () => {
    world.behave(reporting({ error_rate: 0.01 }));
    const run = await world.queued(gated(newHost()));
    expect((await world.settle(run.id)).state).toBe('completed');
  });

  it('rolls back where it is met', async () => {
    world.behave(reporting({ error_rate: 0.2 }));
    const run = await world.queued(gated(newHost()));
    expect(await world.settle(run.id)).toMatchObject({
      state: 'rolled_back',
      rollbackReason: { code: 'run.rollback_condition_met' },
    });
    expect(called().at(-1)).toMatch(/^undeploy /);
  });

  it('pauses where a metric is missing, and asks anew when resumed', async () => {
    world.behave(reporting({ latency: 1 }));
    const run = await world.queued(gated(newHost()));
    expect(await world.settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.health_unclear' } });
    world.behave(reporting({ error_rate: 0 }));
    valueOf(await world.resume.execute(world.person, run.id, 'the agent reports again'));
    expect((await world.settle(run.id)).state).toBe('completed');
    expect(called().filter((call) => call.startsWith('check'))).toHaveLength(2);
  });

  it('pauses where a check fails, and is never sent past it by resuming', async () => {
    world.behave((order) => (order.tool.name === 'check' ? failed('not_started') : fine));
    const run = await world.queued(gated(newHost()));
    expect(await world.settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.health_check_failed' } });
    valueOf(await world.resume.execute(world.person, run.id, null));
    expect(await world.settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.health_check_failed' } });
  });
});

describe('what a failed step may have changed', () => {
  it('is told of a call that timed out before it was refused', async () => {
    const answers = [lost, failed('not_started')];
    world.behave(() => answers[Math.min(world.calls.length, 2) - 1] ?? fine);
    const again = step('again', { tool: 'restart', on_failure: 'retry' });
    const run = await world.queued({ phases: [phase('one', [newHost()], [again])] });
    for (let tries = 0; tries < 4; tries += 1) {
      await world.settle(run.id);
      await world.passTime(60);
    }
    expect(await world.settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.step_failed' } });
    valueOf(await world.control.execute(world.person, run.id, 'cancel', null));
    expect(await world.settle(run.id)).toMatchObject({
      state: 'cancelled',
      outcome: { affected_assets: 1, not_undone: [{ step_id: 'again', why: 'failed_halfway' }] },
    });
  });
});

describe('T27: a worker that dies between two transactions', () => {
  it('sends an idempotent call again when the lease is over, not before', async () => {
    world.behave(dieAfterSending);
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('again', { tool: 'restart' })])] });
    await expect(world.settle(run.id)).rejects.toThrow(Died);
    world.behave(() => fine);
    expect((await world.settle(run.id)).state).toBe('executing');
    expect(world.calls).toHaveLength(1);
    await world.passTime(60);
    expect((await world.settle(run.id)).state).toBe('completed');
    expect(world.calls.map((call) => call.attempt)).toEqual([1, 2]);
    const attempts = await world.tx((tx) => world.runs.attempts(tx, run.id));
    expect(attempts.map((attempt) => attempt.outcome)).toEqual(['unknown', 'succeeded']);
  });

  it('lets nothing leave from a worker that stood still until its lease was over', async () => {
    world.behave(dieAfterSending);
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('late')])] });
    await expect(world.settle(run.id)).rejects.toThrow(Died);
    const mayLeaveUntil = () => world.tx(async (tx) => (await world.calls[0]?.mayLeaveUntil?.(tx)) ?? null);
    expect(await mayLeaveUntil()).toBeGreaterThan(await world.tx((tx) => tx.now()));
    await world.passTime(60);
    expect(await mayLeaveUntil()).toBeLessThan(await world.tx((tx) => tx.now()));
    expect(await world.settle(run.id)).toMatchObject({ reason: { code: 'run.effect_unknown' } });
    expect(await mayLeaveUntil()).toBeNull();

    const stepId = await stepIdOf(run.id, 'late');
    const { person, resolve } = world;
    valueOf(await resolve.execute(person, run.id, stepId, { effect: 'did_not', note: 'nothing in its log' }));
    valueOf(await resolve.execute(person, run.id, stepId, { effect: 'retry', note: 'once more' }));
    valueOf(await world.resume.execute(person, run.id, null));
    world.behave(async () => {
      expect(await mayLeaveUntil()).toBeNull();
      return fine;
    });
    expect((await world.settle(run.id)).state).toBe('completed');
  });

  it('never starts another call twice: it is unknown, and waits for a person for ever', async () => {
    world.behave(dieAfterSending);
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('once'), step('next')])] });
    await expect(world.settle(run.id)).rejects.toThrow(Died);
    world.behave(() => fine);
    await world.passTime(60);
    const paused = await world.settle(run.id);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.effect_unknown' }, nextAt: null });
    await world.passTime(86_400 * 365);
    expect((await world.settle(run.id)).state).toBe('paused');
    expect(world.calls).toHaveLength(1);
    expect(await world.resume.execute(world.person, run.id, null)).toMatchObject({
      ok: false,
      error: { code: 'run.effect_unknown' },
    });

    const stepId = await stepIdOf(run.id, 'once');
    valueOf(await world.resolve.execute(world.person, run.id, stepId, { effect: 'happened', note: 'seen in its log' }));
    valueOf(await world.resume.execute(world.person, run.id, null));
    expect((await world.settle(run.id)).state).toBe('completed');
    expect(world.calls).toHaveLength(2);
  });

  it('starts it again only after a person has stated that it did not happen', async () => {
    world.behave(() => lost);
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('once')])] });
    await world.settle(run.id);
    world.behave(() => fine);
    const stepId = await stepIdOf(run.id, 'once');
    const retry = { effect: 'retry', note: 'please' } as const;
    expect(await world.resolve.execute(world.person, run.id, stepId, retry)).toMatchObject({
      ok: false,
      error: { code: 'run_step.retry_needs_did_not' },
    });
    valueOf(await world.resolve.execute(world.person, run.id, stepId, { effect: 'did_not', note: 'no trace of it' }));
    valueOf(await world.resolve.execute(world.person, run.id, stepId, retry));
    valueOf(await world.resume.execute(world.person, run.id, null));
    expect((await world.settle(run.id)).state).toBe('completed');
    expect(world.calls).toHaveLength(2);
  });

  it('keeps a late answer as evidence, and nothing follows from it', async () => {
    let answer: (outcome: DispatchOutcome) => void = () => undefined;
    world.behave(() => new Promise((resolve) => (answer = resolve)));
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('slow')])] });
    await world.advance.execute(world.tenantId, run.id);
    const slow = world.advance.execute(world.tenantId, run.id);
    await until(() => world.calls.length === 1);
    await world.passTime(60);
    expect(await world.settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.effect_unknown' } });
    answer({ kind: 'succeeded', result: { at: 'last' } });
    await slow;
    expect((await world.run(run.id)).state).toBe('paused');
    const [attempt] = await world.tx((tx) => world.runs.attempts(tx, run.id));
    expect(attempt).toMatchObject({ outcome: 'unknown', lateResult: { kind: 'succeeded', result: { at: 'last' } } });
  });

  it('sends nothing twice when two workers advance the same run at once', async () => {
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('a'), step('b'), step('c')])] });
    await Promise.all([world.settle(run.id), world.settle(run.id), world.settle(run.id)]);
    await world.settle(run.id);
    expect((await world.run(run.id)).state).toBe('completed');
    expect(new Set(world.calls.map((call) => call.step)).size).toBe(3);
    expect(world.calls).toHaveLength(3);
  });
});

describe('requests', () => {
  it('are taken between steps', async () => {
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    world.behave(async () => {
      if (world.calls.length === 1) valueOf(await world.control.execute(world.person, run.id, 'pause', 'lunch'));
      return fine;
    });
    expect(await world.settle(run.id)).toMatchObject({
      state: 'paused',
      reason: { code: 'run.pause_requested', message: 'lunch' },
    });
    expect(await world.steps(run.id)).toEqual(['a:succeeded', 'b:pending']);
    valueOf(await world.resume.execute(world.person, run.id, null));
    expect((await world.settle(run.id)).state).toBe('completed');
  });

  it('cancel, and the task can be planned again', async () => {
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('a')], { wait_seconds: 600 })] });
    await world.settle(run.id);
    valueOf(await world.control.execute(world.agent, run.id, 'cancel', null));
    expect(await world.settle(run.id)).toMatchObject({
      state: 'cancelled',
      outcome: { not_undone: [{ why: 'not_rolled_back' }] },
    });
    const task = await world.tx((tx) =>
      sqlOf(tx).query<{ state: string }>('select state from task where id = $1', [run.taskId]),
    );
    expect(task).toEqual([{ state: 'planned' }]);
    expect(await world.control.execute(world.person, run.id, 'pause', null)).toMatchObject({
      ok: false,
      error: { code: 'run.wrong_state' },
    });
  });
});

describe('a paused run that is resumed and asked for something at once', () => {
  const paused = async (): Promise<RunId> => {
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    world.behave(async () => {
      if (world.calls.length === 1) valueOf(await world.control.execute(world.person, run.id, 'pause', null));
      return fine;
    });
    expect((await world.settle(run.id)).state).toBe('paused');
    world.behave(() => fine);
    return run.id;
  };

  it.each([
    ['roll_back', 'rolled_back'],
    ['cancel', 'cancelled'],
  ] as const)('keeps to a %s that was accepted first', async (request, end) => {
    const id = await paused();
    valueOf(await world.control.execute(world.person, id, request, 'not good'));
    expect(await world.resume.execute(world.person, id, 'go on')).toMatchObject({
      ok: false,
      error: { kind: 'conflict', code: 'run.already_requested', details: { requested: request } },
    });
    expect((await world.settle(id)).state).toBe(end);
    expect(await world.eventTypes(id)).not.toContain('run.resumed');
  });

  it.each([
    ['roll_back', 'rolled_back'],
    ['cancel', 'cancelled'],
  ] as const)('takes a %s that comes after the resume', async (request, end) => {
    const id = await paused();
    valueOf(await world.resume.execute(world.person, id, null));
    valueOf(await world.control.execute(world.person, id, request, 'not good'));
    expect((await world.settle(id)).state).toBe(end);
    expect(await world.steps(id)).toContain('b:pending');
  });

  it('is rolled back whoever comes first, and loses no answer that it gave', async () => {
    for (let round = 0; round < 6; round += 1) {
      world.calls.length = 0;
      const id = await paused();
      const [resumed, cancelled, asked] = await Promise.all([
        world.resume.execute(world.person, id, null),
        world.control.execute(world.person, id, 'cancel', null),
        world.control.execute(world.person, id, 'roll_back', 'not good'),
      ]);
      valueOf(asked);
      for (const other of [resumed, cancelled]) {
        if (!other.ok) expect(other.error.code).toBe('run.already_requested');
      }
      expect((await world.settle(id)).state).toBe('rolled_back');
    }
  });

  it('says first what nobody knows, and then rolls back as was asked', async () => {
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('a', { tool: 'restart' })])] });
    world.behave(() => lost);
    expect((await world.settle(run.id)).reason).toMatchObject({ code: 'run.effect_unknown' });
    valueOf(await world.control.execute(world.person, run.id, 'roll_back', null));
    expect(await world.resume.execute(world.person, run.id, null)).toMatchObject({
      ok: false,
      error: { code: 'run.effect_unknown' },
    });
    const stepId = await stepIdOf(run.id, 'a');
    valueOf(await world.resolve.execute(world.person, run.id, stepId, { effect: 'did_not', note: 'not in its log' }));
    expect(await world.resume.execute(world.person, run.id, null)).toMatchObject({
      ok: false,
      error: { code: 'run.already_requested' },
    });
    expect((await world.settle(run.id)).state).toBe('rolled_back');
  });
});

describe('T02: arguments swapped after the last check', () => {
  it.each([
    ['alone', (text: string) => text.replace('"amount":1', '"amount":1000')],
    [
      'with their digest',
      (text: string, target: string) =>
        text
          .replace('"amount":1', '"amount":1000')
          .replace(
            /"arguments_digest":"sha256:[0-9a-f]+"/,
            `"arguments_digest":"${digestOf('arguments', { amount: 1_000, targets: [target] })}"`,
          ),
    ],
  ])('%s, are never sent', async (_how, swap) => {
    const target = newHost();
    const run = await world.queued({
      phases: [phase('one', [target], [step('a', { arguments: { ...batchTargets, amount: 1 } })])],
    });
    const [plan] = await world.tx((tx) =>
      sqlOf(tx).query<{ expanded: string }>('select expanded from plan where id = $1', [run.planId]),
    );
    const swapped = swap(plan?.expanded ?? '', target);
    expect(swapped).not.toBe(plan?.expanded);
    await world.db.owner.query('update plan set expanded = $2 where id = $1', [run.planId, swapped]);
    expect((await world.settle(run.id)).state).toBe('paused');
    expect(world.calls).toEqual([]);
  });
});

describe('T01: the executor gets another address in the middle of a run', () => {
  const approved = 'http://127.0.0.1:1';
  afterEach(() => world.moveToolServer(approved));

  it('stops what goes forward, and undoes at the address that was approved', async () => {
    const first = phase('one', [newHost()], [step('a', { compensate_with: undo })], { wait_seconds: 600 });
    const run = await world.queued({ phases: [first, phase('two', [newHost()], [step('b')])] });
    await world.settle(run.id);
    await world.moveToolServer('http://127.0.0.1:2');
    await world.passTime(601);
    const paused = await world.settle(run.id);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.not_allowed' } });
    expect(paused.reason?.reasons).toEqual([
      expect.objectContaining({ code: 'run.binding_changed', message: 'Changed since it was approved: executors' }),
    ]);

    valueOf(await world.control.execute(world.person, run.id, 'roll_back', null));
    expect(await world.settle(run.id)).toMatchObject({ state: 'rolled_back' });
    expect(world.calls.map((call) => `${call.tool.name} ${call.executor.url}`)).toEqual([
      `deploy ${approved}`,
      `undeploy ${approved}`,
    ]);
  });

  it('lets a run go on once the address is what was approved', async () => {
    const run = await world.queued({ phases: [phase('one', [newHost()], [step('a')])] });
    await world.moveToolServer('http://127.0.0.1:2');
    expect((await world.settle(run.id)).state).toBe('paused');
    expect(world.calls).toEqual([]);
    await world.moveToolServer(approved);
    valueOf(await world.resume.execute(world.person, run.id, 'moved back'));
    expect((await world.settle(run.id)).state).toBe('completed');
  });
});

describe('T06: policy becomes stricter in the middle of a run', () => {
  const slow = (target: string): PlanDocument => ({
    phases: [phase('one', [target], [step('a')], { wait_seconds: 600 }), phase('two', [target], [step('b')])],
  });
  afterEach(() => world.autonomy({ autonomy: { mode: 'full_auto' } }));

  it('pauses at the next step, and says why', async () => {
    const run = await world.queued(slow(newHost()));
    await world.settle(run.id);
    await world.autonomy({ autonomy: { mode: 'plan_only' } });
    await world.passTime(601);
    const paused = await world.settle(run.id);
    expect(paused).toMatchObject({ state: 'paused', reason: { code: 'run.not_allowed' } });
    expect(paused.reason?.reasons?.map((reason) => reason.code)).toContain('run.stricter');
    expect(world.calls).toHaveLength(1);
  });

  it('is not touched by an unrelated edit', async () => {
    const run = await world.queued(slow(newHost()));
    await world.settle(run.id);
    await world.autonomy({ autonomy: { mode: 'full_auto', environments: { production: { mode: 'plan_only' } } } });
    await world.passTime(601);
    expect((await world.settle(run.id)).state).toBe('completed');
  });
});

describe('T35: a halt', () => {
  it('stops what goes forward, lists what has left, and lets a rollback work', async () => {
    let answer: (outcome: DispatchOutcome) => void = () => undefined;
    world.behave((order) => (order.tool.name === 'undeploy' ? fine : new Promise((resolve) => (answer = resolve))));
    const run = await world.queued({
      phases: [phase('one', [newHost()], [step('a', { compensate_with: undo }), step('b')])],
    });
    await world.advance.execute(world.tenantId, run.id);
    const out = world.advance.execute(world.tenantId, run.id);
    await until(() => world.calls.length === 1);

    const halt = await world.halt();
    expect(halt.effect).toMatchObject({
      pausedRuns: [run.id],
      inFlight: [{ run_id: run.id, step_id: 'a', tool: 'deploy@1', attempt: 1 }],
    });
    answer(fine);
    await out;
    expect(await world.settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.halted' } });
    expect(world.calls).toHaveLength(1);

    expect(await world.resume.execute(world.person, run.id, 'try')).toMatchObject({
      ok: false,
      error: {
        code: 'halt.active',
        message: 'A halt of everything is in force, set by deployer: something is wrong',
        action: expect.stringContaining('lifted by PlatformAdmin or SRELead') as string,
        details: { halt_id: halt.id, set_by: { kind: 'agent' } },
      },
    });
    expect(await world.settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.halted' } });

    valueOf(await world.control.execute(world.person, run.id, 'roll_back', null));
    expect(await world.settle(run.id)).toMatchObject({ state: 'rolled_back' });
    expect(called().at(-1)).toMatch(/^undeploy /);
    await world.lift(halt);
  });
});

describe('a halt of a tool', () => {
  it('keeps a run from being resumed that still has to call it, and no other', async () => {
    world.behave(() => failed('not_started'));
    const runs = [
      await world.queued({ phases: [phase('one', [newHost()], [step('a', { tool: 'restart' }), step('b')])] }),
      await world.queued({ phases: [phase('one', [newHost()], [step('a', { tool: 'restart' })])] }),
    ];
    for (const run of runs) expect(await world.settle(run.id)).toMatchObject({ state: 'paused' });
    const halt = await world.halt({ kind: 'tool', tool: 'deploy' });
    const outcomes = [];
    for (const run of runs) outcomes.push(await world.resume.execute(world.person, run.id, null));
    expect(outcomes).toMatchObject([
      { ok: false, error: { code: 'halt.active', details: { halt_id: halt.id, kind: 'tool' } } },
      { ok: true, value: { state: 'executing' } },
    ]);
    await world.lift(halt);
    expect(await world.resume.execute(world.person, runs[0]?.id ?? ('' as RunId), null)).toMatchObject({ ok: true });
  });
});

describe('T35: a halt that comes between a call and its grant', () => {
  it('keeps the call from leaving, and a call that undoes something not', async () => {
    const asked: string[] = [];
    world.behave(async (order) => {
      const halt = await world.halt();
      const until = await world.tx(async (tx) => order.mayLeaveUntil?.(tx) ?? null);
      asked.push(`${order.tool.name} ${until === null ? 'stays' : 'leaves'}`);
      await world.lift(halt);
      return order.arguments.targets !== undefined && asked.length === 2 ? failed('done') : fine;
    });
    const steps = [step('a', { compensate_with: undo }), step('b', { on_failure: 'rollback' })];
    const run = await world.queued({ phases: [phase('one', [newHost()], steps)] });
    await world.settle(run.id);
    valueOf(await world.resume.execute(world.person, run.id, null));
    await world.settle(run.id);
    const paused = await world.run(run.id);
    if (paused.state === 'paused') valueOf(await world.control.execute(world.person, run.id, 'roll_back', null));
    expect(await world.settle(run.id)).toMatchObject({ state: 'rolled_back' });
    expect(asked).toEqual(['deploy stays', 'deploy stays', 'undeploy leaves']);
  });
});

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
    const run = await world.queued({
      phases: [
        phase('one', [newHost(), newHost()], [step('a', { compensate_with: undo }), step('b')], { wait_seconds: 60 }),
        phase('two', [newHost()], [step('c')]),
      ],
    });
    await world.advance.execute(world.tenantId, run.id);
    await world.advance.execute(world.tenantId, run.id);
    return run.id;
  };

  afterEach(() => world.autonomy({ autonomy: { mode: 'full_auto' } }));

  it('lets its phase come to an end, stops before the next, and goes on by itself when it is over', async () => {
    const id = await begun();
    await world.autonomy(freeze());
    expect((await world.settle(id)).state).toBe('executing');
    expect(await world.steps(id)).toEqual(['a:succeeded', 'b:succeeded', 'c:pending']);
    await world.passTime(61);
    const paused = await world.settle(id);
    const until = Math.floor((Date.now() + 3_600_000) / 60_000) * 60_000;
    expect(paused).toMatchObject({ state: 'paused', nextAt: until, reason: { code: 'freeze.active' } });
    expect(paused.reason?.details?.until).toBe(new Date(until).toISOString());

    valueOf(await world.resume.execute(world.person, id, 'it is urgent'));
    expect(await world.settle(id)).toMatchObject({ state: 'paused', reason: { code: 'freeze.active' } });

    await world.autonomy({ autonomy: { mode: 'full_auto' } });
    await world.db.owner.query(
      `update run set next_at = clock_timestamp(),
         reason = jsonb_set(reason, '{details,until}', to_jsonb('2026-01-01T00:00:00.000Z'::text))
       where id = $1`,
      [id],
    );
    expect((await world.settle(id)).state).toBe('completed');
    expect(await world.eventTypes(id)).toEqual(expect.arrayContaining(['run.paused', 'run.resumed', 'run.completed']));
  });

  it('is rolled back and cancelled as ever', async () => {
    const [id, other] = [await begun(), await begun()];
    await world.autonomy(freeze());
    for (const each of [id, other]) await world.settle(each);
    await world.passTime(61);
    for (const each of [id, other]) expect((await world.settle(each)).reason?.code).toBe('freeze.active');
    valueOf(await world.control.execute(world.person, id, 'roll_back', null));
    expect((await world.settle(id)).state).toBe('rolled_back');

    valueOf(await world.control.execute(world.person, other, 'cancel', null));
    expect((await world.settle(other)).state).toBe('cancelled');
  });

  it('does not start at all in one', async () => {
    await world.autonomy(freeze());
    const plan = await world.plan({ phases: [phase('one', [newHost()], [step('a')])] });
    const refused = await world.start.execute(world.agent, plan);
    expect(refused.ok ? 'started' : refused.error.code).toBe('freeze.active');
  });
});

describe('T36: two runs of the same target', () => {
  const on = (target: string): PlanDocument => ({
    phases: [phase('one', [target], [step('a')], { wait_seconds: 600 })],
  });

  it('lets the second wait and name the first', async () => {
    const target = newHost();
    const first = await world.queued(on(target));
    await world.settle(first.id);
    const second = await world.queued(on(target));
    expect(await world.settle(second.id)).toMatchObject({ state: 'queued', waitingOn: { target, runId: first.id } });
    expect(world.calls).toHaveLength(1);
    const other = await world.queued(on(newHost()));
    expect((await world.settle(other.id)).state).toBe('executing');

    await world.passTime(601);
    expect((await world.settle(first.id)).state).toBe('completed');
    expect(await world.settle(second.id)).toMatchObject({ state: 'executing', waitingOn: null });
    await world.passTime(601);
    await world.settle(other.id);
    await world.settle(second.id);
  });

  it.each([
    ['that another run has outdated', 'simulation.targets_touched', 'Another run has touched the targets'],
    ['that has become too old', 'simulation.too_old', 'too old while the run was queued'],
  ])('does not start on a prediction %s', async (_how, code, says) => {
    const run = await world.queued(on(newHost()));
    const predicted: Json = {
      affected_assets: 1,
      estimated_duration_minutes: 1,
      predicted_risk: 'low',
      health_check_points: [],
      details: { calls: [], wait_minutes: 0 },
    };
    const id = newId<SimulationId>();
    await world.tx(async (tx) => {
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
    await world.db.owner.query('update run set simulation_id = $2 where id = $1', [run.id, id]);
    expect(await world.settle(run.id)).toMatchObject({
      state: 'failed',
      reason: { code: 'run.simulation_stale', message: expect.stringContaining(says) as string, details: { code } },
    });
    expect(world.calls).toEqual([]);
  });

  it('lets a step of the whole environment wait for every target, and every target for it', async () => {
    await endEverything();
    const first = await world.queued(on(newHost()));
    await world.settle(first.id);
    const whole = await world.queued({
      phases: [
        phase('one', [], [{ id: 'all', tool: 'reindex', arguments: {}, on_failure: 'pause' }], { wait_seconds: 600 }),
      ],
    });
    expect(await world.settle(whole.id)).toMatchObject({ state: 'queued', waitingOn: { runId: first.id } });
    await world.passTime(601);
    await world.settle(first.id);
    expect((await world.settle(whole.id)).state).toBe('executing');
    const third = await world.queued(on(newHost()));
    expect(await world.settle(third.id)).toMatchObject({
      state: 'queued',
      waitingOn: { target: 'environment:staging', runId: whole.id },
    });
    await world.passTime(601);
    await world.settle(whole.id);
    await world.settle(third.id);
  });
});

describe('the database', () => {
  it.each([
    ['run_transition', RUN_TRANSITIONS],
    ['attempt_transition', ATTEMPT_TRANSITIONS],
  ] as const)('holds the same %s as the domain', async (table, transitions) => {
    const rows = await world.db.owner.query<{ from_state: string; event: string; to_state: string }>(
      `select * from ${table}`,
    );
    const sorted = (list: readonly (readonly string[])[]): string[] => list.map((row) => row.join(' ')).sort();
    expect(sorted(rows.rows.map((row) => [row.from_state, row.event, row.to_state]))).toEqual(sorted(transitions));
  });
});

/** Lets go of every target. */
async function endEverything(): Promise<void> {
  for (const runId of await world.tx((tx) => world.runs.liveRuns(tx, { kind: 'tenant' }))) {
    valueOf(await world.control.execute(world.person, runId, 'cancel', null));
    for (const left of await world.tx((tx) => world.runs.steps(tx, runId))) {
      if (left.state !== 'unknown') continue;
      valueOf(
        await world.resolve.execute(world.person, runId, left.id, { effect: 'happened', note: 'the test is over' }),
      );
    }
    await world.settle(runId);
  }
}

async function until(condition: () => boolean): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error('it did not happen in time');
    await new Promise((resolve) => setImmediate(resolve));
  }
}
