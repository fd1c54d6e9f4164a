import type { DispatchOutcome, KeptAnswer } from '#lib/dispatch';
import { FakeAuditSink } from '../../../../foundation/kernel/src/fake-ports.js';
import { fakeWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { ExecuteHook } from './execute-hook.js';
import { FakeHookExecutions, sampleExecution } from './fake-hook-executions.js';

const error = { code: 'dispatch.unreachable', message: 'No runner is online.' };
const AWAY = { kind: 'failed', effect: 'not_started', error } as const;
const OVERTAKEN: DispatchOutcome = {
  ...AWAY,
  error: { code: 'dispatch.overtaken', message: 'A halt came before it.' },
};
const TOLD: DispatchOutcome = { kind: 'succeeded', result: { exit_status: 0, output: 'told' } };

async function written(outcome: DispatchOutcome | Error = TOLD) {
  const world = fakeWorld();
  const executions = new FakeHookExecutions(world.uow);
  const audit = new FakeAuditSink(world.uow);
  const sent: number[] = [];
  const answers: { outcome: DispatchOutcome | Error; kept: KeptAnswer | null; halted: boolean } = {
    ...{ outcome, kept: null, halted: false },
  };
  const executing = new ExecuteHook(world.uow, {
    ...{ executions, audit },
    isHalted: () => Promise.resolve(answers.halted),
    runners: {
      send: async (tenant, { attempts }, mayLeaveUntil) => {
        if ((await world.uow.run(tenant, mayLeaveUntil)) === null) return OVERTAKEN;
        sent.push(attempts);
        return answers.outcome instanceof Error ? Promise.reject(answers.outcome) : Promise.resolve(answers.outcome);
      },
      kept: () => Promise.resolve(answers.kept),
    },
  });
  const one = sampleExecution();
  const { tenantId } = world.home;
  await world.uow.run(tenantId, (tx) => executions.write(tx, [one]));
  const inTx = world.uow.run.bind(world.uow, tenantId) as <T>(
    work: Parameters<typeof world.uow.run<T>>[1],
  ) => Promise<T>;
  return {
    world,
    sent,
    /** A worker takes it, and dies. */
    die: () => inTx((tx) => executions.claim(tx, one.id, 90_000)),
    leased: (attempt: number) => inTx((tx) => executions.leasedUntil(tx, one.id, attempt)),
    answers,
    execute: () => executing.execute(tenantId, one.id),
    recordKept: (attempt: number) =>
      inTx((tx) =>
        executing.recordKept(tx, {
          ...{ source: { type: 'lifecycle_hook', id: one.id }, step: one.id, attempt, idempotencyKey: one.id },
        }),
      ),
    later: (ms: number) => {
      world.uow.now += ms;
    },
    found: async () => (await inTx((tx) => executions.list(tx, {}, { after: null, limit: 1 })))[0],
    entries: () => audit.of({ tenantId }),
  };
}

it('settles by the answer, and logs no success', async () => {
  const { execute, found, entries, sent } = await written();
  await execute();
  await execute();
  expect(await found()).toMatchObject({ state: 'succeeded', output: 'told', attempts: 1 });
  expect([sent, entries()]).toEqual([[1], []]);
});

it('expires if it was offered to no runner within ten minutes', async () => {
  const { execute, found, later, sent } = await written();
  later(600_001);
  await execute();
  expect(await found()).toMatchObject({ state: 'expired', fault: { code: 'lifecycle_hook.not_taken' } });
  expect(sent).toEqual([]);
});

it('is tried again while no runner is there, for ten minutes, and then logged', async () => {
  const { execute, found, later, entries, sent } = await written(AWAY);
  await execute();
  await execute();
  expect(await found()).toMatchObject({ state: 'pending', fault: { code: 'dispatch.unreachable' } });
  expect(sent).toEqual([1]);
  later(15_000);
  await execute();
  expect(sent).toEqual([1, 2]);
  later(600_000);
  await execute();
  expect(sent).toEqual([1, 2]);
  expect(await found()).toMatchObject({ state: 'expired', fault: { code: 'dispatch.unreachable' } });
  expect(entries()).toMatchObject([{ action: 'lifecycle_hook_execution.failed', payload: { state: 'expired' } }]);
});

it('T35: does not leave under a halt, and waits for its end', async () => {
  const { answers, execute, found, later, sent } = await written();
  answers.halted = true;
  await execute();
  expect(await found()).toMatchObject({ state: 'pending', fault: { code: 'dispatch.overtaken' } });
  answers.halted = false;
  later(15_000);
  await execute();
  expect(await found()).toMatchObject({ state: 'succeeded' });
  expect(sent).toEqual([2]);
});

describe('T27: after the death of a worker', () => {
  const died = async () => {
    const world = await written();
    await world.die();
    return world;
  };

  it('nothing is sent before its lease is over', async () => {
    const { execute, sent } = await died();
    await execute();
    expect(sent).toEqual([]);
  });

  it('a call that was never offered is sent by the next one', async () => {
    const { execute, later, found, sent } = await died();
    later(90_000);
    await execute();
    expect(await found()).toMatchObject({ state: 'pending' });
    await execute();
    expect(await found()).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(sent).toEqual([2]);
  });

  it.each<[string, KeptAnswer, string]>([
    ['its answer', TOLD, 'succeeded'],
    ['an unclear effect', { kind: 'unknown', error }, 'failed'],
  ])('a call that was offered is not sent again: %s counts', async (_what, kept, state) => {
    const { answers, execute, later, found, sent } = await died();
    answers.kept = kept;
    later(90_000);
    await execute();
    expect(await found()).toMatchObject({ state, attempts: 1 });
    expect(sent).toEqual([]);
  });

  it('an answer that is still awaited is looked for again', async () => {
    const { world, answers, execute, later, found, sent } = await died();
    later(90_000);
    answers.kept = { kind: 'under_way', until: world.uow.now + 1_000 };
    await execute();
    answers.kept = TOLD;
    await execute();
    expect(await found()).toMatchObject({ state: 'sent' });
    later(1_000);
    await execute();
    expect(await found()).toMatchObject({ state: 'succeeded' });
    expect(sent).toEqual([]);
  });

  it('the answer is recorded at once when it is handed over, for its own attempt', async () => {
    const { answers, recordKept, found } = await died();
    answers.kept = TOLD;
    await recordKept(2);
    expect(await found()).toMatchObject({ state: 'sent' });
    await recordKept(1);
    expect(await found()).toMatchObject({ state: 'succeeded' });
  });
});

describe('T27: after an error of its own', () => {
  const failed = async (kept: (now: number) => KeptAnswer | null) => {
    const world = await written(new Error('the tenant is moving'));
    world.answers.kept = kept(world.world.uow.now);
    await expect(world.execute()).rejects.toThrow('the tenant is moving');
    world.answers.outcome = TOLD;
    return world;
  };

  it('an attempt that no runner was offered gives its lease back, and the next follows once none can have it', async () => {
    const { execute, found, later, leased, sent } = await failed(() => null);
    expect(await leased(1)).toBeNull();
    expect(await found()).toMatchObject({ state: 'sent', attempts: 1 });
    later(29_999);
    await execute();
    expect(await found()).toMatchObject({ state: 'sent' });
    later(1);
    await execute();
    await execute();
    expect(await found()).toMatchObject({ state: 'succeeded', attempts: 2 });
    expect(sent).toEqual([1, 2]);
  });

  it('an answer that is there counts at once', async () => {
    const { found, sent } = await failed(() => TOLD);
    expect(await found()).toMatchObject({ state: 'succeeded', attempts: 1 });
    expect(sent).toEqual([1]);
  });

  it('an answer that is still awaited keeps the lease', async () => {
    const until = (now: number): number => now + 40_000;
    const { world, leased } = await failed((now) => ({ kind: 'under_way', until: until(now) }));
    expect(await leased(1)).toBe(until(world.uow.now));
  });
});
