import type { Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { LifecycleHook } from '../domain/lifecycle-hook.js';
import { sampleHook } from './fake-hooks.js';
import type { HookStore } from './lifecycle-hook.ports.js';

/** The contract of a store of hooks. */
export function describeHooks(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly hooks: HookStore }>,
): void {
  describe(`${name} keeps the contract of HookStore`, () => {
    let world: ContractWorld;
    let hooks: HookStore;
    beforeAll(async () => {
      ({ world, hooks } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const replaced = (...all: readonly LifecycleHook[]): Promise<void> => atHome((tx) => hooks.replace(tx, all));
    const all = (tx: Tx): Promise<readonly LifecycleHook[]> => hooks.all(tx);

    it('keeps hooks whole, in the order of the document, for their tenant alone', async () => {
      const second = sampleHook(world.home, { name: 'second', position: 1, enabled: false });
      const first = sampleHook(world.home, {
        ...{ name: 'first', event: 'tool.execute', matcher: 'file-*' },
        action: {
          ...{ type: 'command', program: 'notify', arguments: ['--', '{{tool}}'], variables: { B: '2', A: '{{run}}' } },
          ...{ timeoutSeconds: 30, pool: 'builders', environment: 'staging' },
        },
      });
      await replaced(second, first);
      expect(await atHome(all)).toEqual([first, second]);
      expect(await elsewhere(all)).toEqual([]);
    });

    it('has the hooks of the last change in force, and no other ones', async () => {
      const kept = sampleHook(world.home, { name: 'kept' });
      await replaced(kept, sampleHook(world.home, { name: 'left', position: 1 }));
      const changed = { ...kept, position: 1 };
      const added = sampleHook(world.home, { name: 'added' });
      await replaced(added, changed);
      expect(await atHome(all)).toEqual([added, changed]);
      await elsewhere((tx) => hooks.replace(tx, []));
      expect(await atHome(all)).toHaveLength(2);
      await replaced();
      expect(await atHome(all)).toEqual([]);
    });

    it('changes nothing if its transaction fails, or two hooks have one name (23505)', async () => {
      const kept = sampleHook(world.home);
      await replaced(kept);
      await expect(
        atHome(async (tx) => {
          await hooks.replace(tx, []);
          throw new Error('later');
        }),
      ).rejects.toThrow('later');
      await expect(replaced(sampleHook(world.home), sampleHook(world.home, { position: 1 }))).rejects.toMatchObject({
        code: '23505',
      });
      expect(await atHome(all)).toEqual([kept]);
    });

    it('makes one change of a tenant wait for another', async () => {
      const lock = (tx: Tx): Promise<void> => hooks.lockForChange(tx);
      expect(await waitsBehind(world, lock, lock)).toBe(true);
      await Promise.all([atHome(lock), elsewhere(lock)]);
    });
  });
}
