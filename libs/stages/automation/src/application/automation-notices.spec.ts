import type { Automation } from '../domain/automation.js';
import { automationSource, callStep, FakeAutomationWorld, notifyStep } from './fake-automation-world.js';

let world: FakeAutomationWorld;
beforeEach(async () => {
  world = await FakeAutomationWorld.open();
});

/** Runs an automation to the end of its only call, and reads the notice of its notify step. */
async function told(end?: Parameters<FakeAutomationWorld['end']>[0]) {
  const automation: Automation = await world.enabled(
    automationSource('heal', callStep('restart') + notifyStep('tell', 'The service was restarted.')),
  );
  await world.tick(automation);
  await world.work(automation);
  world.end(end);
  await world.work(automation);
  const [message] = world.outbox.of(world.tenant);
  if (message?.topic !== 'automation.notified') throw new Error('the notify step told nobody');
  return world.tx((tx) => world.messages.read(tx, message.payload));
}

describe('the notice of a notify step', () => {
  it('is its message after a run without a failure', async () => {
    expect(await told()).toMatchObject({
      title: 'heal: The service was restarted.',
      lines: ['Every step so far succeeded in staging.'],
      people: [world.ada.personId],
      url: expect.stringMatching(/\/automations\/[0-9a-f-]{36}$/) as string,
    });
  });

  it('says after a failure that the run failed and why, and only quotes the message', async () => {
    const fault = { code: 'tool_call.failed', message: 'The service did not come back' };
    expect(await told({ kind: 'failed', fault })).toMatchObject({
      title: 'heal failed',
      lines: ['restart: The service did not come back', 'The message of its notify step: “The service was restarted.”'],
    });
  });
});
