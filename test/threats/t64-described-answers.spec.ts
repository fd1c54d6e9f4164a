import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { ApiDocument } from '../../apps/api/src/operation/api-description.js';
import { testApi, type Answer, type HttpAs, type TestApi } from '../support/api.js';
import { apiDocument, apiRoutes, fillPath, type ApiRoute } from '../support/api-routes.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { populatedTenant, type PopulatedTenant } from '../support/populated-tenant.js';
import { trespasses } from '../support/trespasses.js';

interface Given {
  readonly method: string;
  readonly path: string;
  readonly answer: Answer;
}

/** Redirects of a browser, a stream without an end, and a WebSocket. */
const NOT_READ_HERE = [
  'browserSignIn_begin',
  'live_stream',
  'sessionSocket_open',
  'slackSettings_install',
  'slack_callback',
];

let api: TestApi;
let toolServer: Awaited<ReturnType<typeof predictingToolServer>>;
let routes: ApiRoute[];
let document: ApiDocument;
let tenant: PopulatedTenant;
const DAY_MS = 86_400_000;
const given: Given[] = [];

/** The same credential; its answers are kept. */
function kept(as: HttpAs): HttpAs {
  const send: HttpAs['send'] = async (method, path, body, headers) => {
    const answer = await as.send(method, path, body, headers);
    given.push({ method, path: path.split('?')[0] ?? '', answer });
    return answer;
  };
  return {
    send,
    get: (path, headers) => send('GET', path, undefined, headers),
    post: (path, body, headers) => send('POST', path, body, headers),
    put: (path, body, headers) => send('PUT', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
  };
}

/** Names of the tenant, in a path that takes one. */
const nameFor = (parameter: string, { path }: ApiRoute): string => {
  if (parameter === 'number') return '1';
  if (parameter === 'environment') return path.includes('/mcp-servers/') ? 'staging' : 'production';
  if (path.includes('/mcp-servers/')) return 'ops';
  if (path.includes('/configuration/') || path.includes('/schemas/')) return 'environments';
  return path.includes('/tools/') ? 'execute_rollout_prod' : path.includes('/executors/') ? 'fleet' : 'no-such';
};

beforeAll(async () => {
  toolServer = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(toolServer.port)}`] } });
  routes = await apiRoutes(api);
  document = await apiDocument(api);
  tenant = await populatedTenant({ ...api, http: (token) => kept(api.http(token)) }, toolServer.port);
  const [from, until] = [-DAY_MS, DAY_MS].map((ms) => new Date(Date.now() + ms).toISOString());
  const period = `?from=${String(from)}&until=${String(until)}`;
  const queries: Readonly<Record<string, readonly string[]>> = {
    reports_changes: [period, '&format=csv'],
    automations_safeTools: ['?environment=production'],
    audit_consistency: ['?epoch=1&first=1'],
    audit_export: ['?format=jsonl'],
    breakGlass_available: [`?plan_id=${tenant.ids.plan ?? ''}`],
    plans_diff: [`?against=${tenant.ids.plan ?? ''}`],
    queue_statistics: ['?by=tool'],
    runnerCalls_list: [`?source_id=${tenant.ids.run ?? ''}`],
    search_find: ['?text=rollout'],
    reports_evidence: [period],
  };
  for (const route of routes.filter(({ method, id }) => method === 'GET' && id !== 'live_stream')) {
    const kinds = trespasses[route.id]?.ids ?? {};
    const path = fillPath(
      route,
      Object.fromEntries(route.parameters.map((name) => [name, tenant.ids[kinds[name] ?? ''] ?? nameFor(name, route)])),
    );
    let query = '';
    for (const more of queries[route.id] ?? [trespasses[route.id]?.query ?? '']) {
      query += more;
      await tenant.everything.get(path + query);
    }
  }
  const emptyOr = (route: ApiRoute): unknown => trespasses[route.id]?.body;
  for (const id of ['evidence_assemble', 'evidence_assembleChange', 'incidentSettings_put']) {
    const route = routes.find((one) => one.id === id);
    if (route === undefined) throw new Error(`there is no route ${id}`);
    const path = fillPath(
      route,
      Object.fromEntries(route.parameters.map((name) => [name, tenant.ids[trespasses[id]?.ids[name] ?? ''] ?? ''])),
    );
    const settings = { destinations: {}, review_days: 5, pagerduty: null };
    await tenant.everything.send(route.method, path, emptyOr(route) ?? settings);
  }
}, 180_000);
afterAll(async () => {
  await toolServer.close();
  await api.close();
});

const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
const routeOf = ({ method, path }: Given): ApiRoute | undefined =>
  // A path without parameters is nearer than one with.
  routes
    .filter((route) => route.method === method && pattern(route.path).test(path))
    .sort((one, other) => one.parameters.length - other.parameters.length)[0];

const COMPONENTS = 'component:';

/** A schema that refers to components by their names, and not by places in the document. */
const byName = (schema: object): object =>
  JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', `"${COMPONENTS}`)) as object;

describe('T64: an answer and its description', () => {
  it('have the described status, media type and shape on every route that is read, and on a whole journey', () => {
    const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true, validateFormats: true }));
    // Each under a name of its own: a component is then compiled once for all answers that refer to it.
    for (const [name, component] of Object.entries(document.components?.schemas ?? {}))
      ajv.addSchema(byName(component), COMPONENTS + name);
    const validators = new Map<string, ValidateFunction>();
    const wrong: string[] = [];
    const matched = new Set<string>();
    for (const one of given) {
      const route = routeOf(one);
      if (route === undefined) {
        wrong.push(`${one.method} ${one.path}: not described`);
        continue;
      }
      const { status, text, headers } = one.answer;
      const described =
        route.operation.responses[String(status)] ?? (status < 400 ? undefined : route.operation.responses.default);
      const type = (headers['content-type'] ?? '').split(';')[0] ?? '';
      const where = `${route.id} ${String(status)} ${type}`;
      if (described === undefined) wrong.push(`${where}: no such status`);
      if (described?.content === undefined) {
        if (text !== '' && status !== 204) wrong.push(`${where}: no content described`);
        continue;
      }
      const media = described.content[type];
      if (media === undefined) {
        wrong.push(`${where}: described as ${Object.keys(described.content).join(', ')}`);
        continue;
      }
      if (status < 300) matched.add(route.id);
      if (!type.endsWith('json')) continue;
      const key = `${route.id}-${String(status)}-${type}`;
      const validate = validators.get(key) ?? ajv.compile(byName(media.schema));
      validators.set(key, validate);
      const bodies = type.endsWith('ndjson') ? text.split('\n').filter(Boolean) : [text];
      for (const body of bodies)
        if (!validate(JSON.parse(body))) wrong.push(`${where}: ${ajv.errorsText(validate.errors).slice(0, 600)}`);
    }
    expect([...new Set(wrong)]).toEqual([]);
    const read = routes.filter(({ method }) => method === 'GET').map(({ id }) => id);
    expect(read.filter((id) => !matched.has(id)).sort()).toEqual(NOT_READ_HERE);
  });
});
