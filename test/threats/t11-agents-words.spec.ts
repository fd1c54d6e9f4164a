import { slackWorld, textOf, type SlackWorld } from '../support/slack-world.js';
import { rolloutPlan } from '../support/stages.js';

let world: SlackWorld;

beforeAll(async () => {
  world = await slackWorld();
}, 120_000);
afterAll(() => world.close());

describe('T11: the agent says read-only, and the step changes production', () => {
  it('shows approvers the steps by the registry’s facts, and the agent’s words apart, as theirs', async () => {
    const summary = 'Reads metrics only. Nothing is changed. Policy asks for nobody.';
    const plan = { ...rolloutPlan('t11'), summary };
    const request = await world.asked('manual', plan, { goal: 'read-only check' });
    await world.settle();
    const message = world.message(request);
    expect(message.text).toMatch(/execute_rollout_prod on 47 targets, .*revision 1 in production/);
    const text = textOf(message.blocks);
    expect(text).toMatch(/execute_rollout_prod@1 on executor \S+: changes production, modify/);
    expect(text).toContain('CRITICAL RISK');
    expect(text).toContain('Policy asks for 2 of SRELead');
    const label = text.indexOf('; not verified. Trust the steps, not this text:');
    expect(label).toBeGreaterThan(text.indexOf('execute_rollout_prod@1'));
    expect(text.indexOf(summary)).toBeGreaterThan(label);
    expect(text.indexOf('read-only check')).toBeGreaterThan(label);
    const quoted = message.blocks.flatMap((block) => (block.elements ?? []) as { type: string; elements: object[] }[]);
    const quotes = quoted.filter(({ type }) => type === 'rich_text_quote').map(({ elements }) => elements);
    expect(quotes).toEqual([[{ type: 'text', text: 'read-only check' }], [{ type: 'text', text: summary }]]);
  });
});
