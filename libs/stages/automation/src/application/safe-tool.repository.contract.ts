import type { Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { SafeTool } from '../domain/safe-tool.js';
import { sampleSafeTool } from './fake-safe-tool.repository.js';
import type { SafeToolRepository } from './safe-tool.ports.js';

/** The contract of a repository of the list of safe tools. The tools `edit_file` and `run_tests` are there. */
export function describeSafeToolRepository(
  name: string,
  open: () => Promise<{
    readonly world: ContractWorld;
    readonly entries: SafeToolRepository;
    readonly forge: (tx: Tx, entry: SafeTool) => Promise<void>;
  }>,
): void {
  describe(`${name} keeps the contract of SafeToolRepository`, () => {
    let world: ContractWorld;
    let entries: SafeToolRepository;
    let forge: (tx: Tx, entry: SafeTool) => Promise<void>;
    beforeEach(async () => {
      ({ world, entries, forge } = await open());
    });
    afterEach(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const kept = async (tool: string, version?: number): Promise<SafeTool> => {
      const entry = sampleSafeTool(world.home, tool, version);
      await atHome((tx) => entries.insert(tx, entry));
      return entry;
    };
    const remove = (entry: SafeTool, run = atHome): Promise<void> =>
      run((tx) => entries.remove(tx, entry, world.home.admin.personId, entry.addedAt + 1));
    const removeForged = (tool: string, run = atHome) =>
      run((tx) => entries.removeForged(tx, tool, world.home.admin.personId, Date.UTC(2026, 0, 6)));
    const found = (tool: string) => atHome((tx) => entries.find(tx, tool));
    const listed = () => atHome((tx) => entries.list(tx));

    it('finds and lists entries, whole, by name of the tool', async () => {
      const [tests, edit] = [await kept('run_tests'), await kept('edit_file', 2)];
      expect(await found('run_tests')).toEqual(tests);
      expect(await listed()).toEqual([edit, tests]);
      expect(await found('another')).toBeNull();
      expect(await elsewhere((tx) => entries.find(tx, 'run_tests'))).toBeNull();
      expect(await elsewhere((tx) => entries.list(tx))).toEqual([]);
    });

    it('has one entry of a tool in force (23505), and another once that is removed', async () => {
      const first = await kept('edit_file');
      await expect(kept('edit_file', 2)).rejects.toMatchObject({ code: '23505' });
      await remove(first, elsewhere);
      expect(await found('edit_file')).toEqual(first);
      await remove(first);
      expect(await found('edit_file')).toBeNull();
      expect(await listed()).toEqual([]);
      const second = await kept('edit_file', 2);
      expect(await listed()).toEqual([second]);
    });

    it('removes an entry once (CS001)', async () => {
      const entry = await kept('edit_file');
      await remove(entry);
      const later = { ...entry, addedAt: entry.addedAt + 1 };
      await expect(remove(later)).rejects.toMatchObject({ code: 'CS001' });
    });

    it('T42: accepts nothing by a forged entry, which ends for a true one', async () => {
      const forged = sampleSafeTool(world.home, 'edit_file');
      await atHome((tx) => forge(tx, forged));
      const tests = await kept('run_tests');
      expect(await found('edit_file')).toBeNull();
      expect(await listed()).toEqual([tests]);
      await expect(kept('edit_file')).rejects.toMatchObject({ code: '23505' });
      expect(await removeForged('edit_file', elsewhere)).toBeNull();
      expect(await removeForged('edit_file')).toBe(forged.id);
      expect(await removeForged('edit_file')).toBeNull();
      const edit = await kept('edit_file');
      expect(await removeForged('edit_file')).toBeNull();
      expect(await listed()).toEqual([edit, tests]);
    });

    it('holds an entry: its removal waits for the transaction', async () => {
      const entry = await kept('edit_file');
      const hold = (tool: string) => (tx: Tx) => entries.hold(tx, tool);
      expect(await atHome(hold('edit_file'))).toEqual(entry);
      expect(await atHome(hold('another'))).toBeNull();
      expect(await elsewhere(hold('edit_file'))).toBeNull();
      const removal = (tx: Tx) => entries.remove(tx, entry, world.home.admin.personId, entry.addedAt + 1);
      expect(await waitsBehind(world, hold('edit_file'), removal)).toBe(true);
      expect(await found('edit_file')).toBeNull();
    });

    it('changes the list of a tenant one at a time', async () => {
      expect(await waitsBehind(world, (tx) => entries.lockForChange(tx))).toBe(true);
    });
  });
}
