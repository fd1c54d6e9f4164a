import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { newId, ok } from '#lib/kernel';
import { ReadRuns } from '#lib/run';
import { expectStatus, testApi, type Answer, type TestApi, type TestTenant } from '../support/api.js';
import { registerIssuer, TestBrowser, testIssuer, type TestIssuer } from '../support/issuer.js';
import { until } from '../support/until.js';

const LIMITS = {
  requestsPerMinute: 60,
  requestBurst: 40,
  tenantRequestsPerMinute: 120,
  tenantRequestBurst: 100,
  tokensPerHolder: 6,
  streamsPerHolder: 3,
  streamsPerTenant: 5,
};

let api: TestApi;
let origin: string;
let issuer: TestIssuer;

beforeAll(async () => {
  // oidc-provider warns developers on the console of its limits.
  jest.spyOn(console, 'warn').mockImplementation(() => undefined);
  jest.spyOn(console, 'info').mockImplementation(() => undefined);
  issuer = await testIssuer([{ sub: 'olga', groups: ['sre-leads'] }]);
  api = await testApi({ config: { ...LIMITS, allowedPrivateHosts: [issuer.host] } });
  await api.app.listen(0, '127.0.0.1');
  origin = `http://127.0.0.1:${String((api.app.getHttpServer().address() as AddressInfo).port)}`;
});
afterAll(async () => {
  await issuer.close();
  await api.close();
});

const count = (answers: readonly Answer[], status: number): number =>
  answers.filter((answer) => answer.status === status).length;
const codes = (answers: readonly Answer[]): string[] => [
  ...new Set(answers.filter(({ status }) => status === 429).map(({ body }) => (body as { code: string }).code)),
];

describe('T47: one holder with many tokens', () => {
  it('has one budget for all of them, and another person of the tenant has their own', async () => {
    const tenant = await api.tenant();
    const other = await api.person(tenant);
    const tokens = [tenant.admin.token];
    for (let made = 0; made < 3; made += 1) tokens.push(await api.token(tenant.admin, 'read'));
    const before = performance.now();
    const answers = await Promise.all(
      tokens.flatMap((token) => [...Array(40)].map(() => api.http(token).get('/v1/me'))),
    );
    const refilled = Math.ceil((performance.now() - before) / 1_000) + 1;
    expect(count(answers, 200)).toBeLessThanOrEqual(LIMITS.requestBurst + refilled);
    expect(codes(answers)).toEqual(['request.rate_limited']);
    expectStatus(await api.http(other.token).get('/v1/me'), 200);
  });

  it('shares the budget of the tenant with everybody in it; halts go through, and another tenant is served', async () => {
    const [tenant, another] = [await api.tenant(), await api.tenant()];
    const people = [tenant.admin, await api.person(tenant), await api.person(tenant), await api.person(tenant)];
    const before = performance.now();
    const answers = await Promise.all(
      people.flatMap(({ token }) => [...Array(60)].map(() => api.http(token).get('/v1/me'))),
    );
    const refilled = 2 * (Math.ceil((performance.now() - before) / 1_000) + 1);
    expect(count(answers, 200)).toBeLessThanOrEqual(LIMITS.tenantRequestBurst + refilled);
    expect(codes(answers)).toContain('request.tenant_rate_limited');
    const halted = await api.http(tenant.admin.token).post('/v1/halts', { kind: 'tenant', reason: 'it floods us' });
    expectStatus(halted, 201);
    expectStatus(await api.http(another.admin.token).get('/v1/me'), 200);
  });

  it('holds so many and no more, also if they are asked for at once, and agents likewise', async () => {
    const tenant = await api.tenant();
    const admin = api.http(tenant.admin.token);
    const agent = await api.agent(tenant, tenant.admin);
    for (const path of ['/v1/tokens', `/v1/agents/${agent.id}/tokens`]) {
      const answers = await Promise.all([...Array(8)].map(() => admin.post(path, { name: 'another' })));
      // Each held one before: the admin's own, and the agent's.
      expect([path, count(answers, 201)]).toEqual([path, LIMITS.tokensPerHolder - 1]);
      const refused = answers.find(({ status }) => status !== 201);
      expect([refused?.status, refused?.body.code]).toEqual([409, 'credential.too_many_tokens']);
    }
  });

  it('is not given more by revoking and minting all day', async () => {
    const tenant = await api.tenant();
    const person = await api.person(tenant);
    await api.db.owner.query(
      `insert into credential (tenant_id, id, kind, person_id, name, prefix, token_digest, scopes, created_at, created_by, expires_at, revoked_at, seal)
       select tenant_id, gen_random_uuid(), kind, person_id, name, prefix, sha256(gen_random_uuid()::text::bytea), scopes,
         clock_timestamp() - interval '1 minute', created_by, expires_at, clock_timestamp(), seal
         from credential, generate_series(1, $2) where person_id = $1 and kind = 'person_token'`,
      [person.id, 4 * LIMITS.tokensPerHolder],
    );
    const { status, body } = await api.http(person.token).post('/v1/tokens', { name: 'another' });
    expect([status, body.code]).toEqual([429, 'credential.too_many_made']);
  });
});

