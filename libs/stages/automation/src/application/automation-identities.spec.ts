import { automationSource, callStep, FakeAutomationWorld, there } from './fake-automation-world.js';

let world: FakeAutomationWorld;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
});

const SOURCE = automationSource('heal', callStep('look'));

it('T17: an automation makes no call once the person who answers for its agent is disabled', async () => {
  const automation = await world.enabled(SOURCE);
  await world.disablePerson(world.ada.personId);
  await world.tick(automation);
  await world.work(automation);
  expect((await world.last(automation)).run).toMatchObject({
    state: 'failed',
    fault: { code: 'automation.owner_disabled' },
  });
  expect(world.made).toEqual([]);
});

it('goes on for the person who answers for the agent now, and not for the one who enabled it', async () => {
  const [automation, grace] = [await world.enabled(SOURCE), await world.admin()];
  await world.tx(async (tx) => {
    const agent = there(await world.agents.find(tx, there(automation.identity).agentId));
    await world.agents.save(tx, { ...agent, ownerId: grace.personId });
  });
  await world.disablePerson(world.ada.personId);
  await world.tick(automation);
  await world.work(automation);
  expect((await world.last(automation)).run.state).toBe('executing');
  expect(world.made).toHaveLength(1);
});
