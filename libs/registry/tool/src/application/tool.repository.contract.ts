import { newId, type ToolVersionId, type Tx } from '#lib/kernel';
import { waitsBehind } from '../../../../foundation/kernel/src/fake-lock.js';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { ToolVersion } from '../domain/tool-version.js';
import { definitionText, sampleTool } from './fake-tool.js';
import type { ToolRepository } from './tool.ports.js';

/** The contract of a registry of tools. */
export function describeToolRepository(
  name: string,
  open: () => Promise<{ readonly world: ContractWorld; readonly tools: ToolRepository }>,
): void {
  describe(`${name} keeps the contract of ToolRepository`, () => {
    let world: ContractWorld;
    let tools: ToolRepository;
    const AT = Date.UTC(2026, 0, 5, 8);
    beforeAll(async () => {
      ({ world, tools } = await open());
    });
    afterAll(() => world.close());

    const atHome = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.home.tenantId, work);
    const elsewhere = <T>(work: (tx: Tx) => Promise<T>): Promise<T> => world.uow.run(world.other.tenantId, work);
    const added = async (...versions: ToolVersion[]): Promise<void> => {
      for (const version of versions) {
        const text = definitionText(version.definition);
        await atHome((tx) => tools.addVersion(tx, version, text, world.home.admin.personId, AT + version.version));
      }
    };

    describe('with a tool of two versions, one of one, and one that was removed', () => {
      const first = sampleTool('b-restart');
      const second = sampleTool('b-restart', { description: 'Restarts more gently.' }, 2);
      const look = sampleTool('a-look');
      const gone = sampleTool('c-gone');
      beforeAll(async () => {
        await added(first, second, look, gone);
        await atHome((tx) => tools.remove(tx, gone.name, AT + 9));
      });

      it.each([{}, { lock: 'share' }] as const)('resolves the version that counts now (%j)', async (options) => {
        expect(await atHome((tx) => tools.resolve(tx, first.name, options))).toEqual(second);
        expect(await atHome((tx) => tools.resolve(tx, gone.name, options))).toBeNull();
        expect(await atHome((tx) => tools.resolve(tx, 'never', options))).toBeNull();
        const names = [first.name, look.name, look.name, gone.name, 'never'];
        expect(await atHome((tx) => tools.resolveMany(tx, names, options))).toEqual(
          new Map([
            [first.name, second],
            [look.name, look],
          ]),
        );
      });

      it('finds one particular version, also one that no longer counts', async () => {
        expect(await atHome((tx) => tools.get(tx, first.name, 1))).toEqual(first);
        expect(await atHome((tx) => tools.get(tx, first.name, 2))).toEqual(second);
        expect(await atHome((tx) => tools.get(tx, gone.name, 1))).toEqual(gone);
        expect(await atHome((tx) => tools.get(tx, first.name, 3))).toBeNull();
        expect(await atHome((tx) => tools.get(tx, 'never', 1))).toBeNull();
      });

      it('finds versions by id, also those that no longer count', async () => {
        const ids = [first.id, gone.id, newId<ToolVersionId>()];
        expect(await atHome((tx) => tools.getMany(tx, ids))).toEqual(
          new Map([
            [first.id, first],
            [gone.id, gone],
          ]),
        );
      });

      it('lists the current versions by name, each with its author and time', async () => {
        const by = { createdBy: world.home.admin.personId };
        expect(await atHome((tx) => tools.list(tx))).toEqual([
          { ...look, ...by, createdAt: AT + 1 },
          { ...second, ...by, createdAt: AT + 2 },
        ]);
      });

      it('knows every head there ever was, by name', async () => {
        const heads = await atHome((tx) => tools.heads(tx));
        expect([...heads]).toEqual([
          [look.name, { name: look.name, removed: false, current: look }],
          [first.name, { name: first.name, removed: false, current: second }],
          [gone.name, { name: gone.name, removed: true, current: gone }],
        ]);
      });

      it('tells the history of a tool, newest first', async () => {
        const by = { createdBy: world.home.admin.personId };
        expect(await atHome((tx) => tools.history(tx, first.name))).toEqual({
          removed: false,
          versions: [
            { ...second, ...by, createdAt: AT + 2 },
            { ...first, ...by, createdAt: AT + 1 },
          ],
        });
        expect(await atHome((tx) => tools.history(tx, gone.name))).toMatchObject({ removed: true });
        expect(await atHome((tx) => tools.history(tx, 'never'))).toBeNull();
      });

      it('shows another tenant nothing', async () => {
        expect(await elsewhere((tx) => tools.resolve(tx, look.name))).toBeNull();
        expect(await elsewhere((tx) => tools.get(tx, look.name, 1))).toBeNull();
        expect((await elsewhere((tx) => tools.getMany(tx, [look.id]))).size).toBe(0);
        expect(await elsewhere((tx) => tools.list(tx))).toEqual([]);
        expect((await elsewhere((tx) => tools.heads(tx))).size).toBe(0);
        expect(await elsewhere((tx) => tools.history(tx, look.name))).toBeNull();
      });

      it("does not remove another tenant's tool", async () => {
        await elsewhere((tx) => tools.remove(tx, look.name, AT + 9));
        expect(await atHome((tx) => tools.resolve(tx, look.name))).toEqual(look);
      });
    });

    it('brings a removed tool back with its next version', async () => {
      const first = sampleTool('returning');
      const second = sampleTool('returning', {}, 2);
      await added(first);
      await atHome((tx) => tools.remove(tx, first.name, AT + 9));
      await added(second);
      expect(await atHome((tx) => tools.resolve(tx, first.name))).toEqual(second);
    });

    it('refuses a version that is there already (23505)', async () => {
      await added(sampleTool('taken'));
      await expect(added(sampleTool('taken'))).rejects.toMatchObject({ code: '23505' });
    });

    it('lets one transaction at a time change the registry', async () => {
      expect(await waitsBehind(world, (tx) => tools.lockForChange(tx))).toBe(true);
    });

    it('keeps a tool as it is for a transaction that shares it', async () => {
      const tool = sampleTool('shared');
      await added(tool);
      const remove = (tx: Tx): Promise<unknown> => tools.remove(tx, tool.name, AT + 9);
      expect(await waitsBehind(world, (tx) => tools.resolveMany(tx, [tool.name], { lock: 'share' }), remove)).toBe(
        true,
      );
      const heads = (tx: Tx): Promise<unknown> => tools.heads(tx);
      expect(await waitsBehind(world, heads, (tx) => tools.resolve(tx, tool.name, { lock: 'share' }))).toBe(true);
    });
  });
}
