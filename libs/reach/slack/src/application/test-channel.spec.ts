import { fakeSlackWorld, PUBLIC_URL } from './fake-slack-world.js';
import { SlackCallError } from './slack.ports.js';
import { TestChannel } from './test-channel.js';

async function testing() {
  const world = fakeSlackWorld();
  await world.install();
  const { uow, home, installations, slack } = world;
  const test = new TestChannel(uow, installations, slack, PUBLIC_URL);
  return {
    ...world,
    test: (channel = 'C1') => test.execute(home.tenantId, channel),
    refuse: (error: Error) => slack.failures.push({ method: 'post', error }),
  };
}

describe('a test message in a channel', () => {
  it('is posted at once', async () => {
    const world = await testing();
    expect(await world.test()).toBeNull();
    expect(world.slack.texts('C1')).toEqual([expect.stringContaining('Test message')]);
    expect(world.slack.calls).toEqual(['post']);
  });

  it('tells why Slack refuses it, and is not tried again', async () => {
    const world = await testing();
    expect(await world.test('C9')).toBe('Slack: channel_not_found');
    expect(world.slack.calls).toEqual(['post']);
  });

  it('waits a little if Slack asks, and is tried once more', async () => {
    const world = await testing();
    world.refuse(new SlackCallError('rate_limited', true, 1));
    expect(await world.test()).toBeNull();
    world.refuse(new SlackCallError('rate_limited', true, 1));
    world.refuse(new SlackCallError('is_archived', false));
    expect(await world.test()).toBe('Slack: is_archived');
  });

  it('does not wait long', async () => {
    const world = await testing();
    world.refuse(new SlackCallError('rate_limited', true, 5_001));
    expect(await world.test()).toBe('Slack: rate_limited');
    expect(world.slack.calls).toEqual(['post']);
  });

  it('passes on an error that is not of Slack', async () => {
    const world = await testing();
    world.refuse(new Error('broken'));
    await expect(world.test()).rejects.toThrow('broken');
  });

  it('tells that Slack is not connected', async () => {
    const world = await testing();
    await world.inTx((tx) => world.installations.removeInstallation(tx));
    expect(await world.test()).toBe('Slack is not connected: an admin connects it under Settings, Slack.');
    expect(world.slack.calls).toEqual([]);
  });
});
