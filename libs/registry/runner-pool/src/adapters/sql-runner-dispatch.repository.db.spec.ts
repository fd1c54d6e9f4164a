import { newId } from '#lib/kernel';
import { postgresWorld } from '../../../../../test/support/postgres-world.js';
import { testKeys, testSeals } from '../../../../../test/support/seals.js';
import { notifiedChanges } from '../../../../../test/support/notified-changes.js';
import { sampleDispatch } from '../application/fake-runner-dispatch.js';
import { describeRunnerDispatchRepository } from '../application/runner-dispatch.repository.contract.js';
import { DISPATCH_TRANSITIONS } from '../domain/dispatch-transitions.js';
import type { RunnerDispatchId, RunnerId } from '../domain/ids.js';
import { SqlRunnerDispatchRepository } from './sql-runner-dispatch.repository.js';
import { SqlRunnerRepository } from './sql-runner.repository.js';

const calls = new SqlRunnerDispatchRepository(testKeys().texts);

describeRunnerDispatchRepository('SqlRunnerDispatchRepository', async () => {
  const world = await postgresWorld();
  return { world, calls, runners: new SqlRunnerRepository(world.db.systemQuery, testSeals()) };
});

describe('calls for runners in PostgreSQL', () => {
  let world: Awaited<ReturnType<typeof postgresWorld>>;
  beforeAll(async () => {
    world = await postgresWorld();
  });
  afterAll(() => world.close());

  it('have the transitions of the code', async () => {
    const { rows } = await world.db.owner.query<{ from: string | null; event: string; to: string }>(
      `select nullif(from_state, '') as "from", event, to_state as "to" from runner_dispatch_transition`,
    );
    expect(rows).toHaveLength(DISPATCH_TRANSITIONS.length);
    expect(rows).toEqual(expect.arrayContaining([...DISPATCH_TRANSITIONS]));
  });

  it.each(['tool_call', 'run'])('tell every replica of their output: of a %s', async (sourceType) => {
    const { uow, home, db } = world;
    const call = sampleDispatch(Date.now(), { sourceType });
    const told = await notifiedChanges(db.owner, () =>
      uow.run(home.tenantId, async (tx) => {
        await calls.insert(tx, call);
        const kept = { outputSeq: 1, outputBytes: 3, outputCut: false, outputHeld: null };
        await calls.append(tx, call.id, 1, [{ stream: 'stdout', text: 'one' }], kept);
      }),
    );
    const about = sourceType === 'run' ? `runner_output:${call.id}` : `tool_call_output:${call.sourceId}`;
    expect(told).toEqual([`${home.tenantId}:${about}:1`]);
  });

  it('T32: hold output back as ciphertext, of their own row alone', async () => {
    const { uow, home, db } = world;
    const outputHeld = { stdout: ['ghp_the_beginning'], stderr: [] };
    const offered = () =>
      uow.run(home.tenantId, async (tx) => {
        const one = sampleDispatch(await tx.now());
        await calls.insert(tx, one);
        await calls.append(tx, one.id, 1, [], { ...one, outputHeld });
        return one.id;
      });
    const [one, other] = [await offered(), await offered()];
    const { rows } = await db.owner.query('select output_held from runner_dispatch where id = any ($1)', [
      [one, other],
    ]);
    expect(rows).toHaveLength(2);
    expect(JSON.stringify(rows)).not.toContain('ghp_');
    await db.owner.query(
      'update runner_dispatch set output_held = (select output_held from runner_dispatch where id = $1) where id = $2',
      [one, other],
    );
    const find = (id: RunnerDispatchId) => uow.run(home.tenantId, (tx) => calls.find(tx, id));
    expect(await find(one)).toMatchObject({ outputHeld });
    await expect(find(other)).rejects.toThrow('unable to authenticate');
  });

  it('are due for a hand-over from a moment on, until somebody looked', async () => {
    const { uow, home, db } = world;
    const answer = { ok: true, result: 1 } as const;
    const { call, handOverAt } = await uow.run(home.tenantId, async (tx) => {
      const [now, runnerId] = [await tx.now(), newId<RunnerId>()];
      const made = { id: runnerId, name: 'answers', pool: 'builders', environments: ['staging'], createdAt: now };
      await new SqlRunnerRepository(db.systemQuery, testSeals()).insert(tx, {
        ...made,
        createdBy: home.admin.personId,
      });
      const one = sampleDispatch(now);
      await calls.insert(tx, one);
      const taken = { ...one, state: 'taken', runnerId, takenAt: now } as const;
      await calls.save(tx, one.id, taken);
      const ended = { ...taken, state: 'answered', endedAt: now, answer, handOverAt: now + 2_000 } as const;
      await calls.save(tx, one.id, ended);
      return { call: one, handOverAt: ended.handOverAt };
    });
    const dueAt = async (at: number, held: readonly string[] = [], full: readonly string[] = []) =>
      (await db.systemQuery.call('runner_hand_over_due', new Date(at), 1_000, held, full)).map(({ id }) => id);
    expect(await dueAt(handOverAt - 1)).toEqual([]);
    expect(await dueAt(handOverAt)).toEqual([call.id]);
    expect(await dueAt(handOverAt, [call.id])).toEqual([]);
    expect(await dueAt(handOverAt, [], [home.tenantId])).toEqual([]);
    await uow.run(home.tenantId, (tx) => calls.handedOver(tx, call.id));
    expect(await dueAt(handOverAt)).toEqual([]);
  });

  it('are passed over while another runner takes them', async () => {
    const { uow, home } = world;
    const call = await uow.run(home.tenantId, async (tx) => {
      const one = sampleDispatch(await tx.now());
      await calls.insert(tx, one);
      return one;
    });
    const of = { pool: call.pool, environments: [call.environment] };
    await uow.run(home.tenantId, async (tx) => {
      expect((await calls.lockWaiting(tx, of, call.offeredAt))?.id).toBe(call.id);
      expect(await uow.run(home.tenantId, (other) => calls.lockWaiting(other, of, call.offeredAt))).toBeNull();
    });
  });
});
