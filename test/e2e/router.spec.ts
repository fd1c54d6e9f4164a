import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { pino } from 'pino';
import {
  createCellMap,
  createServedTenants,
  openCellMap,
  type CellMap,
  type OpenCellMap,
  type Served,
} from '#lib/cell-map';
import { DatabaseHosts, PgNotifications } from '#lib/database';
import { spellToken, TOKEN_BYTES } from '#lib/identity';
import { newId, type TenantId } from '#lib/kernel';
import { Metrics } from '#lib/operation';
import { createRouter, type Router } from '../../apps/router/src/create-router.js';
import { CurrentCells } from '../../apps/router/src/current-cells.js';
import { KeptMap } from '../../apps/router/src/kept-map.js';
import { routerProgram } from '../../apps/router/src/router-program.js';
import { RouterMetrics } from '../../apps/router/src/router-metrics.js';
import { CHANNEL } from '../../libs/registry/cell-map/src/adapters/sql-cell-map-schema.js';
import { expectStatus, testApi, type TestApi, type TestTenant } from '../support/api.js';
import { testServer } from '../support/database.js';
import { acceptInvitation, OWN_PAGE, browserSessionCookieOf } from '../support/passkey-accounts.js';
import { SocketClient } from '../support/session-socket.js';
import { until } from '../support/until.js';

const serving =
  (tenants: Served['tenants'], teams: Served['teams'] = []): (() => Promise<Served>) =>
  () =>
    Promise.resolve({ tenants, teams });

/** Fills the map with tenants that a test gives. */
const fillMap = async (filled: OpenCellMap, cell: string, read: () => Promise<Served>) => {
  const tenants = { read, watch: () => () => Promise.resolve() };
  const { served: _, ...changes } = await createCellMap({ map: filled, tenants }).fillMap.execute(cell, '');
  return changes;
};

/** An installation behind the router. */
interface CellUnderTest {
  readonly api: TestApi;
  readonly tenant: TestTenant;
  readonly url: string;
  /** The requests that reached it, as `METHOD path`. */
  readonly reached: string[];
  readonly forwarded: string[];
}

let one: CellUnderTest;
let two: CellUnderTest;
let map: OpenCellMap;
let running: Router;
let stop: () => Promise<void>;
let address: string;
/** Of the map's database. */
let mapUrl: URL;
const data = mkdtempSync(join(tmpdir(), 'countersign-router-'));
const around = {
  kept: new KeptMap(join(data, 'router-map.json')),
  ...{ mostAgeMs: 3_600_000, now: Date.now, onError: () => undefined },
};

async function startCell(slug: string): Promise<CellUnderTest> {
  const api = await testApi({ config: { trustedProxies: ['127.0.0.1'] } });
  const tenant = await api.tenant(slug);
  await api.app.listen(0, '127.0.0.1');
  const server = api.app.getHttpServer();
  const reached: string[] = [];
  const forwarded: string[] = [];
  for (const event of ['request', 'upgrade'])
    server.on(event, ({ method, url, headers }: { method: string; url: string; headers: Record<string, string> }) => {
      reached.push(`${method} ${url.split('?')[0] ?? ''}`);
      forwarded.push(headers['x-forwarded-for'] ?? '');
    });
  return { api, tenant, url: urlOf(server), reached, forwarded };
}

