import type { DestinationView, SetUpView } from '#lib/api-schemas';
import { expectStatus, type TestPerson } from '../support/api.js';
import { localMail, type LocalMail } from '../support/local-mail.js';
import { CHANNELS } from '../support/local-slack.js';
import { installSlack, slackWorld, type SlackWorld } from '../support/slack-world.js';

const DESTINATIONS = {
  'security-team': [CHANNELS.others],
  board: ['board@example.com'],
  both: [CHANNELS.others, 'both@example.com'],
};

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    production:
      mode: full_auto
      allowed_approvers: [SRELead]
emergency_override:
  enabled: true
  allowed_roles: [SRELead]
  notifies: [security-team, both]
`;

describe('T44: one admin changes the meaning of a Slack channel', () => {
  let mail: LocalMail;
  let world: SlackWorld;
  let reviewer: TestPerson;

  beforeAll(async () => {
    mail = await localMail();
    world = await slackWorld({ mail: mail.config });
    reviewer = await world.api.person(world.tenant, 'SecurityReviewer');
    expectStatus(await world.admin.put('/v1/incident-settings', { destinations: DESTINATIONS }), 200);
    const { etag = '' } = (await world.admin.get('/v1/autonomy')).headers;
    expectStatus(await world.admin.put('/v1/autonomy', AUTONOMY, { 'if-match': etag }), 200);
  }, 120_000);
  afterAll(async () => {
    await world.close();
    await mail.close();
  });

  const destinations = async (): Promise<readonly DestinationView[]> =>
    (expectStatus(await world.admin.get('/v1/incident-destinations'), 200).body as { items: DestinationView[] }).items;
  const reach = async (): Promise<unknown> =>
    Object.fromEntries((await destinations()).map(({ name, reach: found }) => [name, found]));
  const heard = async (): Promise<unknown> => {
    const { steps } = expectStatus(await world.admin.get('/v1/set-up'), 200).body as { steps: SetUpView['steps'] };
    return steps.find(({ step }) => step === 'break_glass');
  };
  const ANSWER = { 'security-team': 'answers', board: 'answers', both: 'answers' };
  const SILENT = { ...ANSWER, 'security-team': 'silent' };
  const look = async (): Promise<void> => {
    const { checkDestinations } = world.api.installation.incident;
    const due = await world.api.database.systemQuery.call('incident_test_destination_due', new Date(), 100, [], []);
    for (const { tenantId, id } of due) await checkDestinations.testDue(tenantId, id);
  };
  const tests = (): number =>
    world.slack.in(CHANNELS.others).filter(({ text }) => text.includes('Test message')).length;
  const enterApp = async (): Promise<void> => {
    const { clientId, clientSecret, signingSecret } = world.slack.workspace;
    const app = { client_id: clientId, client_secret: clientSecret, signing_secret: signingSecret };
    expectStatus(await world.admin.put('/v1/slack/app', app), 200);
  };
  const recipientsOf = (words: string): string[] =>
    mail.mails
      .filter(({ text }) => text.replaceAll('=\r\n', '').includes(words))
      .map(({ to }) => to)
      .sort();

  it.each([
    ['the app', enterApp],
    ['the workspace', () => installSlack(world.api, world.admin, world.slack)],
  ])('T44 %s set up anew leaves no channel proved until a new test message is taken', async (_what, setUp) => {
    expect(await reach()).toEqual(ANSWER);
    const before = tests();
    await setUp();
    expect(await reach()).toEqual(SILENT);
    const [channel] = (await destinations()).find(({ name }) => name === 'security-team')?.addresses ?? [];
    expect(channel?.error).toContain('Slack was set up anew after the last test message');
    await look();
    expect(await reach()).toEqual(ANSWER);
    expect(tests()).toBe(before + 1);
    await look();
    expect(tests()).toBe(before + 1);
  });

  it('T44 a channel that takes no message from the new set-up is told to admins and security reviewers', async () => {
    await world.settle();
    mail.forget();
    await enterApp();
    world.slack.fail('chat.postMessage', { kind: 'error', error: 'not_in_channel' });
    await look();
    expect(await reach()).toEqual(SILENT);
    await world.settle();
    expect(recipientsOf('no longer takes messages')).toEqual([world.tenant.admin.email, reviewer.email].sort());
    expectStatus(await world.admin.post('/v1/incident-destinations/tests', {}), 201);
    expect(await reach()).toEqual(ANSWER);
    world.slack.refusals.splice(0);
  });

  it('T44 a test that was under way when the set-up changed does not count', async () => {
    const { testAddress } = world.api.installation.delivery;
    const test = testAddress.test.bind(testAddress);
    await enterApp();
    const under = jest.spyOn(testAddress, 'test').mockImplementation(async (...address) => {
      const error = await test(...address);
      await enterApp();
      return error;
    });
    await look();
    under.mockRestore();
    expect(await reach()).toEqual(SILENT);
    await look();
    expect(await reach()).toEqual(ANSWER);
  });

  it('T44 without a workspace break-glass is known to reach no person there, and everybody who can fix it is told', async () => {
    await world.settle();
    mail.forget();
    expectStatus(await world.admin.delete('/v1/slack/installation'), 204);
    expect(await reach()).toEqual(SILENT);
    expect(await heard()).toMatchObject({
      done: false,
      detail: expect.stringMatching(/^Break-glass tells security-team, and no message arrives there\./),
    });
    const { headers } = await world.admin.get('/v1/autonomy');
    const tried = await world.admin.put('/v1/autonomy?dry_run=true', AUTONOMY, { 'if-match': headers.etag ?? '' });
    expect(expectStatus(tried, 200).body.warnings).toMatchObject([
      { code: 'autonomy.unreachable_destination', message: expect.stringContaining('Slack is not connected') },
    ]);
    const { items } = expectStatus(await world.admin.get('/v1/audit/entries?action=slack.removed'), 200).body;
    const { teamId: team_id, teamName: team_name } = world.slack.workspace;
    expect(items).toMatchObject([{ payload: { team_id, team_name } }]);

    await world.settle();
    const everybody = [world.tenant.admin.email, reviewer.email].sort();
    expect(recipientsOf('removed the Slack workspace Test workspace')).toEqual(everybody);
    expect(recipientsOf('Break-glass notifies security-team, and reaches nobody there.')).toEqual(everybody);
    mail.forget();
    await look();
    await world.settle();
    expect(mail.mails).toEqual([]);

    expectStatus(await world.admin.delete('/v1/slack/installation'), 204);
    await world.settle();
    expect(mail.mails).toEqual([]);
    await installSlack(world.api, world.admin, world.slack);
    await look();
    expect(await reach()).toEqual(ANSWER);
    expect(await heard()).toMatchObject({
      done: true,
      detail: 'Break-glass tells both and security-team, where test messages arrive.',
    });
  });
});
