import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { putCurrent } from '../support/put-current.js';
import { testCollector, type TestCollector } from '../support/siem-collector.js';
import { TEST_AUTHORITY } from '../support/test-authority.js';
import { until } from '../support/until.js';
import { workerOf } from '../support/worker.js';

jest.setTimeout(60_000);

let api: TestApi;
let tenant: TestTenant;
let admin: HttpAs;
let collector: TestCollector;
let worker: { stop(): Promise<void> };

const settings = (more: object = {}) => ({ url: collector.url, ca: TEST_AUTHORITY, ...more });
const shown = async (): Promise<Record<string, unknown>> =>
  expectStatus(await admin.get('/v1/siem-collector'), 200).body as Record<string, unknown>;
const setToken = async (token: string | null): Promise<void> => {
  const { etag } = expectStatus(await admin.get('/v1/siem-collector'), 200).headers;
  expectStatus(await admin.put('/v1/siem-collector/token', { token }, { 'if-match': etag ?? '' }), 204);
};

interface Line {
  readonly metadata: { readonly uid: string };
  readonly api: { readonly operation: string };
}
const operations = (): readonly string[] => collector.taken.map((line) => (JSON.parse(line) as Line).api.operation);
const uids = (): readonly string[] => collector.taken.map((line) => (JSON.parse(line) as Line).metadata.uid);

/** A change of which an event tells. */
const environment = async (name: string): Promise<void> => {
  expectStatus(await admin.post('/v1/environments', { name, production: false }), 201);
};

/** Until it is so; the waits after failures pass at once. */
const hastened = (ask: () => boolean): Promise<boolean> =>
  until(async () => {
    await api.db.owner.query('update log_follower set not_before = now() where tenant_id = $1', [tenant.id]);
    return ask();
  });

beforeAll(async () => {
  collector = await testCollector();
  api = await testApi({ config: { allowedPrivateHosts: [new URL(collector.url).host] } });
  worker = await workerOf(api);
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
}, 60_000);
afterAll(async () => {
  await worker.stop();
  await api.close();
  await collector.close();
});

