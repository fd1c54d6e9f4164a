import { MASK, type RunId } from '#lib/kernel';
import { sqlOf } from '#lib/database';
import type { DispatchOutcome } from '#lib/dispatch';
import { type CountedStatements, countedStatements, perStep } from '../../../../../test/support/counted-statements.js';
import { worldOfFile } from '../../../../../test/support/run-documents.js';
import {
  batchTargets,
  called,
  dieAfterSending,
  Died,
  failed,
  fine,
  newHost,
  phase,
  step,
  SWAPPED_ARGUMENTS,
  stepIdOf,
  undo,
  until,
  valueOf,
} from '../fake-run-documents.js';

// PostgreSQL alone proves its locks, its clock and the stored rows. The other tests are beside the use cases, on fakes.
const world = worldOfFile();

describe('a run', () => {
  it('executes batches and phases in order, and lets go of its targets', async () => {
    const [a, b, c] = [newHost(), newHost(), newHost()];
    const run = await world().queued({
      phases: [phase('one', [a, b], [step('first')], { batch_percent: 34 }), phase('two', [c], [step('second')])],
    });
    expect(await world().settle(run.id)).toMatchObject({ state: 'completed', nextAt: null });
    expect(called(world())).toEqual([`deploy ["${a}"]`, `deploy ["${b}"]`, `deploy ["${c}"]`]);
    const locks = await world().tx((tx) =>
      sqlOf(tx).query('select target from target_lock where run_id = $1', [run.id]),
    );
    expect(locks).toEqual([]);
  });

  it('commits the grant of a call with its attempt', async () => {
    const kept: object[] = [];
    world().behave(async ({ ahead }) => {
      const grants = await world().tx((tx) =>
        sqlOf(tx).query<object>(
          `select source_id, step, attempt, arguments_digest, expires_at, redeemed_at from call_grant where id = $1`,
          [ahead?.id],
        ),
      );
      kept.push(...grants);
      return fine;
    });
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    await world().settle(run.id);
    const attempts = await world().tx((tx) => world().runs.attempts(tx, run.id));
    expect(kept).toEqual(
      attempts.map(({ stepId, number, argumentsDigest, leaseUntil }) => ({
        source_id: run.id,
        step: stepId,
        attempt: number,
        arguments_digest: argumentsDigest,
        expires_at: new Date(leaseUntil),
        redeemed_at: null,
      })),
    );
    expect(kept).toHaveLength(2);
  });

  it('leaves an audit entry for each of its events', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('first')])] });
    await world().settle(run.id);
    const actions = await world().tx((tx) =>
      sqlOf(tx).query<{ action: string }>(
        "select action from audit_entry where subject_type = 'run' and subject_id = $1 order by entry_number",
        [run.id],
      ),
    );
    expect(actions.map((row) => row.action)).toEqual(await world().eventTypes(run.id));
  });

  it('rolls back in reverse order', async () => {
    world().behave((order) => (order.arguments.amount === 9 ? failed('done') : fine));
    const breaks = step('breaks', { arguments: { ...batchTargets, amount: 9 }, on_failure: 'rollback' });
    const steps = [step('first', { compensate_with: undo }), step('second', { compensate_with: undo }), breaks];
    const run = await world().queued({ phases: [phase('one', [newHost()], steps)] });
    expect(await world().settle(run.id)).toMatchObject({
      state: 'rolled_back',
      outcome: { not_undone: [{ step_id: 'breaks', why: 'failed_halfway' }] },
    });
    expect(
      world()
        .calls.slice(-2)
        .map((call) => call.step),
    ).toEqual([await stepIdOf(world(), run.id, 'second'), await stepIdOf(world(), run.id, 'first')]);
  });

  it('waits for a run that holds one of its targets', async () => {
    const target = newHost();
    const document = { phases: [phase('one', [target], [step('a')], { wait_seconds: 600 })] };
    const first = await world().queued(document);
    await world().settle(first.id);
    const second = await world().queued(document);
    expect(await world().settle(second.id)).toMatchObject({ state: 'queued', waitingOn: { target, runId: first.id } });
    await world().passTime(601);
    expect((await world().settle(first.id)).state).toBe('completed');
    expect(await world().settle(second.id)).toMatchObject({ state: 'executing', waitingOn: null });
  });
});

