import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectStatus, testApi, type HttpAs, type TestAgent, type TestApi, type TestTenant } from '../support/api.js';
import { putCurrent } from '../support/put-current.js';
import { enrolTotp, steppedUp } from '../support/second-factors.js';
import { TEST_AUTHORITY } from '../support/test-authority.js';
import { until } from '../support/until.js';
import { webhookReceiver, type ReceivedEvent, type WebhookReceiver } from '../support/webhook-receiver.js';
import { workerOf } from '../support/worker.js';

jest.setTimeout(60_000);

let api: TestApi;
let tools: Server;
let workers: readonly { stop(): Promise<void> }[];
let receiver: WebhookReceiver;
let tenant: TestTenant;
let admin: HttpAs;
let agent: TestAgent;
let sessionId: string;
let webhookId: string;

/** The answer of the tool server; it takes the next calls so. */
let toolAnswer: object = { ok: true, result: 'File written successfully' };

const settings = (more: object = {}) => ({
  url: receiver.url,
  events: ['tool.started', 'tool.completed', 'tool.failed'],
  ca: TEST_AUTHORITY,
  ...more,
});

const webhook = async (): Promise<Record<string, unknown>> =>
  expectStatus(await admin.get(`/v1/webhooks/${webhookId}`), 200).body as Record<string, unknown>;

const put = async (more: object): Promise<void> => {
  expectStatus(await putCurrent(admin, `/v1/webhooks/${webhookId}`, settings(more)), 200);
};

async function rotated(query = ''): Promise<string> {
  const { secret } = expectStatus(await admin.post(`/v1/webhooks/${webhookId}/secret${query}`), 201).body as {
    secret: string;
  };
  return secret;
}

interface Delivery {
  readonly id: string;
  readonly event: string;
  readonly state: string;
  readonly attempts: number;
  readonly body: string;
  readonly tries: readonly { readonly status: number | null; readonly error: string | null }[];
}

const deliveries = async (query = ''): Promise<readonly Delivery[]> =>
  expectStatus(await admin.get(`/v1/webhooks/${webhookId}/deliveries${query}`), 200).body.items as Delivery[];

const tested = async (): Promise<Delivery> =>
  expectStatus(await admin.post(`/v1/webhooks/${webhookId}/test`), 201).body as Delivery;

const delivery = async (id: string): Promise<Delivery> =>
  expectStatus(await admin.get(`/v1/webhooks/${webhookId}/deliveries/${id}`), 200).body as Delivery;

const eventsNamed = (name: string): readonly ReceivedEvent[] =>
  receiver.received.filter(({ body }) => body.event === name);

const call = async (args: object): Promise<void> => {
  const asked = await api
    .http(agent.token)
    .post(`/v1/sessions/${sessionId}/tool-calls`, { tool: 'file-write', arguments: args });
  expect([200, 201, 202]).toContain(asked.status);
};

/** The same events come at once, whatever the schedule of retries says. */
const hasten = async (): Promise<void> => {
  await api.db.owner.query(
    `update webhook_delivery set next_attempt_at = now() where state = 'pending' and leased_until is null`,
  );
};

beforeAll(async () => {
  tools = createServer((request, response) => {
    request
      .resume()
      .on('end', () => response.setHeader('content-type', 'application/json').end(JSON.stringify(toolAnswer)));
  });
  await new Promise<void>((resolve) => tools.listen(0, '127.0.0.1', resolve));
  receiver = await webhookReceiver();
  api = await testApi({ config: { allowedPrivateHosts: ['127.0.0.1'] } });
  workers = [await workerOf(api), await workerOf(api)];
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  agent = await api.agent(tenant, tenant.admin);
  const tool = {
    description: 'Writes a file.',
    risk: 'read_only',
    effect: 'read',
    idempotent: true,
    scope: 'asset',
    parameters: {
      type: 'object',
      properties: {
        path: { type: 'string', maxLength: 200 },
        content: { type: 'string', maxLength: 200 },
      },
      required: ['path', 'content'],
      additionalProperties: false,
    },
    identity_fields: ['/path'],
    executor: 'files',
  };
  expectStatus(await admin.put('/v1/tools/file-write', tool), 200);
  const url = `http://127.0.0.1:${String((tools.address() as AddressInfo).port)}/tools`;
  expectStatus(
    await admin.put('/v1/environments/staging/executors/files', { kind: 'http', url, audience: 'files' }),
    200,
  );
  expectStatus(
    await admin.put(
      '/v1/autonomy',
      'autonomy:\n  mode: plan_only\n  environments:\n    staging:\n      mode: full_auto\n',
    ),
    200,
  );
  const opened = await api
    .http(agent.token)
    .post('/v1/sessions', { environment: 'staging', model: 'claude-4-sonnet-20250514' });
  sessionId = String(expectStatus(opened, 201).body.id);
}, 60_000);
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.stop()));
  await api.close();
  await receiver.close();
  await new Promise((resolve) => tools.close(resolve));
});

