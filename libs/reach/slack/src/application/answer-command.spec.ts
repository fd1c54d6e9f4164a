import { sampleInstalled } from './fake-slack-app.js';
import { fakeSlackWorld, PUBLIC_URL, signed } from './fake-slack-world.js';

const { appId, teamId } = sampleInstalled();

const command = (change: Readonly<Record<string, string>> = {}): string =>
  new URLSearchParams({ api_app_id: appId, team_id: teamId, user_id: 'UADA', text: 'link', ...change }).toString();

async function answering() {
  const world = fakeSlackWorld();
  await world.install();
  const { uow } = world;
  return {
    ...world,
    type: async (body: string, headers = signed(body, uow.now)) => {
      const answered = await world.parts.answerCommand.execute(body, headers);
      return answered.ok ? answered.value : answered.error;
    },
  };
}

describe('the command of Slack', () => {
  it.each(['link', ' LINK '])('offers to link the account: "%s"', async (text) => {
    const world = await answering();
    const answer = await world.type(command({ text }));
    expect(answer).toMatchObject({ response_type: 'ephemeral' });
    const code = /[?&]link=([\w-]+)/.exec(JSON.stringify(answer))?.[1] ?? '';
    expect(JSON.stringify(answer)).toContain(`${PUBLIC_URL}/settings/slack?link=${code}`);
    const confirmed = await world.linkSlackUser.confirm(world.home.owner, code);
    expect(confirmed).toMatchObject({ ok: true, value: { userId: 'UADA', teamId } });
  });

  it('names the person who is linked already, and offers nothing', async () => {
    const world = await answering();
    await world.link({ ...world.home.owner, displayName: 'Ada' }, 'UADA');
    const answer = await world.type(command());
    expect(answer).toMatchObject({ text: 'You are linked already: you act as Ada.' });
    expect(JSON.stringify(answer)).not.toContain('link=');
  });

  it.each<[string, Readonly<Record<string, string>>]>([
    ['another text', { text: 'help' }],
    ['no text', { text: '' }],
    ['a user that Slack never names so', { user_id: "U' or 1" }],
  ])('explains itself for %s, and offers nothing', async (_what, change) => {
    const world = await answering();
    const answer = await world.type(command(change));
    expect(answer).toMatchObject({ text: expect.stringContaining('Type "/countersign link"') as string });
    expect(JSON.stringify(answer)).not.toContain('link=');
  });

  it.each<[string, string, string]>([
    ['another body than the signed one', command({ user_id: 'UBEN' }), command()],
    ['an app that is installed nowhere', command({ api_app_id: 'A9' }), command({ api_app_id: 'A9' })],
    ['no app', 'text=link', 'text=link'],
  ])('T12: is refused with %s', async (_what, body, signedBody) => {
    const world = await answering();
    expect(await world.type(body, signed(signedBody, world.uow.now))).toMatchObject({ code: 'slack.signature' });
  });
});
