import { automationSource, callStep, FakeAutomationWorld } from './fake-automation-world.js';

let world: FakeAutomationWorld;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
});

it('pauses an automation whose source this version cannot read, and tells why', async () => {
  const automation = await world.unreadable(await world.enabled(automationSource('heal', callStep('look'))));
  await world.tick(automation);
  const paused = await world.find(automation.id);
  expect(paused).toMatchObject({ state: 'paused', nextAt: null, failures: 0 });
  const [message] = world.outbox.of(world.tenant);
  expect(message?.topic).toBe('automation.paused');
  const notice = await world.tx((tx) => world.paused.read(tx, { ...message?.payload }));
  expect(notice?.lines[0]).toMatch(/^This version of Countersign cannot read the automation\. .+ Line 1: /);
  expect(notice?.lines.at(-1)).toContain(`enable ${automation.id} --source ${automation.revision.sha256}`);
});