describe('T02: arguments swapped after the last check', () => {
  it.each(SWAPPED_ARGUMENTS)('%s, are never sent', async (_how, code, swap) => {
    const target = newHost();
    const run = await world().queued({
      phases: [phase('one', [target], [step('a', { arguments: { ...batchTargets, amount: 1 } })])],
    });
    const [plan] = await world().tx((tx) =>
      sqlOf(tx).query<{ expanded: string }>('select expanded from plan where id = $1', [run.planId]),
    );
    const swapped = swap(plan?.expanded ?? '', target);
    expect(swapped).not.toBe(plan?.expanded);
    await world().db.owner.query('update plan set expanded = $2 where id = $1', [run.planId, swapped]);
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code } });
    expect(world().calls).toEqual([]);
  });
});

describe('T32: what a tool answers', () => {
  it('is stored with the secrets in it masked', async () => {
    const told = `password=hunter2hunter2, Bearer ${'x'.repeat(24)}`;
    world().behave(() => ({ kind: 'succeeded', result: { text: told, api_key: 'hunter2hunter2' } }));
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')])] });
    expect((await world().settle(run.id)).state).toBe('completed');
    const stored = await world().tx((tx) =>
      sqlOf(tx).query('select result from step_attempt where run_id = $1', [run.id]),
    );
    expect(stored).toEqual([{ result: { text: `password=${MASK}, Bearer ${MASK}`, api_key: MASK } }]);
  });
});

describe('a dispatched step', () => {
  it('takes one transaction of 4 statements, however long its plan is', async () => {
    const driven = async (steps: number): Promise<CountedStatements> => {
      const calls = Array.from({ length: steps }, (_, index) => step(`s${String(index)}`));
      const run = await world().queued({ phases: [phase('one', [newHost()], calls)] });
      return countedStatements(() => world().settle(run.id));
    };
    expect(await perStep(driven)).toEqual({ transactions: [1, 1], statements: [4, 4] });
  });
});

describe('a turn after an answer', () => {
  const gathering = ({ statements }: CountedStatements): number =>
    statements.filter((text) => text.includes('run_turn_facts')).length;
  const broken = (): DispatchOutcome => failed('done');

  it.each([
    ['a wait', {}, { wait_seconds: 600 }, () => fine, 'executing'],
    ['a verdict', {}, {}, () => fine, 'completed'],
    ['a pause', {}, {}, broken, 'paused'],
    ['a rollback', { on_failure: 'rollback' }, { wait_seconds: 600 }, broken, 'rolled_back'],
  ] as const)(
    'that is %s locks neither task nor plan, and gathers nothing',
    async (_which, more, phases, behaviour, state) => {
      world().behave(behaviour);
      const run = await world().queued({ phases: [phase('one', [newHost()], [step('a', more)], phases)] });
      const counted = await countedStatements(() => world().settle(run.id));
      expect((await world().run(run.id)).state).toBe(state);
      // The start and the call gather, and so does the end of a run.
      expect(gathering(counted)).toBe(state === 'rolled_back' || state === 'completed' ? 3 : 2);
    },
  );

  it('that waits is not held up by a person who holds task and plan', async () => {
    const holder = await world().db.owner.connect();
    try {
      const run = await world().queued({
        phases: [phase('one', [newHost()], [step('a')], { wait_seconds: 600 })],
      });
      world().behave(async () => {
        await holder.query('begin');
        await holder.query('select from task where id = $1 for update', [run.taskId]);
        await holder.query('select from plan where id = $1 for update', [run.planId]);
        return fine;
      });
      expect(await world().settle(run.id)).toMatchObject({
        state: 'executing',
        waitUntil: expect.any(Number) as number,
      });
      expect(await world().steps(run.id)).toEqual(['a:succeeded']);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });

  it('keeps the answer if a request to cancel came meanwhile, and leaves it to another turn', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a')], { wait_seconds: 600 })] });
    world().behave(async () => {
      valueOf(await world().control.execute(world().person, run.id, 'cancel', null));
      return fine;
    });
    expect((await world().settle(run.id)).state).toBe('cancelled');
    expect(await world().steps(run.id)).toEqual(['a:succeeded']);
  });
});

