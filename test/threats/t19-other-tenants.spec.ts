import { v7 } from 'uuid';
import { apiRoutes, fillPath, type ApiRoute } from '../support/api-routes.js';
import { testApi, type Answer, type TestApi } from '../support/api.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { populatedTenant, type PopulatedTenant } from '../support/populated-tenant.js';
import { trespasses } from '../support/trespasses.js';
import { advanceRuns } from '../support/worker-process.js';

/** Parameters that are names within a tenant: the same name in two tenants means two things. */
const names = new Set(['name', 'environment', 'number', 'tool']);

let api: TestApi;
let toolServer: Awaited<ReturnType<typeof predictingToolServer>>;
let intruder: PopulatedTenant;
let victim: PopulatedTenant;
let routes: ApiRoute[];

beforeAll(async () => {
  toolServer = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(toolServer.port)}`] } });
  [intruder, victim] = [await populatedTenant(api, toolServer.port), await populatedTenant(api, toolServer.port)];
  await advanceRuns(api);
  // Routes of runners take a runner's own proof: t53-runners.spec.ts has them. Messages are signed: automation-webhook.spec.ts.
  routes = (await apiRoutes(api)).filter(
    ({ parameters, path }) =>
      parameters.some((name) => !names.has(name)) && !path.startsWith('/v1/runner/') && !path.startsWith('/hooks/'),
  );
}, 120_000);
afterAll(async () => {
  await toolServer.close();
  await api.close();
});

function trespass(route: ApiRoute, idOf: (kind: string) => string): Promise<Answer> {
  const { ids, body, headers, query = '' } = trespasses[route.id] ?? { ids: {} };
  const path = fillPath(
    route,
    Object.fromEntries(
      Object.entries(ids).map(([name, kind]) => [name, kind.startsWith('=') ? kind.slice(1) : idOf(kind)]),
    ),
  );
  // Only the request id differs from answer to answer.
  return intruder.everything.send(route.method, path + query, body, {
    ...headers,
    'x-request-id': 'the-same-for-both',
  });
}

const DIGEST = `sha256:${'0'.repeat(64)}`;

const theirs = (kind: string): string => {
  const id = victim.ids[kind];
  if (id === undefined) throw new Error(`there is no id of a ${kind}`);
  return id;
};

const snapshot = async (): Promise<unknown> => {
  const tables = await api.db.owner.query<{ name: string }>(
    `select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id'
      where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace and c.relname <> 'request_budget' order by 1`,
  );
  const contents: Record<string, unknown> = {};
  for (const { name } of tables.rows) {
    const { rows } = await api.db.owner.query(
      `select to_jsonb(t) - 'last_used_at' as row from "${name}" t where tenant_id = $1 order by 1`,
      [victim.tenant.id],
    );
    contents[name] = rows;
  }
  return contents;
};

describe('T19: the ids of another tenant', () => {
  it('are known to this test for every route that takes one', () => {
    expect(routes.map(({ id }) => id).filter((id) => !(id in trespasses))).toEqual([]);
    expect(Object.keys(trespasses).filter((id) => !routes.some((route) => route.id === id))).toEqual([]);
  });

  it('are answered with the bytes of an id that never existed, and change nothing', async () => {
    const before = await snapshot();
    const wrong: string[] = [];
    for (const route of routes) {
      const never = await trespass(route, () => v7());
      const other = await trespass(route, theirs);
      if (other.status !== 404 || other.body.code !== 'resource.not_found')
        wrong.push(`${route.id}: ${String(other.status)} ${other.text}`);
      if (other.text !== never.text || other.status !== never.status)
        wrong.push(`${route.id}: ${other.text} is not ${never.text}`);
      const { date: _one, ...headers } = other.headers;
      const { date: _two, ...expected } = never.headers;
      expect([route.id, headers]).toEqual([route.id, expected]);
    }
    expect(wrong).toEqual([]);
    expect(await snapshot()).toEqual(before);
  }, 120_000);

  it('are found by their own tenant on the same routes', async () => {
    // Two plans are compared, and a socket has other answers.
    const others = ['plans_diff', 'sessionSocket_open'];
    for (const route of routes.filter(({ method, id }) => method === 'GET' && !others.includes(id))) {
      const { ids } = trespasses[route.id] ?? { ids: {} };
      const path = fillPath(route, Object.fromEntries(Object.entries(ids).map(([name, kind]) => [name, theirs(kind)])));
      expect([route.id, (await victim.everything.get(path)).status]).toEqual([route.id, 200]);
    }
  });

  it('are no different for names: a thing that only the other tenant has is not found', async () => {
    const { everything } = victim;
    const description = { description: 'x', risk: 'read_only', idempotent: true, scope: 'asset' };
    const executor = { kind: 'http', url: 'https://fleet.example/tools' };
    const theirName = 'only-theirs';
    const unused = 'nobody-has-it';
    const { etag = '' } = (await everything.get('/v1/autonomy')).headers;
    const made = [
      await everything.post('/v1/environments', { name: theirName, production: false }),
      await everything.put(`/v1/environments/${theirName}/executors/${theirName}`, executor),
      await everything.put(`/v1/environments/production/executors/${theirName}`, executor),
      await everything.put('/v1/tools/only_theirs', description),
      await everything.put('/v1/autonomy', 'autonomy:\n  mode: plan_only\n', { 'if-match': etag }),
    ];
    expect(made.filter(({ status }) => status >= 300).map(({ text }) => text)).toEqual([]);

    type Call = readonly [
      method: string,
      path: (name: string) => string,
      theirs: string,
      never: string,
      body?: unknown,
    ];
    const calls: readonly Call[] = [
      ['GET', (name) => `/v1/tools/${name}`, 'only_theirs', 'nobody_has_it'],
      ['DELETE', (name) => `/v1/tools/${name}`, 'only_theirs', 'nobody_has_it'],
      ['GET', (name) => `/v1/environments/${name}/executors`, theirName, unused],
      ['GET', (name) => `/v1/environments/${name}/executors/fleet`, theirName, unused],
      ['GET', (name) => `/v1/environments/production/executors/${name}`, theirName, unused],
      ['PUT', (name) => `/v1/environments/${name}/executors/fleet`, theirName, unused, executor],
      ['GET', (number) => `/v1/autonomy/revisions/${number}`, '2', '3'],
    ];
    for (const [method, path, theirs, never, body] of calls) {
      const send = (name: string): Promise<Answer> =>
        intruder.everything.send(method, path(name), body, { 'x-request-id': 'the-same-for-both' });
      const [other, unknown] = [await send(theirs), await send(never)];
      const what = `${method} ${path(theirs)}`;
      expect([what, other.status]).toEqual([what, 404]);
      // The caller's own word may be quoted back.
      const told = (answer: Answer, asked: string): string => answer.text.replaceAll(asked, '<name>');
      expect([what, unknown.status, told(unknown, never)]).toEqual([what, 404, told(other, theirs)]);
    }
  });

  it('are of no use inside a document, a query or a cursor', async () => {
    const http = intruder.everything;
    const pairs: [string, (id: string) => Promise<Answer>, string][] = [
      ['an agent’s owner', (id) => http.post('/v1/agents', { name: 'x', owner_id: id }), theirs('person')],
      ['a halted agent', (id) => http.post('/v1/halts', { kind: 'agent', agent_id: id, reason: 'x' }), theirs('agent')],
      [
        'a plan under break-glass',
        (id) =>
          http.post('/v1/break-glass', { plan_id: id, plan_digest: DIGEST, justification: 'The servers are down.' }),
        theirs('plan'),
      ],
      [
        'a plan that break-glass could execute',
        (id) => http.post('/v1/break-glass/availability', { plan_id: id, justification: 'The servers are down.' }),
        theirs('plan'),
      ],
      [
        'the same, without a justification',
        (id) => http.get(`/v1/break-glass/availability?plan_id=${id}`),
        theirs('plan'),
      ],
      [
        'a delegate',
        (id) => http.post('/v1/absences', { delegate_id: id, until: new Date(Date.now() + 3_600_000).toISOString() }),
        theirs('person'),
      ],
      ['a person on duty', (id) => http.put('/v1/slack/routes', { channels: {}, on_duty: [id] }), theirs('person')],
      [
        'the agent of a session',
        (id) => http.post('/v1/sessions', { environment: 'development', agent_ids: [id] }),
        theirs('agent'),
      ],
      [
        'the other plan of a difference',
        (id) => http.get(`/v1/plans/${intruder.ids.plan ?? ''}/diff?against=${id}`),
        theirs('plan'),
      ],
    ];
    for (const [what, call, id] of pairs) {
      const unknown = v7();
      const [other, never] = [await call(id), await call(unknown)];
      // The caller's own text may be quoted back.
      const told = (answer: Answer, asked: string): string => String(answer.body.detail).replaceAll(asked, '<id>');
      expect([what, other.status, other.body.code, told(other, id)]).toEqual([
        what,
        never.status,
        never.body.code,
        told(never, unknown),
      ]);
      expect([what, other.status >= 400]).toEqual([what, true]);
    }
    const mine = await http.get('/v1/people?limit=1');
    const cursor = encodeURIComponent(String(mine.body.next_cursor));
    const seen = await victim.everything.get(`/v1/people?cursor=${cursor}`);
    const own = (await victim.everything.get('/v1/people')).body.items as { id: string }[];
    for (const { id } of seen.body.items as { id: string }[]) expect(own.map((person) => person.id)).toContain(id);
  });

  it('are of no use as a filter: the answer is that of an id that never existed', async () => {
    const kinds: Readonly<Record<string, string>> = {
      session_id: 'agentSession',
      source_id: 'toolCall',
      actor_id: 'person',
      owner_id: 'person',
      subject_id: 'plan',
    };
    const filters = (await apiRoutes(api))
      .filter(({ method, parameters }) => method === 'GET' && parameters.length === 0)
      .flatMap(({ path, operation }) =>
        (operation.parameters ?? [])
          .filter(({ in: where, name }) => where === 'query' && name.endsWith('_id'))
          .map(({ name }) => ({ path, name, kind: kinds[name] ?? name.replace(/_id$/, '') })),
      );
    expect(filters.length).toBeGreaterThan(25);
    for (const { path, name, kind } of filters) {
      const ask = async (id: string): Promise<unknown[]> => {
        const { status, text } = await intruder.everything.get(`${path}?${name}=${id}`, {
          'x-request-id': 'the-same-for-both',
        });
        return [path, name, status, text.replaceAll(id, '<id>')];
      };
      expect(await ask(theirs(kind))).toEqual(await ask(v7()));
    }
  });

  it('stand in no list of the intruder', async () => {
    const lists = (await apiRoutes(api)).filter(
      ({ method, parameters }) => method === 'GET' && parameters.length === 0,
    );
    for (const { path } of lists) {
      const { text } = await intruder.everything.get(path);
      for (const id of Object.values(victim.ids)) expect([path, text.includes(id)]).toEqual([path, false]);
      expect([path, text.includes(victim.tenant.id)]).toEqual([path, false]);
    }
  });

  it('take about as long to be refused', async () => {
    const get = async (id: string): Promise<number> => {
      const start = performance.now();
      await intruder.everything.get(`/v1/plans/${id}`);
      return performance.now() - start;
    };
    const [other, never]: [number[], number[]] = [[], []];
    for (let round = 0; round < 60; round += 1) {
      other.push(await get(theirs('plan')));
      never.push(await get(v7()));
    }
    const median = (times: number[]): number => times.sort((a, b) => a - b)[30] ?? 0;
    const ratio = median(other) / median(never);
    expect(ratio).toBeGreaterThan(0.6);
    expect(ratio).toBeLessThan(1.6);
  });
});
