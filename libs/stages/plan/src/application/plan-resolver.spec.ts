import { newId, type PlanId, type ToolVersionId } from '#lib/kernel';
import { sampleExecutor, sampleTool } from '../../../../registry/tool/src/application/fake-tool.js';
import { FakePlanWorld } from './fake-plan-world.js';

let world: FakePlanWorld;
beforeEach(async () => {
  world = await FakePlanWorld.open();
});

describe('the tools of a plan', () => {
  it('are suggested by name only if one of them is unknown', async () => {
    const { resolver, look } = world;
    const found = new Map([['look', look]]);
    const list = jest.spyOn(world.tools, 'list');
    expect(await world.inTx((tx) => resolver.toolNames(tx, ['look'], found))).toEqual([]);
    expect(list).not.toHaveBeenCalled();
    expect(await world.inTx((tx) => resolver.toolNames(tx, ['look', 'rolout'], found))).toEqual(['look', 'rollout']);
  });

  it('are found by version, also those that count no more, each once', async () => {
    const { resolver, look, rollout } = world;
    const second = sampleTool('rollout', {}, 2);
    const gone = sampleTool('gone');
    await world.register(second, gone);
    await world.inTx((tx) => world.tools.remove(tx, 'gone'));
    const one = jest.spyOn(world.tools, 'get');
    const wanted = [look, look, second, rollout, gone, { name: 'look', version: 7 }, { name: 'never', version: 1 }];
    expect(await world.inTx((tx) => resolver.versions(tx, wanted))).toEqual([look, second, rollout, gone]);
    expect(one).toHaveBeenCalledTimes(4);
  });

  it('are those that it was expanded with, after later changes of the registry too', async () => {
    const { resolver, look, rollout } = world;
    const { id } = await world.planned();
    await world.register(sampleTool('rollout', {}, 2));
    await world.inTx((tx) => world.tools.remove(tx, 'look'));
    const held = await world.inTx((tx) => resolver.heldBy(tx, id));
    expect(new Set(held.map((tool): ToolVersionId => tool.id))).toEqual(new Set([look.id, rollout.id]));
    expect(await world.inTx((tx) => resolver.heldBy(tx, newId<PlanId>()))).toEqual([]);
  });

  it('have the executors that they name in the environment', async () => {
    const { resolver, look, rollout, fleet, tenant } = world;
    const other = sampleExecutor(tenant.staging);
    await world.inTx((tx) => world.executors.save(tx, tenant.staging.id, other, tenant.admin.personId, 0));
    const tools = new Map([look, rollout, sampleTool('far', { executor: 'far' })].map((tool) => [tool.name, tool]));
    expect(await world.inTx((tx) => resolver.executors(tx, tenant.production, tools))).toEqual(
      new Map([['fleet', fleet]]),
    );
    expect(await world.inTx((tx) => resolver.executors(tx, tenant.staging, tools))).toEqual(
      new Map([['fleet', other]]),
    );
  });
});
