import { v7 } from 'uuid';
import { Webhook } from 'standardwebhooks';
import type { AutomationRunView, AutomationView } from '#lib/api-schemas';
import { expectStatus, testApi, type Answer, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';

jest.setTimeout(60_000);

const SOURCE = `name: heal
environment: staging
inputs:
  service: { type: string, max_length: 20, example: web }
triggers:
  - { type: webhook, match: { alert.state: firing }, inputs: { service: alert.service } }
overlap: queue
most_per_hour: 5
steps:
  - { id: tell, type: notify, message: It came. }
`;
const FIRING = { alert: { state: 'firing', service: 'web-01', tool: 'uninstall_app' } };

let api: TestApi;
let tenant: TestTenant;
let ada: HttpAs;
let automation: AutomationView;
let path: string;
let secret: string;

async function enabled(source: string): Promise<AutomationView> {
  const { id, source_sha256 } = expectStatus(await ada.post('/v1/automations', { source }), 201).body;
  const answer = await ada.post(`/v1/automations/${String(id)}/enable`, { source_sha256 });
  return expectStatus(answer, 200).body as AutomationView;
}
const renewed = async (body: object = {}): Promise<string> =>
  String(expectStatus(await ada.post(`/v1/automations/${automation.id}/secret`, body), 201).body.secret);

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
  ada = api.http(tenant.admin.token);
  automation = await enabled(SOURCE);
  path = `/hooks/${tenant.slug}/automations/${automation.id}`;
  secret = await renewed();
});
afterAll(() => api.close());

interface Sent {
  readonly id?: string;
  readonly by?: string;
  readonly at?: Date;
  readonly to?: string;
}
const sendText = (body: string, { id = v7(), by = secret, at = new Date(), to = path }: Sent = {}): Promise<Answer> =>
  api.http().send('POST', to, body, {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(by).sign(id, at, body),
  });
const send = (body: unknown, sent: Sent = {}): Promise<Answer> => sendText(JSON.stringify(body), sent);
const runs = async (): Promise<AutomationRunView[]> =>
  expectStatus(await ada.get(`/v1/automations/${automation.id}/runs`), 200).body.items as AutomationRunView[];

describe('the webhook of an automation', () => {
  it('starts one run for a message, with the mapped inputs alone', async () => {
    const first = expectStatus(await send(FIRING, { id: 'one' }), 202).body;
    expect(first).toMatchObject({ state: 'queued' });
    expect(expectStatus(await send(FIRING, { id: 'one' }), 202).body).toEqual({ run_id: null, state: null });
    expect(expectStatus(await send({ alert: { state: 'resolved' } }), 202).body).toEqual({ run_id: null, state: null });
    expect(await runs()).toMatchObject([
      { id: first.run_id, occurrence: 'webhook:one', inputs: { service: 'web-01' } },
    ]);
  });

  it('T12: is refused with the same bytes for a wrong signature, an old one, and an absent automation', async () => {
    const before = (await runs()).length;
    const other = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
    const refused = [
      await send(FIRING, { by: other }),
      await send(FIRING, { at: new Date(Date.now() - 301_000) }),
      await send(FIRING, { at: new Date(Date.now() + 330_000) }),
      await send(FIRING, { to: `/hooks/${tenant.slug}/automations/${v7()}` }),
      await send(FIRING, { to: `/hooks/nobody/automations/${automation.id}` }),
      await send(FIRING, { to: `/hooks/${(await api.tenant()).slug}/automations/${automation.id}` }),
      await api.http().post(path, FIRING),
    ];
    expect(refused.map(({ status, body }) => [status, String(body.code)])).toEqual(
      refused.map(() => [401, 'automation.signature']),
    );
    expect(new Set(refused.map(({ body }) => JSON.stringify({ ...body, instance: null }))).size).toBe(1);
    expect(await runs()).toHaveLength(before);
  });

  it.each<[string, string, number, string]>([
    ['no JSON', '{"alert":', 400, 'automation.wrong_body'],
    ['ambiguous', '{"alert":{"state":"firing"},"alert":{}}', 400, 'automation.wrong_body'],
    ['too deep', '['.repeat(33) + ']'.repeat(33), 400, 'automation.wrong_body'],
    ['too large', JSON.stringify({ text: 'x'.repeat(65_536) }), 413, 'request.too_large'],
  ])('T33: is refused if its body is %s', async (_what, body, status, code) => {
    const answer = await sendText(body);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  it.each([
    ['too long', { ...FIRING.alert, service: 'x'.repeat(21) }],
    ['of another type', { ...FIRING.alert, service: { $secret: 'key@1' } }],
    ['missing', { state: 'firing' }],
  ])('T33: is refused if the value of an input is %s', async (_what, alert) => {
    const answer = await send({ alert });
    expect([answer.status, answer.body.code]).toEqual([422, 'automation.wrong_input']);
    expect(answer.text).not.toContain('xxxxx');
  });

  it('T32: has a secret that is shown once, and lies encrypted', async () => {
    const { rows } = await api.db.owner.query<{ row: string }>(
      'select row_to_json(s)::text as row from automation_secret s where tenant_id = $1',
      [tenant.id],
    );
    expect(rows).not.toEqual([]);
    const bytes = Buffer.from(secret.slice('whsec_'.length), 'base64').toString('hex');
    expect(rows.filter(({ row }) => row.includes(secret) || row.includes(bytes))).toEqual([]);
    expect((await ada.get(`/v1/automations/${automation.id}`)).text).not.toContain('whsec_');
    const { body } = await ada.get('/v1/audit/entries?action=automation.secret_rotated');
    expect(JSON.stringify(body)).not.toContain('whsec_');
  });

  it('takes an earlier secret for a day, or not at all', async () => {
    const earlier = secret;
    secret = await renewed();
    expectStatus(await send({ alert: {} }, { by: earlier }), 202);
    expectStatus(await send({ alert: {} }), 202);
    secret = await renewed({ revoke_earlier: true });
    expect((await send({ alert: {} }, { by: earlier })).status).toBe(401);
    expectStatus(await send({ alert: {} }), 202);
    const agent = api.http((await api.agent(tenant, tenant.admin)).token);
    expect((await agent.post(`/v1/automations/${automation.id}/secret`, {})).status).toBe(403);
  });

  it('starts no run beyond its hour’s, and none while it is off', async () => {
    const answers: number[] = [];
    for (let sent = (await runs()).length; sent <= 5; sent += 1) answers.push((await send(FIRING)).status);
    expect(answers.slice(-2)).toEqual([202, 429]);
    expectStatus(await ada.post(`/v1/automations/${automation.id}/disable`), 200);
    expect((await send(FIRING)).body.code).toBe('automation.not_enabled');
  });
});
