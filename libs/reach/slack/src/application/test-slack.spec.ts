import { fakeSlackWorld } from './fake-slack-world.js';
import { SlackCallError } from './slack.ports.js';
import { TestSlack } from './test-slack.js';

async function testing(channels: Readonly<Record<string, string>> = { production: 'C1', '': 'C2' }) {
  const world = fakeSlackWorld();
  await world.install();
  await world.inTx((tx) => world.installations.setChannels(tx, channels));
  const { uow, home, installations, slack } = world;
  return { ...world, test: () => new TestSlack(uow, installations, slack).execute(home.admin) };
}

describe('a test of the connection', () => {
  it('names the workspace of the token and each channel, and posts nothing', async () => {
    const world = await testing();
    const channels = [
      { environment: 'production', channel: 'C1', name: 'production', problem: null },
      { environment: '', channel: 'C2', name: 'changes', problem: null },
    ];
    expect(await world.test()).toEqual({ ok: true, value: { teamName: 'Workspace T1', problem: null, channels } });
    expect(world.slack.posts.size).toBe(0);
  });

  it('tells the problem of each channel in words', async () => {
    const world = await testing({ production: 'C1', staging: 'C9', test: 'C2' });
    world.slack.failures.push({ method: 'channelName', error: new SlackCallError('not_in_channel', false) });
    const tested = await world.test();
    expect(tested.ok ? tested.value.channels : []).toEqual([
      {
        ...{ environment: 'production', channel: 'C1', name: null },
        problem: 'The bot is not in this channel. Type /invite @Countersign there.',
      },
      {
        ...{ environment: 'staging', channel: 'C9', name: null },
        problem: 'Slack knows no such channel, or it is private and the bot is not in it.',
      },
      { environment: 'test', channel: 'C2', name: 'changes', problem: null },
    ]);
  });

  it.each(['enterprise_is_restricted', 'constructor'])('tells the code %s of a problem without words', async (code) => {
    const world = await testing({ production: 'C1' });
    world.slack.failures.push({ method: 'channelName', error: new SlackCallError(code, false) });
    expect(await world.test()).toMatchObject({ value: { channels: [{ problem: `Slack refuses: ${code}.` }] } });
  });

  it('asks for no channel if the token is good for nothing', async () => {
    const world = await testing();
    world.slack.failures.push({ method: 'workspaceOf', error: new SlackCallError('token_revoked', false) });
    const problem = 'The token was revoked in Slack. Install the app again.';
    expect(await world.test()).toEqual({ ok: true, value: { teamName: null, problem, channels: [] } });
    expect(world.slack.calls).toEqual(['workspaceOf']);
  });

  it('notices that the token is for another workspace', async () => {
    const world = await testing();
    world.slack.workspaceOf = () => Promise.resolve({ teamId: 'T9', teamName: 'Another' });
    expect(await world.test()).toMatchObject({
      value: { teamName: 'Another', problem: 'The token is for another workspace than the one that was installed.' },
    });
  });

  it('passes on an error that is not of Slack', async () => {
    const world = await testing();
    world.slack.failures.push({ method: 'channelName', error: new Error('broken') });
    await expect(world.test()).rejects.toThrow('broken');
  });

  it('needs an installation', async () => {
    const world = await testing();
    await world.inTx((tx) => world.installations.removeInstallation(tx));
    expect(await world.test()).toMatchObject({ ok: false, error: { kind: 'conflict', code: 'slack.not_installed' } });
  });
});