describe('T27: a worker that dies between two transactions', () => {
  it('leaves an idempotent call to be sent again when the lease is over, not before', async () => {
    world().behave(dieAfterSending);
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('again', { tool: 'restart' })])] });
    await expect(world().settle(run.id)).rejects.toThrow(Died);
    world().behave(() => fine);
    expect((await world().settle(run.id)).state).toBe('executing');
    expect(world().calls).toHaveLength(1);
    await world().passTime(60);
    expect((await world().settle(run.id)).state).toBe('completed');
    expect(world().calls.map((call) => call.attempt)).toEqual([1, 2]);
  });

  it('keeps a late answer as evidence, and nothing follows from it', async () => {
    let answer: (outcome: DispatchOutcome) => void = () => undefined;
    world().behave(() => new Promise((resolve) => (answer = resolve)));
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('slow')])] });
    await world().advance.execute(world().tenantId, run.id);
    const slow = world().advance.execute(world().tenantId, run.id);
    await until(() => world().calls.length === 1);
    await world().passTime(60);
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.effect_unknown' } });
    answer({ kind: 'succeeded', result: { at: 'last' } });
    await slow;
    expect((await world().run(run.id)).state).toBe('paused');
    const [attempt] = await world().tx((tx) => world().runs.attempts(tx, run.id));
    expect(attempt).toMatchObject({ outcome: 'unknown', lateResult: { kind: 'succeeded', result: { at: 'last' } } });
  });

  it('sends nothing twice when workers advance the same run at once', async () => {
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a'), step('b'), step('c')])] });
    await Promise.all([world().settle(run.id), world().settle(run.id), world().settle(run.id)]);
    await world().settle(run.id);
    expect((await world().run(run.id)).state).toBe('completed');
    expect(new Set(world().calls.map((call) => call.step)).size).toBe(3);
    expect(world().calls).toHaveLength(3);
  });
});

describe('a paused run that is asked for three things at once', () => {
  it('is rolled back if request and worker race, and loses no answer', async () => {
    for (let round = 0; round < 6; round += 1) {
      const id = await pausedRun();
      const [resumed, cancelled, asked] = await Promise.all([
        world().resume.execute(world().person, id, null),
        world().control.execute(world().person, id, 'cancel', null),
        world().control.execute(world().person, id, 'roll_back', 'not good'),
      ]);
      valueOf(asked);
      for (const other of [resumed, cancelled]) {
        if (!other.ok) expect(other.error.code).toBe('run.already_requested');
      }
      expect((await world().settle(id)).state).toBe('rolled_back');
    }
  });

  async function pausedRun(): Promise<RunId> {
    world().calls.length = 0;
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('a'), step('b')])] });
    world().behave(async () => {
      if (world().calls.length === 1) valueOf(await world().control.execute(world().person, run.id, 'pause', null));
      return fine;
    });
    expect((await world().settle(run.id)).state).toBe('paused');
    world().behave(() => fine);
    return run.id;
  }
});

describe('T35: a halt', () => {
  it('stops the way forward, lists the dispatched calls, and lets a rollback work', async () => {
    let answer: (outcome: DispatchOutcome) => void = () => undefined;
    world().behave((order) => (order.tool.name === 'undeploy' ? fine : new Promise((resolve) => (answer = resolve))));
    const run = await world().queued({
      phases: [phase('one', [newHost()], [step('a', { compensate_with: undo }), step('b')])],
    });
    await world().advance.execute(world().tenantId, run.id);
    const inFlight = world().advance.execute(world().tenantId, run.id);
    await until(() => world().calls.length === 1);
    const halt = await world().halt();
    // Runs of the tests before it may be live, too.
    expect(halt.effect.pausedRuns).toContain(run.id);
    expect(halt.effect.inFlight).toEqual([
      expect.objectContaining({ run_id: run.id, step_id: 'a', tool: 'deploy@1', attempt: 1 }),
    ]);
    answer(fine);
    await inFlight;
    expect(await world().settle(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.halted' } });
    valueOf(await world().control.execute(world().person, run.id, 'roll_back', null));
    expect(await world().settle(run.id)).toMatchObject({ state: 'rolled_back' });
    expect(called(world()).at(-1)).toMatch(/^undeploy /);
    await world().lift(halt);
  });
});

// Last: it stops every run that is left.
describe('T30: a restore from a backup', () => {
  it('leaves a call that was in flight unknown, and its run paused', async () => {
    world().behave(dieAfterSending);
    const run = await world().queued({ phases: [phase('one', [newHost()], [step('first'), step('second')])] });
    await expect(world().settle(run.id)).rejects.toThrow(Died);
    const restored = await world().tx((tx) => world().restore.execute(tx, { epoch: 2, reason: 'the backup of noon' }));
    expect(restored).toContain(run.id);
    expect(await world().run(run.id)).toMatchObject({ state: 'paused', reason: { code: 'run.restored' } });
    expect(await world().steps(run.id)).toEqual(['first:unknown', 'second:pending']);
  });
});