const urlOf = (server: Server): string => `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;

beforeAll(async () => {
  [one, two] = await Promise.all([startCell('first'), startCell('second')]);
  const postgres = await testServer();
  const database = `router_${randomBytes(6).toString('hex')}`;
  const admin = new Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query(`create database ${database}`);
  await admin.end();
  mapUrl = new URL(postgres.adminUrl);
  mapUrl.pathname = `/${database}`;
  process.env.COUNTERSIGN_ROUTER_DATABASE_URL = mapUrl.href;
  map = await openCellMap({ url: mapUrl.href }, () => undefined);
  await map.putCell('one', one.url);
  await map.putCell('two', two.url);
  const { tenants, teams } = await createServedTenants().read(two.api.db.adminUrl);
  expect(await map.place('two', tenants, teams)).toEqual({ ok: true, value: 1 });
  await map.place('two', [], [{ appId: 'A2', teamId: 'T2', tenantId: two.tenant.id }]);
  const hosts = new DatabaseHosts([mapUrl.href]);
  const notifications = new PgNotifications(hosts, () => undefined);
  // Without the look that needs none, so that a change arrives by its notification or not at all.
  const told: Pick<CellMap, 'read' | 'watch'> = {
    read: () => map.read(),
    watch: (changed) => notifications.subscribe(CHANNEL, changed),
  };
  const opened = await CurrentCells.open(told, around);
  stop = async () => {
    opened.stop();
    await notifications.close();
  };
  running = createRouter(
    {
      ...{ trustedProxies: [], bodyBytes: 65_536, answerTimeoutMs: 30_000 },
      bodies: { bytes: 100_000, atOnce: 3, share: 1, withinMs: 60_000 },
    },
    {
      cells: opened.cells,
      metrics: new RouterMetrics(new Metrics({ collectProcess: false })),
      ...{ log: pino({ level: 'silent' }), now: Date.now },
    },
  );
  running.server.listen(0, '127.0.0.1');
  await once(running.server, 'listening');
  address = urlOf(running.server);
}, 60_000);
afterAll(async () => {
  delete process.env.COUNTERSIGN_ROUTER_DATABASE_URL;
  await running.close();
  await stop();
  await map.close();
  await Promise.all([one.api.close(), two.api.close()]);
  rmSync(data, { recursive: true, force: true });
});
beforeEach(() => {
  for (const { reached, forwarded } of [one, two]) for (const list of [reached, forwarded]) list.length = 0;
});

/** Runs `countersign-router` with these words. @returns its output. */
async function router(...words: readonly string[]): Promise<string> {
  let printed = '';
  const program = routerProgram({
    out: (text) => (printed += text),
    err: (text) => {
      throw new Error(text);
    },
  });
  await program.parseAsync(words, { from: 'user' });
  return printed;
}

const refused = async (...words: readonly string[]): Promise<string> => {
  const error: unknown = await router(...words).catch((thrown: unknown) => thrown);
  process.exitCode = 0;
  return error instanceof Error ? error.message : '';
};

const ask = (path: string, init: RequestInit = {}): Promise<Response> => fetch(`${address}${path}`, init);
const bearer = (token: string) => ({ authorization: `Bearer ${token}` });
const post = (path: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> =>
  ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

describe('a router before two cells', () => {
  it('sends a token to the cell of its tenant, with the address of the caller', async () => {
    for (const { tenant, reached, forwarded } of [one, two]) {
      const answer = await ask('/v1/me', { headers: { ...bearer(tenant.admin.token), 'x-forwarded-for': '6.6.6.6' } });
      expect([answer.status, ((await answer.json()) as { tenant_id: string }).tenant_id]).toEqual([200, tenant.id]);
      expect([reached, forwarded]).toEqual([['GET /v1/me'], ['127.0.0.1']]);
    }
  });

  it('answers a token with an unknown hint as an unknown token', async () => {
    const unknown = [newId<TenantId>(), one.tenant.id, two.tenant.id].map((id) =>
      spellToken('agent', randomBytes(TOKEN_BYTES), id),
    );
    const answers = await Promise.all(
      unknown.map(async (token) => {
        const answer = await ask('/v1/me', { headers: bearer(token) });
        return [answer.status, { ...((await answer.json()) as object), instance: null }];
      }),
    );
    expect(answers[0]).toEqual([401, expect.objectContaining({ code: 'credential.unknown' })]);
    expect([answers[1], answers[2]]).toEqual([answers[0], answers[0]]);
  });

  it('lets a person of the other cell in by an invitation, and again by a passkey', async () => {
    const admin = two.api.http(two.tenant.admin.token);
    const added = await admin.post('/v1/people', { email: 'mia@example.com', display_name: 'Mia' });
    const { id } = expectStatus(added, 201).body as { id: string };
    const issued = expectStatus(await admin.post(`/v1/people/${id}/enrolment`), 201).body as {
      enrolment_token: string;
    };
    const through = { http: () => ({ post: sent }) } as unknown as TestApi; // all that acceptInvitation takes of it
    const { answer, holder } = await acceptInvitation(through, issued.enrolment_token);
    expect([answer.status, two.reached]).toEqual([
      201,
      ['POST /v1/enrolment/passkey/options', 'POST /v1/enrolment/passkey'],
    ]);
    const challenged = await post('/v1/sign-in/passkey/options?tenant=second', {});
    const { options } = (await challenged.json()) as { options: { challenge: string } };
    const assertion = holder.authenticator.assert(options.challenge) as { response: object };
    const signed = await post(
      '/v1/sign-in/passkey?tenant=second',
      { assertion: { ...assertion, response: { ...assertion.response, userHandle: holder.userHandle } } },
      OWN_PAGE,
    );
    expect(signed.status).toBe(204);
    const cookie = (signed.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
    const current = await ask('/v1/browser-sessions/current', { headers: { cookie } });
    expect(await current.json()).toMatchObject({ signed_in: true, person: { display_name: 'Mia' } });
    expect(browserSessionCookieOf(answer)).toContain('__Host-countersign=cs_s_');
    expect(one.reached).toEqual([]);
  });

  it('streams events as they come', async () => {
    const gone = new AbortController();
    const response = await ask('/v1/events', {
      headers: { ...bearer(two.tenant.admin.token), accept: 'text/event-stream' },
      signal: gone.signal,
    });
    const reader = (response.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(new TextDecoder().decode(value)).not.toBe('');
    gone.abort();
    await expect(reader.read()).rejects.toThrow('aborted');
  });

  it('joins a socket of a session', async () => {
    const { api, tenant } = two;
    const bot = await api.agent(tenant, tenant.admin);
    const session = expectStatus(await api.http(bot.token).post('/v1/sessions', { environment: 'development' }), 201);
    const { id } = session.body as { id: string };
    const client = await SocketClient.open(`${address}/v1/sessions/${id}/ws`, bearer(bot.token));
    client.send({ type: 'nonsense' });
    expect(await client.next('error')).toMatchObject({ type: 'error' });
    client.close();
  });

  it('passes refusals of a socket on', async () => {
    const path = `${address}/v1/sessions/${newId()}/ws`;
    expect(await SocketClient.refusal(path, bearer(two.tenant.admin.token))).toEqual([404, 'resource.not_found']);
    expect(await SocketClient.refusal(path, {})).toEqual([401, 'credential.missing']);
    expect([one.reached.length, two.reached.length]).toEqual([1, 1]);
  });

  it.each([
    ['its cell', '/v1/me'],
    ['the router', 'http://example.com/'],
  ])(
    'ends the connection of a request for another protocol that %s refuses, though the caller keeps it open',
    async (_who, target) => {
      const [accepted, client] = [
        once(running.server, 'connection') as Promise<[Socket]>,
        connect({ host: '127.0.0.1', port: Number(new URL(address).port), allowHalfOpen: true }),
      ];
      const [socket] = await accepted;
      const closed = once(socket, 'close');
      client.write(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: other\r\n\r\n`);
      const answered = await text(client);
      expect(answered).toMatch(/^HTTP\/1\.1 4\d\d /);
      await closed;
      client.destroy();
    },
  );

  it('sends requests of Slack to the cell of the workspace', async () => {
    const command = (app: string, team: string) =>
      ask('/slack/commands', { method: 'POST', body: new URLSearchParams({ api_app_id: app, team_id: team }) });
    expect([(await command('A2', 'T2')).status, (await command('A2', 'T9')).status]).toEqual([401, 401]);
    expect([one.reached, two.reached]).toEqual([['POST /slack/commands'], ['POST /slack/commands']]);
  });

  it('tells the keys of all cells', async () => {
    const keys = async (url: string) =>
      ((await (await fetch(`${url}/.well-known/jwks.json`)).json()) as { keys: { kid: string }[] }).keys.map(
        ({ kid }) => kid,
      );
    const [first, second, union] = [await keys(one.url), await keys(two.url), await keys(address)];
    expect(first).not.toEqual(second);
    expect(union.sort()).toEqual([...first, ...second].sort());
  });

  it.each([
    [
      'an address of another server',
      'GET http://example.com/v1/me HTTP/1.1\r\nHost: x\r\n\r\n',
      400,
      'router.wrong_target',
    ],
    ['no path', 'OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n', 400, 'router.wrong_target'],
    [
      'two credentials',
      'GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n',
      400,
      'router.header_twice',
    ],
    [
      'two lengths',
      'POST /v1/enrolment HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx',
      400,
      'HTTP/1.1 400',
    ],
    [
      'a length and chunks',
      'POST /v1/tasks HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'HTTP/1.1 400',
    ],
    [
      'a body beyond the bound',
      `POST /v1/enrolment HTTP/1.1\r\nHost: x\r\nContent-Length: 65537\r\n\r\n`,
      413,
      'request.too_large',
    ],
  ])('refuses %s', async (_name, request, status, code) => {
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.end(request);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${String(status)}`);
    expect(text).toContain(code);
    expect([one.reached, two.reached]).toEqual([[], []]);
  });

  it('follows a switch as soon as it is told of it, and ends the streams of the tenant', async () => {
    const credential = bearer(two.tenant.admin.token);
    const status = async () => (await ask('/v1/me', { headers: credential })).status;
    const stream = await ask('/v1/events', { headers: { ...credential, accept: 'text/event-stream' } });
    const ended = stream.text().then(
      () => 'ended',
      () => 'ended',
    );
    await router('switch', two.tenant.id, 'one');
    await until(async () => (await status()) === 401);
    expect(await ended).toBe('ended');
    await router('switch', two.tenant.id, 'two');
    await until(async () => (await status()) === 200);
  });

  it('has its map shown and changed by commands, which refuse with a code', async () => {
    const shown = JSON.parse(await router('map')) as { cells: object[]; tenants: object[] };
    expect(shown.cells).toContainEqual({ name: 'one', url: one.url, default: true });
    expect(shown.tenants).toEqual([{ id: two.tenant.id, slug: 'second', host: null, cell: 'two' }]);
    await router('cell', 'put', 'three', 'http://127.0.0.1:9');
    await router('cell', 'remove', 'three');
    await map.place('two', [], [{ appId: 'A4', teamId: 'T4', tenantId: two.tenant.id }]);
    const workspaces = async () => (JSON.parse(await router('map')) as { workspaces: object[] }).workspaces;
    const left = { app_id: 'A2', workspace_id: 'T2', tenant_id: two.tenant.id };
    expect(await workspaces()).toEqual([left, { app_id: 'A4', workspace_id: 'T4', tenant_id: two.tenant.id }]);
    expect(await router('slack', 'remove', 'A4', 'T4')).toBe('The Slack workspace T4 is no longer in the map.\n');
    expect(await workspaces()).toEqual([left]);
    for (const [code, ...words] of [
      ['cell_map.unknown_workspace', 'slack', 'remove', 'A4', 'T4'],
      ['cell_map.unknown_cell', 'cell', 'default', 'three'],
      ['cell_map.cell_in_use', 'cell', 'remove', 'two'],
      ['cell_map.wrong_cell', 'cell', 'put', 'four', 'http://user@host'],
      ['cell_map.unknown_tenant', 'switch', newId(), 'one'],
      ['cell_map.wrong_tenant', 'switch', 'acme', 'one'],
      ['cell_map.taken', 'place', 'one', newId(), 'second'],
      ['cell_map.other_cell', 'place', 'one', two.tenant.id, 'second', '--host', 'second.example'],
      ['router.wrong_source', 'fill', 'two', '--from', 'nonsense'],
      ['database.unreachable', 'fill', 'two', '--from', 'postgres://postgres@127.0.0.1:1/countersign'],
    ] as const)
      expect(await refused(...words)).toContain(code);
  });

  it('fills the map but for tenants with a slug that another cell holds, and names those', async () => {
    const [fresh, double] = [newId<TenantId>(), newId<TenantId>()];
    const tenants = [
      { id: double, slug: 'second' },
      { id: fresh, slug: 'fresh' },
    ];
    const filled = await fillMap(map, 'one', serving(tenants));
    expect(filled).toEqual({ added: 1, removed: 0, taken: ['second'] });
    // The default cell's own tenants enter the map, too, by the command.
    expect(await router('fill', 'one', '--from', one.api.db.adminUrl)).toContain('1 of 1 tenants are new');
    expect((await map.tenants()).map(({ slug, cell }) => `${slug} ${cell}`)).toEqual([
      ...['first one', 'fresh one', 'second two'],
    ]);
  });

  it('fills the map by its differences alone, and lets tenants of one cell pass a slug on', async () => {
    const place = jest.spyOn(map, 'place');
    const [former, next] = [newId<TenantId>(), newId<TenantId>()];
    const double = { id: newId<TenantId>(), slug: 'second' };
    const own = { id: one.tenant.id, slug: 'first' };
    const team = { appId: 'A8', teamId: 'T8', tenantId: next };
    const fill = (...tenants: readonly { id: TenantId; slug: string }[]) => {
      place.mockClear();
      return fillMap(map, 'one', serving([own, ...tenants, double], [team]));
    };
    try {
      expect(await fill({ id: former, slug: 'passed' })).toEqual({ added: 1, removed: 0, taken: ['second'] });
      // Ordered by their slugs, the second tenant comes before the one that gives its slug up.
      const passed = [
        { id: next, slug: 'passed' },
        { id: former, slug: 'renamed' },
      ];
      expect(await fill(...passed)).toEqual({ added: 1, removed: 0, taken: ['second'] });
      expect((await map.read()).rows.teams).toContainEqual(team);
      expect(await fill(...passed)).toEqual({ added: 0, removed: 0, taken: ['second'] });
      const teams = [team, { appId: 'A9', teamId: 'T9', tenantId: double.id }];
      expect(await fillMap(map, 'one', serving([own, ...passed, double], teams))).toEqual({
        added: 0,
        removed: 0,
        taken: ['second'],
      });
      expect(await fillMap(map, 'one', serving([own, ...passed], [team]))).toEqual({ added: 0, removed: 0, taken: [] });
      expect(place).not.toHaveBeenCalled();
      for (const tenants of [[own], []])
        await expect(fillMap(map, 'none', serving(tenants))).rejects.toThrow('cell_map.unknown_cell');
    } finally {
      place.mockRestore();
    }
  });

  it('takes workspaces out of the map that a tenant of the cell no longer has, and no others', async () => {
    const own = { id: one.tenant.id, slug: 'first' };
    const teamOf = (teamId: string) => ({ appId: 'A5', teamId, tenantId: own.id });
    const [kept, former] = [teamOf('T5'), teamOf('T6')];
    const theirs = { appId: 'A2', teamId: 'T2', tenantId: two.tenant.id };
    const known = { id: two.tenant.id, slug: 'second' };
    const fill = (...teams: readonly (typeof theirs)[]) => fillMap(map, 'one', serving([own, known], teams));
    expect(await fill(kept, former)).toMatchObject({ removed: 0 });
    // A cell with old rows of a tenant that another cell serves says nothing about its workspaces.
    expect(await fill(kept)).toEqual({ added: 0, removed: 1, taken: [] });
    expect((await map.read()).rows.teams).toEqual(expect.arrayContaining([theirs, kept]));
    expect((await map.read()).rows.teams).not.toContainEqual(former);
    expect(await map.removeTeams('one', [theirs])).toBe(0);
    // Somebody else connects it while the cell is read, and its row came too late for this reading.
    const fresh = teamOf('T7');
    const late = async () => {
      await map.place('one', [], [fresh]);
      return { tenants: [own], teams: [kept] };
    };
    expect(await fillMap(map, 'one', late)).toMatchObject({ removed: 0 });
    expect(await fill(kept)).toMatchObject({ removed: 1 });
    // A tenant that has left the cell, or is leaving it, keeps its workspaces in the map.
    expect(await fillMap(map, 'one', serving([]))).toEqual({ added: 0, removed: 0, taken: [] });
    expect(await router('fill', 'one', '--from', one.api.db.adminUrl)).toContain(
      'Slack workspaces that left the map, since no tenant of one has them any more: 1.',
    );
    expect((await map.read()).rows.teams).not.toContainEqual(kept);
  });

  it('leaves a tenant of another cell and its workspaces as they are, and tells no router if nothing changed', async () => {
    const listener = new Client({ connectionString: mapUrl.href });
    await listener.connect();
    let heard: string[] = [];
    listener.on('notification', ({ payload = '' }) => heard.push(payload));
    await listener.query('listen countersign_cell_map');
    const own = { id: one.tenant.id, slug: 'first' };
    const theirs = { id: two.tenant.id, slug: 'restored', host: 'restored.example' };
    const before = (await map.read()).rows;
    expect(before.teams).toContainEqual({ appId: 'A2', teamId: 'T2', tenantId: two.tenant.id });
    for (const tenantId of [own.id, theirs.id])
      expect(
        await map.place(
          'one',
          [own, theirs],
          [
            { appId: 'A2', teamId: 'T2', tenantId },
            { appId: 'A3', teamId: 'T3', tenantId: theirs.id },
          ],
        ),
      ).toEqual({ ok: true, value: 0 });
    expect((await map.read()).rows).toEqual(before);
    // Notifications come in the order of their commits.
    await listener.query("select pg_notify('countersign_cell_map', 'end')");
    await until(() => heard.includes('end'));
    expect(heard).toEqual(['end']);
    heard = [];
    await map.place('one', [], [{ appId: 'A1', teamId: 'T1', tenantId: own.id }]);
    await until(() => heard.length > 0);
    expect((await map.read()).rows.teams).toContainEqual({ appId: 'A1', teamId: 'T1', tenantId: own.id });
    await listener.end();
  });

  it('reads bodies for their tenant within a bound for all of them', async () => {
    /** Sends so much of a body, and no more. */
    const begin = (bytes: number) => {
      const sending = httpRequest(`${address}/slack/events`, { method: 'POST', headers: { 'content-length': 65_536 } });
      sending.on('error', () => undefined);
      sending.write(Buffer.alloc(bytes));
      return {
        status: async () => ((await once(sending, 'response')) as IncomingMessage[])[0]?.statusCode,
        end: () => sending.destroy(),
      };
    };
    const held = [begin(60_000)];
    // 100,000 bytes are the most: the second one exceeds them.
    expect(await begin(60_000).status()).toBe(503);
    held.push(begin(1), begin(1));
    const busy = async () => {
      const answer = await post('/slack/events', {});
      return [answer.status, ((await answer.json()) as { code: string }).code, answer.headers.get('retry-after')];
    };
    await until(async () => (await busy())[0] === 503);
    expect(await busy()).toEqual([503, 'router.busy', '1']);
    expect((await ask('/v1/me', { headers: bearer(one.tenant.admin.token) })).status).toBe(200);
    for (const each of held) each.end();
    await until(async () => (await busy())[0] === 401);
  });

  it('goes on with its last reading while the map is away, up to an age', async () => {
    let later = 0;
    const away = { read: () => Promise.reject(new Error('away')), watch: () => () => undefined };
    const clock = { ...around, now: () => Date.now() + later };
    const { cells } = await CurrentCells.open(away, clock);
    expect([cells.find({ by: 'slug', slug: 'second' })?.name, cells.tooOld]).toEqual(['two', false]);
    later = around.mostAgeMs + 60_000;
    expect(cells.tooOld).toBe(true);
    await expect(CurrentCells.open(away, clock)).rejects.toThrow('away');
    const old = createRouter(
      { trustedProxies: [], bodyBytes: 65_536, answerTimeoutMs: 30_000 },
      {
        cells,
        metrics: new RouterMetrics(new Metrics({ collectProcess: false })),
        ...{ log: pino({ level: 'silent' }), now: Date.now },
      },
    );
    old.server.listen(0, '127.0.0.1');
    await once(old.server, 'listening');
    const answers = await Promise.all(
      ['/v1/me', '/health/ready', '/health/live'].map(async (path) => {
        const answer = await fetch(`${urlOf(old.server)}${path}`);
        return [answer.status, ((await answer.json()) as { code?: string }).code ?? null];
      }),
    );
    expect(answers).toEqual([
      [503, 'router.map_too_old'],
      [503, 'router.map_too_old'],
      [200, null],
    ]);
    await old.close();
  });

  it('finds the host that answers among those of the map, and starts while none does', async () => {
    const dead = createServer().listen(0, '127.0.0.1');
    await once(dead, 'listening');
    const { port } = dead.address() as AddressInfo;
    await new Promise((resolve) => dead.close(resolve));
    const { username, password, host, pathname } = mapUrl;
    const login = `postgres://${username}:${password}@`;
    const both = await openCellMap({ url: `${login}127.0.0.1:${String(port)},${host}${pathname}` }, () => undefined);
    expect((await both.read()).all.map(({ name }) => name)).toEqual(['one', 'two']);
    await both.close();
    const none = await openCellMap({ url: `${login}127.0.0.1:${String(port)}${pathname}` }, () => undefined);
    await expect(none.read()).rejects.toThrow('ECONNREFUSED');
    await none.close();
  });

  it('says of a cell that is down that it is, to its tenants alone, and keeps its keys', async () => {
    const before = await (await ask('/.well-known/jwks.json')).json();
    await map.putCell('two', 'http://127.0.0.1:9');
    const answer = async (tenant: TestTenant) => ask('/v1/me', { headers: bearer(tenant.admin.token) });
    await until(async () => (await answer(two.tenant)).status === 503);
    const refused = await answer(two.tenant);
    expect([refused.headers.get('retry-after'), await refused.json()]).toEqual([
      '5',
      expect.objectContaining({ code: 'router.cell_unavailable', status: 503 }),
    ]);
    expect(await SocketClient.refusal(`${address}/v1/sessions/${newId()}/ws`, bearer(two.tenant.admin.token))).toEqual([
      503,
      'router.cell_unavailable',
    ]);
    expect((await answer(one.tenant)).status).toBe(200);
    expect(await (await ask('/.well-known/jwks.json')).json()).toEqual(before);
    await map.putCell('two', two.url);
    await until(async () => (await answer(two.tenant)).status === 200);
  });
});

/** As the helpers of passkeys ask, but through the router. */
async function sent(path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await post(path, body, headers);
  const text = await response.text();
  return {
    status: response.status,
    headers: { 'set-cookie': response.headers.get('set-cookie') ?? undefined },
    body: text === '' ? undefined : (JSON.parse(text) as unknown),
    text,
  };
}
