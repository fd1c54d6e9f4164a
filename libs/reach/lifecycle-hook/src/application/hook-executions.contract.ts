import { newId, type Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { HookExecution } from '../domain/hook-execution.js';
import type { LifecycleHookId } from '../domain/ids.js';
import { sampleExecution } from './fake-hook-executions.js';
import type { ExecutionStore, NewExecution } from './lifecycle-hook.ports.js';

const LEASE_MS = 60_000;
const FAULT = { code: 'lifecycle_hook.exit_status', message: 'The program ended with the exit status 3.' };
const ALL = { after: null, limit: 100 };

/** The contract of a store of executions. */
export function describeHookExecutions(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly executions: ExecutionStore }>,
): void {
  describe(`${name} keeps the contract of ExecutionStore`, () => {
    let world: ContractWorld;
    let executions: ExecutionStore;
    beforeEach(async () => {
      ({ world, executions } = await open());
    });
    afterEach(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const written = async (changes: Partial<NewExecution> = {}): Promise<NewExecution> => {
      const execution = sampleExecution(changes);
      await atHome((tx) => executions.write(tx, [execution]));
      return execution;
    };
    const claim = ({ id }: NewExecution) => atHome((tx) => executions.claim(tx, id, LEASE_MS));
    const found = async ({ id }: NewExecution): Promise<HookExecution | undefined> =>
      (await atHome((tx) => executions.list(tx, {}, ALL))).find((each) => each.id === id);

    it('keeps an execution whole, for its tenant alone', async () => {
      const one = await written();
      expect(await found(one)).toMatchObject({ ...one, attempts: 0, settledAt: null });
      const log = await written({
        kind: 'log',
        call: null,
        pool: null,
        environment: null,
        state: 'succeeded',
        output: 'm',
      });
      expect(await found(log)).toMatchObject({ ...log, settledAt: expect.any(Number) as number });
      expect(await elsewhere((tx) => executions.list(tx, {}, ALL))).toEqual([]);
      expect(await elsewhere((tx) => executions.claim(tx, one.id, LEASE_MS))).toBeNull();
    });

    it('is claimed once, until its lease is over', async () => {
      const one = await written();
      expect(await claim(one)).toMatchObject({ before: 'pending', execution: { state: 'sent', attempts: 1 } });
      expect(await claim(one)).toBeNull();
      const until = await atHome((tx) => executions.leasedUntil(tx, one.id, 1));
      expect(until).toEqual(expect.any(Number));
      expect(await atHome((tx) => executions.leasedUntil(tx, one.id, 2))).toBeNull();
      await atHome((tx) => executions.lookAgain(tx, one.id, 1, 0));
      expect(await claim(one)).toMatchObject({ before: 'sent', execution: { attempts: 1 } });
    });

    it('leaves its room to others if no worker sends it any more, and stays sent by its attempt', async () => {
      const [one, two, three] = [
        await written({ pool: 'left' }),
        await written({ pool: 'left' }),
        await written({ pool: 'left' }),
      ];
      const release = (attempt: number, afterMs: number) => (tx: Tx) =>
        executions.release(tx, one.id, attempt, afterMs);
      await claim(one);
      await claim(two);
      await atHome(release(2, 0));
      await elsewhere(release(1, 0));
      expect(await claim(one)).toBeNull();
      expect(await claim(three)).toBeNull();
      await atHome(release(1, 60_000));
      expect(await atHome((tx) => executions.leasedUntil(tx, one.id, 1))).toBeNull();
      expect(await claim(one)).toBeNull();
      expect(await claim(three)).not.toBeNull();
      await atHome(release(1, 0));
      expect(await claim(one)).toMatchObject({ before: 'sent', execution: { attempts: 1 } });
    });

    it('leaves room: two of a pool at once, and those of another pool', async () => {
      const [first, second, third] = [await written(), await written(), await written()];
      const other = await written({ pool: 'others' });
      expect(await claim(first)).not.toBeNull();
      expect(await claim(second)).not.toBeNull();
      expect(await claim(third)).toBeNull();
      expect(await claim(other)).not.toBeNull();
    });

    it('settles by the attempt that holds it alone, and once', async () => {
      const one = await written();
      await claim(one);
      const said = { exitStatus: 3, output: 'broken', fault: FAULT };
      const settle = (attempt: number) => atHome((tx) => executions.settle(tx, one.id, attempt, 'failed', said));
      expect(await settle(2)).toBe(false);
      expect(await settle(1)).toBe(true);
      expect(await settle(1)).toBe(false);
      expect(await found(one)).toMatchObject({ state: 'failed', ...said });
      expect(await claim(one)).toBeNull();
    });

    it('waits again once it is given back, and counts its attempts', async () => {
      const one = await written();
      await claim(one);
      await atHome((tx) => executions.giveBack(tx, one.id, 1, FAULT, 60_000));
      expect(await found(one)).toMatchObject({ state: 'pending', fault: FAULT });
      expect(await claim(one)).toBeNull();
      const two = await written();
      await claim(two);
      await atHome((tx) => executions.giveBack(tx, two.id, 1, null, 0));
      expect(await claim(two)).toMatchObject({ before: 'pending', execution: { attempts: 2 } });
      expect(await atHome((tx) => executions.lockSent(tx, two.id, 1))).toBeNull();
      expect(await atHome((tx) => executions.lockSent(tx, two.id, 2))).toMatchObject({ id: two.id });
    });

    it('expires those that wait for hooks that are over, and the oldest beyond a number', async () => {
      const [off, on] = [newId<LifecycleHookId>(), newId<LifecycleHookId>()];
      const [gone, sent] = [await written({ hookId: off }), await written({ hookId: off })];
      await claim(sent);
      const kept: NewExecution[] = [];
      for (let count = 0; count < 4; count += 1) kept.push(await written({ hookId: on }));
      expect(await atHome((tx) => executions.expireOf(tx, [off], FAULT))).toBe(1);
      expect(await found(gone)).toMatchObject({ state: 'expired', fault: FAULT });
      expect(await found(sent)).toMatchObject({ state: 'sent' });
      const dropped = await atHome((tx) => executions.expireBeyond(tx, 3, FAULT));
      expect([...dropped]).toEqual([[on, 1]]);
      const states = await Promise.all(kept.map(async (each) => (await found(each))?.state));
      expect(states).toEqual(['expired', 'pending', 'pending', 'pending']);
    });

    it('fails all that are sent, of its tenant alone, and leaves the other ones', async () => {
      const sent = [await written(), await written(), await written({ pool: 'others' })];
      for (const each of sent) await claim(each);
      const waiting = await written();
      await elsewhere((tx) => executions.failSent(tx, FAULT));
      expect(await Promise.all(sent.map(found))).toMatchObject(sent.map(() => ({ state: 'sent' })));
      await atHome((tx) => executions.failSent(tx, FAULT));
      const failed = { state: 'failed', fault: FAULT, settledAt: expect.any(Number) as number };
      expect(await Promise.all(sent.map(found))).toMatchObject(sent.map(() => failed));
      expect(await found(waiting)).toMatchObject({ state: 'pending', settledAt: null });
    });

    it('lists by hook and state, newest first', async () => {
      const [one, two] = [
        await written({ hook: 'one' }),
        await written({ hook: 'two', state: 'refused', fault: FAULT }),
      ];
      const ids = async (filter: object) =>
        (await atHome((tx) => executions.list(tx, filter, ALL))).map(({ id }) => id);
      expect(await ids({})).toEqual([two.id, one.id]);
      expect(await ids({ hook: 'one' })).toEqual([one.id]);
      expect(await ids({ state: 'refused' })).toEqual([two.id]);
      expect(await ids({ hook: 'one', state: 'refused' })).toEqual([]);
    });
  });
}