describe('a webhook', () => {
  it('is added at an https address alone, and with the certificates of an authority', async () => {
    const codeOf = async (more: object): Promise<unknown> =>
      expectStatus(await admin.post('/v1/webhooks', settings(more)), 422).body.code;
    for (const url of [
      'http://127.0.0.1/in',
      'https://10.0.0.1/in',
      'https://user:password@hooks.example.com/in',
      'https://hooks.example.com/in?token=1',
      'https://hooks.example.com/in#a',
      'https://hooks.example.com/in?',
      'https://hooks.example.com/in#',
    ])
      expect(await codeOf({ url })).toBe('webhook.address_not_allowed');
    expect(await codeOf({ ca: 'an authority' })).toBe('webhook.authority_invalid');
    for (const [url, kept] of [
      ['HTTPS://Hooks.Example.com/x', 'https://hooks.example.com/x'],
      ['https:example.com/x', 'https://example.com/x'],
    ]) {
      const { body } = expectStatus(await admin.post('/v1/webhooks', settings({ url })), 201);
      expect(body.url).toBe(kept);
      expectStatus(await admin.delete(`/v1/webhooks/${String(body.id)}`), 204);
    }
    const added = expectStatus(await admin.post('/v1/webhooks', settings()), 201).body as Record<string, unknown>;
    expect(added).toMatchObject({ enabled: true, url: receiver.url, guarded: false });
    webhookId = String(added.id);
  });

  it('gets nothing before its secret was shown', async () => {
    expect(await webhook()).toMatchObject({ enabled: true, secrets: [] });
    const refused = expectStatus(await admin.post(`/v1/webhooks/${webhookId}/test`), 409);
    expect(refused.body.code).toBe('webhook.no_secret');
  });

  it('shows a secret once', async () => {
    const secret = await rotated();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    receiver.secrets.push(secret);
    expect(JSON.stringify(await webhook())).not.toContain(secret.slice(6));
  });

  it('gets a test event, in the body of an event of a tool', async () => {
    const { id } = await tested();
    await until(() => eventsNamed('tool.test').length === 1);
    expect(eventsNamed('tool.test')[0]).toMatchObject({
      id,
      contentType: 'application/json',
      body: {
        event: 'tool.test',
        tool: { id: 'webhook-test' },
        result: { success: true },
        session: { agent: 'countersign', model: null },
      },
    });
    await until(async () => (await delivery(id)).state === 'delivered');
    expect(await delivery(id)).toMatchObject({ attempts: 1, tries: [{ status: 204, error: null }] });
  });

  it('gets the events of a tool, row by row, with secrets masked (T32)', async () => {
    await call({ path: 'src/auth.ts', content: 'password=hunter2-and-more' });
    await until(() => eventsNamed('tool.completed').length === 1);
    toolAnswer = { ok: false, effect: 'not_started', error: { code: 'disk.full', message: 'The disk is full.' } };
    await call({ path: 'src/other.ts', content: '...' });
    await until(() => eventsNamed('tool.failed').length === 1);
    const name = (await api.db.owner.query<{ name: string }>('select name from agent where id = $1', [agent.id]))
      .rows[0]?.name;
    const session = { agent: name, model: 'claude-4-sonnet-20250514' };
    const parameters = { path: 'src/auth.ts', content: 'password=[masked]' };
    const tool = { id: 'file-write', name: 'File Write', parameters };
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) as string;
    expect(eventsNamed('tool.started').map(({ body }) => body)).toContainEqual({
      event: 'tool.started',
      timestamp,
      tool,
      result: null,
      session,
    });
    expect(eventsNamed('tool.completed')[0]?.body).toEqual({
      ...{ event: 'tool.completed', timestamp, tool, session },
      result: { success: true, output: 'File written successfully' },
    });
    expect(eventsNamed('tool.failed')[0]?.body).toMatchObject({ result: { success: false } });
    expect(JSON.stringify(await deliveries())).not.toContain('hunter2');
  });

  it('has five seconds to answer, and no call waits for it', async () => {
    receiver.answers = { status: null, headers: {}, afterMs: 0 };
    toolAnswer = { ok: true, result: 'File written successfully' };
    const before = receiver.received.length;
    const fiveSeconds = new AbortController();
    const limited = AbortSignal.timeout.bind(AbortSignal);
    const limits = jest
      .spyOn(AbortSignal, 'timeout')
      .mockImplementation((ms) => (ms === 5_000 ? fiveSeconds.signal : limited(ms)));
    await call({ path: 'src/slow.ts', content: 'x' });
    // The call is over long before its receiver is given up.
    await until(async () => {
      const { rows } = await api.db.owner.query(
        `select from tool_call where session_id = $1 and arguments::jsonb ->> 'path' = 'src/slow.ts' and state = 'succeeded'`,
        [sessionId],
      );
      return rows.length === 1;
    });
    await until(() => receiver.received.length > before);
    const id = receiver.received[before]?.id ?? '';
    expect((await delivery(id)).tries).toEqual([]);
    fiveSeconds.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
    await until(async () => (await delivery(id)).tries.length === 1);
    limits.mockRestore();
    expect(await delivery(id)).toMatchObject({ state: 'pending', tries: [{ status: null }] });
    receiver.answers = { status: 204, headers: {}, afterMs: 0 };
    await until(async () => {
      await hasten();
      return (await deliveries('?state=pending')).length === 0;
    });
  });

  it('gets the events that it subscribes to, and no others', async () => {
    await put({ events: ['guardrail.*', 'session.*'] });
    expectStatus(await admin.post('/v1/halts', { kind: 'tenant', reason: 'A drill.' }), 201);
    await until(() => eventsNamed('guardrail.halt_set').length === 1);
    expect(eventsNamed('guardrail.halt_set')[0]?.body).toMatchObject({
      event: 'guardrail.halt_set',
      data: { action: 'halt.set', subject: { type: 'halt' }, actor: { kind: 'person' }, within: [] },
    });
    await put({});
  });

  it('gets both signatures for a day after a rotation, unless the earlier secret leaked', async () => {
    const before = receiver.secrets.splice(0);
    receiver.secrets.push(await rotated());
    const { id } = await tested();
    await until(() => receiver.received.some((each) => each.id === id));
    expect(receiver.received.find((each) => each.id === id)?.signatures.length).toBeGreaterThanOrEqual(2);
    receiver.secrets.splice(0, 1, ...before);
    const again = await tested();
    await until(() => receiver.received.some((each) => each.id === again.id));
    const fresh = await rotated('?end_earlier=true');
    const forged = receiver.forged();
    const last = await tested();
    await until(() => receiver.forged() > forged);
    receiver.secrets.splice(0, 1, fresh);
    await until(async () => {
      await hasten();
      return (await delivery(last.id)).state === 'delivered';
    });
  });

  it('is tried again under the same id, and follows no redirect (T31)', async () => {
    receiver.answers = { status: 307, headers: { location: 'https://127.0.0.1:1/' }, afterMs: 0 };
    const { id } = await tested();
    await until(async () => (await delivery(id)).attempts === 1 && (await delivery(id)).tries.length === 1);
    expect(await delivery(id)).toMatchObject({ state: 'pending', tries: [{ status: 307 }] });
    receiver.answers = { status: 200, headers: {}, afterMs: 0 };
    await hasten();
    await until(async () => (await delivery(id)).state === 'delivered');
    expect(receiver.received.filter((each) => each.id === id)).toHaveLength(2);
    expect(await deliveries('?state=delivered&event=tool.test&limit=1')).toHaveLength(1);
  });

  it('gets each event once, with two workers', async () => {
    receiver.answers = { status: 200, headers: {}, afterMs: 200 };
    const sent = await Promise.all(Array.from({ length: 12 }, tested));
    await until(async () => {
      const states = await Promise.all(sent.map(({ id }) => delivery(id)));
      return states.every(({ state }) => state === 'delivered');
    });
    for (const { id } of sent) expect(receiver.received.filter((each) => each.id === id)).toHaveLength(1);
    expect(receiver.together()).toBe(1);
    receiver.answers = { status: 200, headers: {}, afterMs: 0 };
  });

  it('is sent an event again on request', async () => {
    const { id } = await tested();
    await until(async () => (await delivery(id)).state === 'delivered');
    expectStatus(await admin.post(`/v1/webhooks/${webhookId}/deliveries/${id}/resend`), 200);
    await until(() => receiver.received.filter((each) => each.id === id).length === 2);
  });

  it('fails after a day of attempts', async () => {
    receiver.answers = { status: 500, headers: {}, afterMs: 0 };
    const { id } = await tested();
    await until(async () => {
      await hasten();
      return (await delivery(id)).state === 'failed';
    });
    expect((await delivery(id)).tries).toHaveLength(8);
  });

  it('is switched off if it fails for three days, and its owner is told', async () => {
    await api.db.owner.query(`update webhook_endpoint set failing_since = now() - interval '73 hours' where id = $1`, [
      webhookId,
    ]);
    const { id } = await tested();
    await until(async () => {
      await hasten();
      return (await webhook()).enabled === false;
    });
    expect(await webhook()).toMatchObject({ off_reason: 'failing' });
    expect(await delivery(id)).toMatchObject({ state: 'failed' });
    const { rows } = await api.db.owner.query(
      `select payload from outbox_message where topic = 'webhook.switched_off' and cause_id is null`,
    );
    expect(rows).toEqual([{ payload: { webhook_id: webhookId } }]);
    expectStatus(await admin.post(`/v1/webhooks/${webhookId}/test`), 409);
  });

  it('is switched off at once by 410', async () => {
    await put({});
    receiver.answers = { status: 410, headers: {}, afterMs: 0 };
    await tested();
    await until(async () => (await webhook()).off_reason === 'gone');
    receiver.answers = { status: 200, headers: {}, afterMs: 0 };
  });

  it('waits for a second person, if there is one', async () => {
    const ben = await api.person(tenant, 'PlatformAdmin', 'SecurityReviewer');
    const totp = await enrolTotp(api, ben);
    const asBen = api.http(ben.token);
    const change = expectStatus(
      await putCurrent(admin, `/v1/webhooks/${webhookId}`, settings(), {
        'countersign-reason': 'The%20receiver%20works%20again.',
      }),
      202,
    ).body as { id: string; change_digest: string };
    expect((await webhook()).enabled).toBe(false);
    const step_up_id = await steppedUp(asBen, totp, {
      kind: 'change_confirm',
      change_id: change.id,
      change_digest: change.change_digest,
    });
    expectStatus(
      await asBen.post(`/v1/change-requests/${change.id}/confirm`, { change_digest: change.change_digest, step_up_id }),
      200,
    );
    expect((await webhook()).enabled).toBe(true);
    await put({ events: ['tool.failed'] });
  });

  it('is changed by the first of two people who read it, and the second is told', async () => {
    const path = `/v1/webhooks/${webhookId}`;
    const { headers, body } = expectStatus(await admin.get(path), 200);
    expect(headers.etag).toBe(body.etag);
    const asRead = { 'if-match': String(body.etag) };
    const wanted = settings({ events: ['tool.failed'], description: 'the first' });
    const first = expectStatus(await admin.put(path, wanted, asRead), 200);
    expect(first.headers.etag).not.toBe(body.etag);
    const second = await admin.put(path, settings({ events: ['tool.failed'], description: 'the second' }), asRead);
    expect(expectStatus(second, 412).body.code).toBe('request.if_match_failed');
    expect(expectStatus(await admin.put(path, wanted), 428).body.code).toBe('request.if_match_required');
    expect(await webhook()).toMatchObject({ description: 'the first', etag: first.headers.etag });
  });

  it('is removed at once, with its secrets and its log', async () => {
    const { id } = await tested();
    await until(async () => (await delivery(id)).state === 'delivered');
    expectStatus(await admin.delete(`/v1/webhooks/${webhookId}`), 204);
    for (const path of ['', '/deliveries', `/deliveries/${id}`])
      expectStatus(await admin.get(`/v1/webhooks/${webhookId}${path}`), 404);
    const { rows } = await api.db.owner.query(
      'select (select count(*) from webhook_secret)::int + (select count(*) from log_follower)::int as rest',
    );
    expect(rows).toEqual([{ rest: 0 }]);
  });
});
