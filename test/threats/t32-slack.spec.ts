import { rolloutPlan, taskSpec } from '../support/stages.js';
import { slackWorld, type SlackWorld } from '../support/slack-world.js';

let world: SlackWorld;
beforeAll(async () => {
  world = await slackWorld();
}, 120_000);
afterAll(() => world.close());

const TOKEN = `cs_p_${'a'.repeat(43)}`;
const KEY = 'AKIAIOSFODNN7EXAMPLE';

describe('T32: secrets in Slack’s messages', () => {
  it('T32 stand masked in the message of a request, for every author', async () => {
    const plan = { ...rolloutPlan('web-t32'), summary: `Rolls out with ${TOKEN}` };
    const goal = { ...taskSpec(), goal: `Renew the image, password=hunter2-${KEY}` };
    const request = await world.asked('manual', plan, goal);
    await world.settle();
    const message = world.message(request);
    const shown = JSON.stringify([message.text, message.blocks]);
    expect(shown).toContain('Rolls out with [masked]');
    const everything = JSON.stringify(world.slack.in(message.channel));
    for (const secret of [TOKEN, KEY, 'hunter2']) expect(everything).not.toContain(secret);
  });
});
