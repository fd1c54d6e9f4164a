import { CHANNELS } from '../support/local-slack.js';
import { slackWorld, textOf, type SlackWorld } from '../support/slack-world.js';
import { rolloutPlan } from '../support/stages.js';

let world: SlackWorld;

beforeAll(async () => {
  world = await slackWorld();
}, 120_000);
afterAll(() => world.close());

/** Asks with these words as the goal. @returns the text in the channel. */
async function askedInWords(goal: string, summary = 'fine') {
  images += 1;
  const plan = { ...rolloutPlan(`t10-${String(images)}`), summary };
  const request = await world.asked('manual', plan, { goal });
  await world.settle();
  return { request, message: world.message(request) };
}
let images = 0;

describe('T10: text that lies to approvers', () => {
  it.each([
    ['a bidirectional override', 'read \u202Eetirw', 'read ⟦U+202E⟧etirw'],
    ['zero-width characters', 'pro\u200Bduction', 'pro⟦U+200B⟧duction'],
    ['a letter of another alphabet', 'p\u0430tch', 'p⟦U+0430⟧tch'],
  ])('shows %s', async (_what, goal, shown) => {
    const { message } = await askedInWords(goal);
    expect(textOf(message.blocks)).toContain(shown);
    expect(JSON.stringify(message)).not.toContain(goal);
  });

  it('takes no mention, link or markup of an agent for one: its words are rich text, and nothing else', async () => {
    const goal =
      '<!channel> <@U123> <https://evil.example|Approve here> *bold* `code` @here :tada: https://evil.example';
    const { message } = await askedInWords(goal, goal);
    const spans = JSON.stringify(message.blocks);
    expect(spans).toContain(JSON.stringify({ type: 'text', text: goal }));
    // No block has markup, nor any text that could be read as markup.
    expect(spans).not.toMatch(/"mrkdwn"|"type":"(?:link|user|channel|broadcast|usergroup|emoji)"/);
    expect(message.text).not.toMatch(/<[!@#h]/);
    const posted = world.slack.calls.findLast(({ method }) => method === 'chat.postMessage')?.fields;
    expect(posted).toMatchObject({ parse: 'none', unfurl_links: 'false', unfurl_media: 'false' });
  });

  it('cannot be approved from Slack if a part had to be cut, and says so', async () => {
    const { request, message } = await askedInWords('a fine change', 'x'.repeat(3_999));
    expect(JSON.stringify(message.blocks)).toContain('countersign.approve');
    const targets = Array.from({ length: 400 }, (_, index) => `host-${String(index * 7)}-${'n'.repeat(20)}`);
    const large = await world.asked('manual', rolloutPlan('t10-large', targets));
    await world.settle();
    const cut = world.message(large);
    const buttons = JSON.stringify(cut.blocks);
    expect(buttons).not.toMatch(/countersign\.(approve|reject|request_changes)/);
    expect(buttons).toContain('countersign.open');
    expect(textOf(cut.blocks)).toMatch(/This cannot be approved here: \d+ characters of it do not fit/);
    expect(world.slack.refusals).toEqual([]);
    expect(world.slack.in(CHANNELS.production).length).toBeGreaterThan(1);
    // A button from another message is refused for it all the same.
    const forged = { ...cut, blocks: message.blocks };
    await world.slack.press(forged, 'countersign.approve', 'UADA');
    await world.settle();
    expect(await world.reviews(large)).toBe(0);
    expect(await world.reviews(request)).toBe(1);
  });
});
