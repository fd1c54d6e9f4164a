import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client } from 'pg';
import { createCellMap, createServedTenants, openCellMap, type OpenCellMap } from '#lib/cell-map';
import { spellToken, TOKEN_BYTES } from '#lib/identity';
import { newId, type TenantId } from '#lib/kernel';
import { expectStatus, testApi, type TestApi, type TestTenant } from '../support/api.js';
import { countedStatements } from '../support/counted-statements.js';
import { testServer } from '../support/database.js';
import { registerIssuer } from '../support/issuer.js';
import { CHANNELS, localSlack, type LocalSlack } from '../support/local-slack.js';
import { MCP_CLIENT } from '../support/mcp-world.js';
import { publicSite, type PublicSite } from '../support/public-site.js';
import { runningRouter, type RunningRouter } from '../support/running-router.js';
import { installSlack } from '../support/slack-world.js';
import { until } from '../support/until.js';

const WITHIN_MS = 120_000;
/** A second or two, on a machine that does other work besides. Without a notification it would be a minute. */
const SOON_MS = 10_000;

/** An installation behind the router, and the requests that reached it, as `METHOD path`. */
interface CellUnderTest {
  readonly api: TestApi;
  readonly tenant: TestTenant;
  readonly reached: string[];
}

let site: PublicSite;
let address: string;
let through: PublicSite['through'];
let slack: LocalSlack;
let map: OpenCellMap;
let router: RunningRouter;
let one: CellUnderTest;
let two: CellUnderTest;
let stops: (() => Promise<void>)[] = [];

async function startCell(slug: string): Promise<CellUnderTest> {
  const api = await testApi({
    config: {
      ...{ publicUrl: address, trustedProxies: ['127.0.0.1'] },
      ...{ allowedPrivateHosts: [site.issuer.host], slackUrl: slack.url },
    },
  });
  const tenant = await api.tenant(slug);
  await registerIssuer(api, tenant, site.issuer);
  await api.app.listen(0, '127.0.0.1');
  const reached: string[] = [];
  api.app.getHttpServer().on('request', ({ method, url = '' }: IncomingMessage) => {
    reached.push(`${String(method)} ${url.split('?')[0] ?? ''}`);
  });
  return { api, tenant, reached };
}

beforeAll(async () => {
  site = await publicSite();
  ({ address, through } = site);
  slack = await localSlack({ UADA: 'Ada' });
  slack.sendTo(address);
  [one, two] = await Promise.all([startCell('first'), startCell('second')]);
  const postgres = await testServer();
  const database = `router_${randomBytes(6).toString('hex')}`;
  const admin = new Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query(`create database ${database}`);
  await admin.end();
  const mapUrl = new URL(postgres.adminUrl);
  mapUrl.pathname = `/${database}`;
  map = await openCellMap({ url: mapUrl.href }, () => undefined);
  const { followCell } = createCellMap({ map, tenants: createServedTenants() });
  for (const [name, { api }] of Object.entries({ one, two })) {
    await map.putCell(name, await api.app.getUrl());
    const ignore = (): void => undefined;
    const followed = { cell: name, from: api.db.adminUrl, onFilled: ignore, onError: ignore };
    stops.push(await followCell.execute(followed));
  }
  router = await runningRouter(map, { port: site.port });
}, WITHIN_MS);
afterAll(async () => {
  await router.close();
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
  await map.close();
  await Promise.all([one.api.close(), two.api.close()]);
  await Promise.all([site.issuer.close(), slack.close()]);
});
beforeEach(() => {
  for (const { reached } of [one, two]) reached.length = 0;
});

const soon = async (there: () => Promise<boolean>): Promise<void> => {
  const begun = performance.now();
  await until(there);
  expect(performance.now() - begun).toBeLessThan(SOON_MS);
};

