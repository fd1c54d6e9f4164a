import type { PlanId, Tx } from '#lib/kernel';
import type { ContractWorld } from '../../../../foundation/kernel/src/fake-tenant.js';
import type { ToolUsage } from './tool.ports.js';

/** The usage of tools, and ways to keep a live plan of the tenant `home`, and to end it. */
interface UsageOpened {
  readonly world: ContractWorld;
  readonly usage: ToolUsage;
  keepPlan(tools: readonly string[]): Promise<PlanId>;
  endPlan(id: PlanId): Promise<void>;
}

/** The contract of a reader of the usage of tools. */
export function describeToolUsage(name: string, open: () => Promise<UsageOpened>): void {
  describe(`${name} keeps the contract of ToolUsage`, () => {
    let opened: UsageOpened;
    let world: ContractWorld;
    beforeAll(async () => {
      opened = await open();
      ({ world } = opened);
    });
    afterAll(() => world.close());

    const live = (names: readonly string[], { tenantId } = world.home) =>
      world.uow.run(tenantId, (tx: Tx) => opened.usage.livePlans(tx, names));

    it('names the live plans that hold each tool', async () => {
      const first = await opened.keepPlan(['look', 'rollout']);
      const second = await opened.keepPlan(['rollout']);
      expect(await live(['rollout', 'look', 'drain'])).toEqual(
        new Map([
          ['rollout', [first, second].sort()],
          ['look', [first]],
        ]),
      );
      expect(await live(['look'])).toEqual(new Map([['look', [first]]]));
      expect(await live([])).toEqual(new Map());
      expect(await live(['rollout', 'look'], world.other)).toEqual(new Map());
    });

    it('leaves out a plan that ended', async () => {
      const id = await opened.keepPlan(['restart']);
      expect(await live(['restart'])).toEqual(new Map([['restart', [id]]]));
      await opened.endPlan(id);
      expect(await live(['restart'])).toEqual(new Map());
    });
  });
}
