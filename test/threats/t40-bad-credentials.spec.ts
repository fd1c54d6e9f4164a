import { performance } from 'node:perf_hooks';
import { FailedAttempts } from '../../apps/api/src/http/failed-attempts.js';
import { slackWorld, type SlackWorld } from '../support/slack-world.js';
import { expectStatus, testApi, type Answer, type TestApi, type TestTenant } from '../support/api.js';

let world: SlackWorld;
let api: TestApi;
let other: TestTenant;

beforeAll(async () => {
  world = await slackWorld();
  api = world.api;
  other = await api.tenant();
}, 120_000);
afterAll(() => world.close());

/** All requests of a test come from one address. So do those of an office, or of everybody behind a proxy. */
const BY_THE_HUNDRED = 150;
const unknown = `cs_p_${'A'.repeat(49)}`;

const flood: Readonly<Record<string, () => Promise<{ status: number; code: string }>>> = {
  'tokens that do not exist': async () => {
    const { status, body } = await api.http(unknown).get('/v1/me');
    return { status, code: body.code as string };
  },
  'halts with tokens that do not exist': async () => {
    const { status, body } = await api.http(unknown).post('/v1/halts', { kind: 'tenant', reason: 'EMERGENCY' });
    return { status, code: body.code as string };
  },
  'headers that hold no token': async () => {
    const { status, body } = await api.http().get('/v1/me', { authorization: 'Basic eHg6eHg=' });
    return { status, code: body.code as string };
  },
  'enrolment tokens that do not exist': async () => {
    const wrong = { enrolment_token: `cs_e_${'A'.repeat(49)}`, name: 'x' };
    const { status, body } = await api.http().post('/v1/enrolment', wrong);
    return { status, code: body.code as string };
  },
  'interactions that Slack did not sign': async () => {
    const { statusCode, payload } = await api.app.inject({
      method: 'POST',
      url: '/slack/interactions',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'payload=x',
    });
    return { status: statusCode, code: (JSON.parse(payload) as { code: string }).code };
  },
};

describe('T40: bad credentials by the hundred from one address', () => {
  const kinds = Object.entries(flood);
  const during = async (): Promise<void> => {
    expectStatus(await api.http(world.tenant.admin.token).get('/v1/me'), 200);
    expectStatus(await api.http(world.bot.token).get('/v1/me'), 200);
    expectStatus(await api.http(other.admin.token).get('/v1/me'), 200);
    const halted = await api.http(other.admin.token).post('/v1/halts', { kind: 'tenant', reason: 'EMERGENCY' });
    expectStatus(halted, 201);
  };

  it('a good credential is taken while all kinds of bad ones come at once', async () => {
    const flooding = kinds.map(([, one]) => Promise.all(Array.from({ length: BY_THE_HUNDRED }, one)));
    await during();
    for (const answers of await Promise.all(flooding))
      expect([...new Set(answers.map(({ status }) => status))]).toEqual([401]);
    await during();
  });

  it('each of them waits', async () => {
    const waited = kinds.map(async ([kind, one]) => {
      const before = performance.now();
      const { status, code } = await one();
      return { kind, status, code, late: performance.now() - before >= 1_000 };
    });
    const known = /^(?:credential\.(?:unknown|malformed)|enrolment\.refused|slack\.signature)$/;
    for (const { kind, ...answer } of await Promise.all(waited))
      expect({ kind, ...answer }).toEqual({ kind, status: 401, code: expect.stringMatching(known), late: true });
  });

  it('each of them waits also behind a proxy that writes the port of each connection', async () => {
    const behind = await testApi({ config: { trustedProxies: ['127.0.0.1'] } });
    let port = 1_024;
    const wrong = (): Promise<Answer> =>
      behind.http(unknown).get('/v1/me', { 'x-forwarded-for': `203.0.113.9:${String((port += 1))}` });
    await Promise.all(Array.from({ length: BY_THE_HUNDRED }, wrong));
    const before = performance.now();
    expectStatus(await wrong(), 401);
    expect(performance.now() - before).toBeGreaterThanOrEqual(1_000);
    await behind.close();
  });

  it('emergencies have look-ups of their own, and each call says which credential it shows', async () => {
    const { token } = other.admin;
    const watched = jest.spyOn(api.app.get(FailedAttempts), 'watch');
    expectStatus(await api.http(token).get('/v1/me'), 200);
    expectStatus(await api.http(token).post('/v1/halts', { kind: 'tenant', reason: 'EMERGENCY' }), 201);
    await api.http(token).post('/v1/break-glass', {});
    const seen = watched.mock.calls.map(([, kind, , shown]) => [kind, shown]);
    expect(seen).toEqual([
      ['credential', token],
      ['emergency', token],
      ['emergency', token],
    ]);
    watched.mockRestore();
  });

  it('a good exchange and a signed interaction from that address are taken at once', async () => {
    const admin = api.http(world.tenant.admin.token);
    const added = expectStatus(await admin.post('/v1/people', { email: 'new@example.com', display_name: 'New' }), 201);
    const invited = expectStatus(await admin.post(`/v1/people/${String(added.body.id)}/enrolment`), 201);
    const enrolled = await api
      .http()
      .post('/v1/enrolment', { enrolment_token: invited.body.enrolment_token as string, name: 'laptop' });
    expectStatus(enrolled, 201);
    expectStatus(await api.http(enrolled.body.token as string).get('/v1/me'), 200);

    const sent = world.slack.sign(
      '/slack/interactions',
      new URLSearchParams({
        payload: JSON.stringify({
          type: 'view_closed',
          api_app_id: world.slack.workspace.appId,
          team: { id: world.slack.workspace.teamId },
          user: { id: 'UADA' },
        }),
      }).toString(),
      Math.floor(Date.now() / 1_000),
    );
    expect((await world.slack.send(sent)).status).toBe(200);
  });
});