describe('the ways into a cell behind a running router', () => {
  it('lead to a tenant as soon as its cell has founded it, also beside the default cell', async () => {
    const { admin, slug } = await two.api.tenant('founded-now');
    await soon(async () => (await through.http(admin.token).get('/v1/me')).status === 200);
    expect((await map.tenants()).find((tenant) => tenant.slug === slug)).toMatchObject({ cell: 'two' });
  });

  it('lead from an issuer by the state, whatever cookie the browser has', async () => {
    const olga = site.browser();
    expectStatus(await olga.signIn(site.issuer, one.tenant, 'olga'), 303);
    expect((await olga.current()).body).toMatchObject({ signed_in: true, tenant: { slug: 'first' } });
    one.reached.length = 0;
    expectStatus(await olga.signIn(site.issuer, two.tenant, 'olga'), 303);
    expect((await olga.current()).body).toMatchObject({ signed_in: true, tenant: { slug: 'second' } });
    expect(one.reached).toEqual([]);
    expect(two.reached.slice(0, 2)).toEqual(['GET /sign-in', `GET /sign-in/callback/${two.tenant.id}/demo`]);
    // A state of no tenant is refused as one that the cell has forgotten.
    const states = [`${newId()}.k1.${'a'.repeat(43)}`, `${one.tenant.id}.k1.${'a'.repeat(43)}`, 'nonsense'];
    const refused = await Promise.all(
      states.map((state) => olga.get(`/sign-in/callback/${one.tenant.id}/demo?state=${state}&code=1`)),
    );
    expect(refused.map(({ status, body }) => [status, (body as { code: string }).code])).toEqual(
      states.map(() => [401, 'sign_in.unknown_return']),
    );
  });

  it.each([
    ['the page of a sign-in', '/welcome?tenant=second'],
    ['the description of an MCP endpoint', '/.well-known/oauth-protected-resource/t/second/mcp'],
    ['the webhook of an automation', `/hooks/second/automations/${newId()}`],
  ])('lead by the slug to %s', async (_what, path) => {
    await through.http().get(path);
    expect([one.reached, two.reached]).toEqual([[], [`GET ${path.split('?')[0] ?? ''}`]]);
  });

  it('lead by a host name of the tenant, which grants nothing', async () => {
    const { id, slug } = two.tenant;
    expect(await map.place('two', [{ id, slug, host: 'second.example' }], [])).toMatchObject({ ok: true });
    const asked = async (token?: string): Promise<number | undefined> => {
      const headers = {
        host: 'second.example:8430',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      };
      const [answer] = (await once(
        httpRequest(`${address}/v1/me`, { headers }).end(),
        'response',
      )) as IncomingMessage[];
      answer?.resume();
      return answer?.statusCode;
    };
    await soon(async () => {
      two.reached.length = 0;
      expect(await asked()).toBe(401);
      return two.reached.length === 1;
    });
    // A credential counts more than a host.
    one.reached.length = 0;
    expect([await asked(one.tenant.admin.token), one.reached]).toEqual([200, ['GET /v1/me']]);
  });

  it('lead from Slack by the state and the workspace, and keep a signed body byte for byte', async () => {
    await installSlack(through, through.http(two.tenant.admin.token), slack);
    expect(two.reached.at(-1)).toBe('GET /slack/oauth/callback');
    await soon(async () => (await slack.command('help', 'UADA', CHANNELS.production)).status === 200);
    const { appId: app, teamId: team } = slack.workspace;
    const command = `text=he%6cp+%7E~&&command=%2fcountersign&user_id=UADA&channel_id=C0&team_id=${team}&api_app_id=${app}`;
    const event = `{ "type":"event_callback",\n "api_app_id" : "${app}", "team_id":"${team}", "event_id": "Ev1", "event": {"type":"x\\u00e9é"} }`;
    one.reached.length = 0;
    for (const signed of [slack.sign('/slack/commands', command), slack.sign('/slack/events', event)]) {
      expect((await slack.send(signed)).status).toBe(200);
      // The same to a form's or a JSON document's reader, and not to a signature.
      const spelled = { ...signed, body: signed.body.replace('%6c', 'l').replace(' : ', ':') };
      expect((await slack.send(spelled)).status).toBe(401);
    }
    expect(one.reached).toEqual([]);
  });

  it('lead an MCP client to its tenant', async () => {
    const bot = await two.api.agent(two.tenant, two.tenant.admin);
    const client = new McpClient(MCP_CLIENT);
    const requestInit = { headers: { authorization: `Bearer ${bot.token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${address}/t/second/mcp`), { requestInit }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('submit_tool_call');
    await client.close();
    expect(one.reached).toEqual([]);
  });

  it('answer an unknown hint as an unknown token: in words, headers, and statements of the same cell', async () => {
    const spelled = (id: TenantId): string => spellToken('agent', randomBytes(TOKEN_BYTES), id);
    const asked = async (id: TenantId) => {
      let answer = await through.http(spelled(id)).get('/v1/me');
      const { statements } = await countedStatements(async () => {
        answer = await through.http(spelled(id)).get('/v1/me');
      });
      const { date: _date, 'x-request-id': _id, ...headers } = answer.headers;
      const { instance: _instance, ...problem } = answer.body as { instance: string };
      const lookUps = statements.filter((text) => text.includes('credential'));
      return { status: answer.status, problem, headers: Object.keys(headers).sort(), lookUps };
    };
    const ofNobody = await asked(newId());
    expect(ofNobody).toMatchObject({ status: 401, problem: { code: 'credential.unknown' } });
    expect(ofNobody.lookUps).toHaveLength(1);
    expect(ofNobody).toEqual(await asked(one.tenant.id));
    expect(one.reached).toHaveLength(4);
    expect(two.reached).toEqual([]);
    // The other cell's answer to an unknown token is no other one.
    expect(await asked(two.tenant.id)).toEqual(ofNobody);
  });
});