describe('T47: one holder with many event streams', () => {
  const stream = (token: string, path = '/v1/events'): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, accept: 'text/event-stream' };
      get(`${origin}${path}`, { agent: false, headers }, resolve).once('error', reject);
    });
  const streams = (token: string, most: number): Promise<IncomingMessage[]> =>
    Promise.all(Array.from({ length: most }, () => stream(token)));
  const open = (answers: readonly IncomingMessage[]): IncomingMessage[] =>
    answers.filter(({ statusCode }) => statusCode === 200);
  const refusal = async (answers: readonly IncomingMessage[]): Promise<unknown> => {
    const refused = answers.find(({ statusCode }) => statusCode !== 200);
    if (refused === undefined) return null;
    const problem = (await json(refused)) as { code: string };
    return [refused.statusCode, problem.code, Number(refused.headers['retry-after']) > 0];
  };
  const close = (answers: readonly IncomingMessage[]): void => {
    for (const answer of answers) answer.destroy();
  };

  it('has so many at once, over all tokens, and the tenant so many; one that ends makes room for another', async () => {
    const tenant: TestTenant = await api.tenant();
    const second = await api.token(tenant.admin, 'read');
    const first = await streams(tenant.admin.token, 2);
    const more = await streams(second, 3);
    expect(open([...first, ...more])).toHaveLength(LIMITS.streamsPerHolder);
    expect(await refusal(more)).toEqual([429, 'events.too_many_streams', true]);

    const other = await api.person(tenant);
    const theirs = await streams(other.token, 3);
    expect(open(theirs)).toHaveLength(LIMITS.streamsPerTenant - LIMITS.streamsPerHolder);
    expect(await refusal(theirs)).toEqual([429, 'events.too_many_tenant_streams', true]);

    close([...first, ...more, ...theirs]);
    await until(async () => {
      const again = await streams(other.token, 1);
      close(again); // a refusal that nobody reads keeps its connection, and with it the worker of jest
      return open(again).length === 1;
    });
  });

  it('counts a run that is followed', async () => {
    const { admin } = await api.tenant();
    jest.spyOn(ReadRuns.prototype, 'events').mockResolvedValue(ok({ events: [], ended: false }));
    const followed = await stream(admin.token, `/v1/runs/${newId()}/events`);
    const pages = await streams(admin.token, LIMITS.streamsPerHolder);
    expect(open([followed])).toHaveLength(1);
    expect(open(pages)).toHaveLength(LIMITS.streamsPerHolder - 1);
    expect(await refusal(pages)).toEqual([429, 'events.too_many_streams', true]);
    close([followed, ...pages]);
  });
});

describe('T47: somebody unknown who begins one sign-in after another', () => {
  /** Rows of each table of the tenant. */
  const rows = async (tenant: TestTenant): Promise<unknown> => {
    const { rows: tables } = await api.db.owner.query<{ name: string }>(
      `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
        where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
    );
    const counts = tables.map(({ name }) => `(select count(*)::int from ${name} where tenant_id = $1) as ${name}`);
    return (await api.db.owner.query<Record<string, number>>(`select ${counts.join(', ')}`, [tenant.id])).rows[0];
  };

  it('stores nothing, and a good sign-in works beside them', async () => {
    const tenant = await api.tenant();
    await registerIssuer(api, tenant, issuer);
    const before = await rows(tenant);
    const typed = { 'sec-fetch-site': 'none' };
    const answers = await Promise.all(
      [...Array(300)].map(() => api.http().get(`/sign-in?tenant=${tenant.slug}`, typed)),
    );
    expect(count(answers, 303)).toBe(300);
    expect(await rows(tenant)).toEqual(before);
    expectStatus(await new TestBrowser(api).signIn(issuer, tenant, 'olga'), 303);
  });
});
