import { actorOf, newId, type AgentId } from '#lib/kernel';
import { executionWorld } from './fake-execution-world.js';

type World = Awaited<ReturnType<typeof executionWorld>>;

const FAULT = { code: 'automation.not_enabled', message: 'The automation was disabled' };
let world: World;
beforeEach(async () => {
  world = await executionWorld();
});

const takeBack = (of: Parameters<World['takeBack']['execute']>[1]) =>
  world.atHome((tx) => world.takeBack.execute(tx, of, world.home.admin, FAULT));

it('takes back an allowed call of an automation, by its agent or by its tool, so that it never leaves', async () => {
  for (const of of [
    { kind: 'agent', agentId: world.agent.agentId },
    { kind: 'tool', tool: 'look' },
  ] as const) {
    const call = await world.allowed();
    world.ofAutomations.add(world.agent.agentId);
    await takeBack(of);
    await world.work(call);
    expect(await world.find(call)).toMatchObject({ state: 'denied', decidedAs: 'cancelled', denial: FAULT });
  }
  expect(world.dispatcher.orders).toEqual([]);
  expect(world.audited().at(-1)).toMatchObject({
    action: 'tool_call.cancelled',
    actor: actorOf(world.home.admin),
  });
});

it('leaves calls of other agents, of other tools, and those in flight', async () => {
  const call = await world.allowed();
  await takeBack({ kind: 'tool', tool: 'look' });
  world.ofAutomations.add(world.agent.agentId);
  await takeBack({ kind: 'tool', tool: 'another' });
  await takeBack({ kind: 'agent', agentId: newId<AgentId>() });
  expect(await world.find(call)).toMatchObject({ state: 'allowed' });
  world.dispatcher.answer = async () => {
    await takeBack({ kind: 'agent', agentId: world.agent.agentId });
    return { kind: 'succeeded', result: {} };
  };
  await world.work(call);
  expect(await world.find(call)).toMatchObject({ state: 'succeeded' });
});