describe('the SIEM collector of a workspace', () => {
  it('is at an https address that the operator allows alone (T31)', async () => {
    for (const url of ['https://127.0.0.1:1/in', 'http://siem.example.com/in', 'https://siem.example.com/in?token=1'])
      expect(expectStatus(await admin.put('/v1/siem-collector', settings({ url })), 422).body.code).toBe(
        'siem.address_not_allowed',
      );
    expectStatus(await admin.get('/v1/siem-collector'), 404);
  });

  it('gets no event before it has the token, shows why, and then gets each in order', async () => {
    expectStatus(await admin.put('/v1/siem-collector', settings()), 200);
    await environment('lab-one');
    await until(async () => (await shown()).error !== null);
    expect(await shown()).toMatchObject({ has_token: false, sent_at: null, error: 'It answered 401.' });
    await setToken(collector.token);
    await hastened(() => operations().includes('guardrail.environment_created'));
    const order = operations();
    expect(order.indexOf('guardrail.siem_collector_added')).toBeLessThan(
      order.indexOf('guardrail.environment_created'),
    );
    expect(new Set(uids()).size).toBe(uids().length);
    // Its success is recorded after the last line has left.
    await until(async () => (await shown()).error === null);
    expect(await shown()).toMatchObject({ has_token: true });
    expect(collector.taken.join()).not.toContain(collector.token);
  });

  it('loses nothing while the collector fails, follows no redirect (T31), and tells admins once', async () => {
    const before = uids().length;
    collector.answers = { status: 307, headers: { location: 'https://127.0.0.1:1/elsewhere' } };
    await environment('lab-two');
    await environment('lab-three');
    await until(async () => (await shown()).error === 'It answered 307.');
    expect(uids()).toHaveLength(before);
    const told = async (): Promise<number> =>
      (
        await api.db.owner.query(
          `select from outbox_message where tenant_id = $1 and topic = 'log.follower_failing' and cause_id is null`,
          [tenant.id],
        )
      ).rows.length;
    await api.db.owner.query('update log_follower set failures = 7, not_before = now() where tenant_id = $1', [
      tenant.id,
    ]);
    await until(async () => (await told()) === 1);
    const requests = collector.requests();
    await hastened(() => collector.requests() > requests);
    expect(await told()).toBe(1);
    collector.answers = { status: 200, headers: {} };
    await hastened(() => uids().length >= before + 2);
    expect(new Set(uids()).size).toBe(uids().length);
  });

  it('is tried at once after another authority and at another address, from where it was', async () => {
    const heldUp = async (name: string): Promise<void> => {
      collector.answers = { status: 503, headers: {} };
      await environment(name);
      await until(async () => {
        const { rows } = await api.db.owner.query(
          `update log_follower set not_before = now() + interval '10 minutes' where tenant_id = $1 and failures > 0 returning 1`,
          [tenant.id],
        );
        return rows.length > 0;
      });
      collector.answers = { status: 200, headers: {} };
    };
    await heldUp('held-up-one');
    const before = operations().length;
    expectStatus(await putCurrent(admin, '/v1/siem-collector', settings({ ca: `${TEST_AUTHORITY}\n` })), 200);
    await until(() => operations().slice(before).includes('guardrail.siem_collector_changed'));
    expect(operations()[before]).toBe('guardrail.environment_created');
    await heldUp('held-up-two');
    const later = operations().length;
    expectStatus(await putCurrent(admin, '/v1/siem-collector', settings({ url: `${collector.url}/three` })), 200);
    await until(async () => (await shown()).error === 'It answered 401.');
    await setToken(collector.token);
    await until(() => operations().slice(later).includes('guardrail.siem_collector_changed'));
    expect(operations()[later]).toBe('guardrail.environment_created');
    expect(new Set(uids()).size).toBe(uids().length);
    expectStatus(await putCurrent(admin, '/v1/siem-collector', settings()), 200);
    await setToken(collector.token);
  });

  it('is changed by a person who read it as it is alone', async () => {
    const change = settings({ url: `${collector.url}/other` });
    const put = (ifMatch: Readonly<Record<string, string>>) => admin.put('/v1/siem-collector', change, ifMatch);
    expect(expectStatus(await put({}), 428).body.code).toBe('request.if_match_required');
    expect(expectStatus(await put({ 'if-match': '"another"' }), 412).body.code).toBe('request.if_match_failed');
    expect(await shown()).toMatchObject({ url: collector.url, has_token: true });
    const { etag } = expectStatus(await admin.get('/v1/siem-collector'), 200).headers;
    expect((await shown()).etag).toBe(etag);
    const again = expectStatus(await admin.put('/v1/siem-collector', settings(), { 'if-match': etag ?? '' }), 200);
    expect([again.headers.etag, again.body.etag]).toEqual([etag, etag]);
  });

  it('T32: gets no token of a former address, or meant for it, and nothing once it was removed', async () => {
    const { etag } = expectStatus(await admin.get('/v1/siem-collector'), 200).headers;
    expectStatus(await putCurrent(admin, '/v1/siem-collector', settings({ url: `${collector.url}/two` })), 200);
    expect(await shown()).toMatchObject({ has_token: false });
    const give = (ifMatch: Readonly<Record<string, string>>) =>
      admin.put('/v1/siem-collector/token', { token: 'token-of-one' }, ifMatch);
    expect(expectStatus(await give({}), 428).body.code).toBe('request.if_match_required');
    expect(expectStatus(await give({ 'if-match': etag ?? '' }), 412).body.code).toBe('request.if_match_failed');
    expect(await shown()).toMatchObject({ has_token: false });
    expectStatus(await admin.delete('/v1/siem-collector'), 204);
    expectStatus(await admin.get('/v1/siem-collector'), 404);
    expectStatus(await admin.put('/v1/siem-collector', settings(), { 'if-match': '"any"' }), 412);
    const { rows } = await api.db.owner.query('select from log_follower where tenant_id = $1', [tenant.id]);
    expect(rows).toHaveLength(0);
  });
});
