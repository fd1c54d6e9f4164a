import { v7 } from 'uuid';
import { SCOPES, type Scope } from '#lib/kernel';
import { RouteDeclarations } from '../../apps/api/src/http/route-declarations.js';
import { PAGE_PATHS } from '../../apps/api/src/web/page-paths.js';
import { apiRoutes, fillPath, type ApiRoute } from '../support/api-routes.js';
import { expectStatus, testApi, type Answer, type TestApi, type TestTenant } from '../support/api.js';

/** A caller of some kind, with the scopes and roles of its credential. */
interface Caller {
  readonly name: string;
  readonly token: string;
  readonly kind: 'person' | 'agent';
  readonly scopes: readonly Scope[];
  readonly roles: readonly string[];
}

const AGENT_SCOPES: readonly Scope[] = ['read', 'submit', 'run', 'halt'];
const FILES_OF_PAGES = [
  ...['app.webmanifest', 'apple-touch-icon.png', 'assets/:name', 'favicon.svg', 'icon-192.png', 'icon-512.png'],
  ...['icon-maskable-512.png', 'push-worker.js'],
];
const REFUSALS = ['credential.scope_missing', 'credential.person_required', 'identity.role_required'];

let api: TestApi;
let tenant: TestTenant;
let routes: ApiRoute[];
/** The callers of routes with each scope, and under null those of routes that need none. */
let callers: ReadonlyMap<Scope | null, readonly Caller[]>;

beforeAll(async () => {
  // Trusts this machine as a proxy, so that a refused credential can come from many addresses.
  api = await testApi({ config: { trustedProxies: ['127.0.0.1'] } });
  tenant = await api.tenant();
  routes = await apiRoutes(api);
  callers = await callersByScope();
});
afterAll(() => api.close());

/**
 * Those who come closest to the declaration of a route: with its scope alone, and with every other scope. A route that asks for less, or
 * for more, answers one of them otherwise.
 */
async function callersByScope(): Promise<ReadonlyMap<Scope | null, readonly Caller[]>> {
  const roles = ['PlatformAdmin', 'SRELead', 'DevOpsEngineer', 'SecurityReviewer'];
  const everything = await api.person(tenant, ...roles);
  const plain = await api.person(tenant);
  // Minted while they were an admin, used after they no longer are.
  const former = await api.person(tenant, 'PlatformAdmin');
  expectStatus(await api.http(tenant.admin.token).delete(`/v1/people/${former.id}/roles/PlatformAdmin`), 204);
  const agent = await api.agent(tenant, plain);
  const agentToken = async (scopes: readonly Scope[]): Promise<string> =>
    expectStatus(await api.http(plain.token).post(`/v1/agents/${agent.id}/tokens`, { name: 'narrow', scopes }), 201)
      .body.token as string;

  const callersWith = async (scopes: readonly Scope[]): Promise<Caller[]> => {
    const ofAgents = scopes.filter((scope) => AGENT_SCOPES.includes(scope));
    const person = { kind: 'person', scopes } as const;
    const found: Caller[] = [
      { name: 'a person of every role', token: await api.token(everything, ...scopes), ...person, roles },
    ];
    if (ofAgents.length === 0) return found;
    const narrow = { scopes: ofAgents, roles: [] } as const;
    return [
      ...found,
      { name: 'a person of no role', token: await api.token(plain, ...ofAgents), kind: 'person', ...narrow },
      { name: 'an agent', token: await agentToken(ofAgents), kind: 'agent', ...narrow },
      { name: 'a delegation', token: await api.delegation(agent, plain, ...ofAgents), kind: 'agent', ...narrow },
    ];
  };
  const found = new Map<Scope | null, readonly Caller[]>();
  for (const scope of [...SCOPES, null])
    found.set(scope, [
      { name: 'a former admin', token: former.token, kind: 'person', scopes: SCOPES, roles: [] },
      ...(scope === null ? [] : await callersWith([scope])),
      ...(await callersWith(SCOPES.filter((each) => each !== scope))),
    ]);
  return found;
}

const scopeOf = ({ operation }: ApiRoute): Scope | null => (operation['x-required-scope'] ?? null) as Scope | null;

/** Which refusal the declaration calls for, or null if the guard lets the caller through. */
function expectedRefusal(route: ApiRoute, caller: Caller): string | null {
  const { 'x-person-only': personOnly, 'x-required-roles': roles } = route.operation;
  const scope = scopeOf(route);
  if (scope === null) return null;
  if (!caller.scopes.includes(scope)) return 'credential.scope_missing';
  if (personOnly === true && caller.kind !== 'person') return 'credential.person_required';
  if (roles !== undefined && !roles.some((role) => caller.roles.includes(role))) return 'identity.role_required';
  return null;
}

/** Tokens that open nothing, each with its defect and the code of the refusal. */
async function deadTokens(): Promise<(readonly [what: string, token: string, code: string])[]> {
  const admin = api.http(tenant.admin.token);
  const holder = await api.person(tenant, 'PlatformAdmin');
  const agent = await api.agent(tenant, holder);
  const delegation = await api.delegation(agent, holder, 'read');
  const mint = async (name: string): Promise<{ id: string; token: string }> =>
    expectStatus(await api.http(holder.token).post('/v1/tokens', { name, scopes: [...SCOPES] }), 201).body as {
      id: string;
      token: string;
    };
  const [revoked, expired] = [await mint('revoked'), await mint('expired')];
  expectStatus(await api.http(holder.token).delete(`/v1/tokens/${revoked.id}`), 204);
  await api.db.owner.query(
    `update credential set created_at = created_at - interval '1 year', expires_at = clock_timestamp() where id = $1`,
    [expired.id],
  );
  const leaver = await api.person(tenant, 'PlatformAdmin');
  const invited = expectStatus(
    await admin.post('/v1/people', { email: 'invited@example.com', display_name: 'Invited' }),
    201,
  ).body as { id: string };
  const enrolment = expectStatus(await admin.post(`/v1/people/${invited.id}/enrolment`), 201).body as {
    enrolment_token: string;
  };
  expectStatus(await admin.patch(`/v1/people/${leaver.id}`, { disabled: true }), 200);
  const [ended] = (
    await api.db.owner.query<{ id: string }>(
      `update credential set expires_at = clock_timestamp(), created_at = created_at - interval '1 year'
        where kind = 'delegation' and agent_id = $1 returning id`,
      [agent.id],
    )
  ).rows;
  expect(ended).toBeDefined();
  return [
    ['a revoked one', revoked.token, 'credential.revoked'],
    ['an expired one', expired.token, 'credential.expired'],
    ['an expired delegation', delegation, 'credential.expired'],
    ['one of a person who has left', leaver.token, 'credential.revoked'],
    ['an enrolment token', enrolment.enrolment_token, 'credential.unknown'],
    ['a bootstrap token', (await api.installation.identity.issueBootstrapToken.execute()).token, 'credential.unknown'],
    ['one that was never issued', `cs_p_${'A'.repeat(49)}`, 'credential.unknown'],
  ];
}

/** @param at the place of the route in the walk. Each comes from an address of its own: none is suspect, and waits for its refusals. */
function call(route: ApiRoute, token: string | undefined, at: number): Promise<Answer> {
  const from = `198.18.${String(at >> 8)}.${String(at & 255)}`;
  // Ids that never existed: a caller who is let through finds nothing there, and changes nothing.
  const path = fillPath(route, Object.fromEntries(route.parameters.map((name) => [name, v7()])));
  const body = route.contentType === undefined ? undefined : route.contentType === 'application/yaml' ? '!' : [];
  return api.http(token).send(route.method, path, body, { 'x-forwarded-for': from });
}

describe('T17: every route accepts exactly the credentials that its declaration names', () => {
  it('walks more than a handful', () => {
    expect(routes.length).toBeGreaterThan(20);
    expect(callers.get('read')).toHaveLength(9);
    expect(callers.get('admin')).toHaveLength(6);
  });

  it('with every kind of credential', async () => {
    const wrong: string[] = [];
    for (const [at, route] of routes.entries()) {
      const answers = await Promise.all(
        (callers.get(scopeOf(route)) ?? []).map(async (caller) => ({
          caller,
          answer: await call(route, caller.token, at),
        })),
      );
      for (const { caller, answer } of answers) {
        const code = (answer.body as { code?: string } | undefined)?.code ?? '';
        // The routes of Slack refuse a request for its state or its signature, from every caller.
        const unauthenticated = answer.status === 401 && code !== 'slack.state' && code !== 'slack.signature';
        const refusal = REFUSALS.includes(code) || unauthenticated ? code : null;
        const expected = expectedRefusal(route, caller);
        if (refusal !== expected || (refusal !== null && answer.status !== 403)) {
          wrong.push(
            `${route.id} by ${caller.name} with ${caller.scopes.join(', ')}: ${String(answer.status)} ${code}, expected ${String(expected)}`,
          );
        }
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('and none without a credential, but those that are public', async () => {
    for (const [at, route] of routes.entries()) {
      const { status, body } = await call(route, undefined, at);
      const isPublic = route.operation['x-required-scope'] === undefined;
      expect([route.id, isPublic ? null : status, isPublic ? null : body.code]).toEqual([
        route.id,
        isPublic ? null : 401,
        isPublic ? null : 'credential.missing',
      ]);
    }
  });

  it('and none with a credential that is over, or that is for something else', async () => {
    const dead = await deadTokens();
    const wrong: string[] = [];
    for (const [at, route] of routes.entries()) {
      if (route.operation['x-required-scope'] === undefined) continue;
      for (const [what, token, expected] of dead) {
        const { status, body } = await call(route, token, at);
        const code = (body as { code?: string } | undefined)?.code;
        if (status !== 401 || code !== expected)
          wrong.push(`${route.id} with ${what}: ${String(status)} ${String(code)}, expected ${expected}`);
      }
    }
    expect(wrong).toEqual([]);
  }, 120_000);

  it('where the public ones are these', () => {
    const open = routes.filter((route) => route.operation['x-required-scope'] === undefined).map(({ path }) => path);
    // Health and descriptions say nothing of a tenant; the exchanges carry a one-time token in their body; keys are public.
    const known = [
      '/health/live',
      '/health/ready',
      // The JSON Schemas of documents, the same for every tenant.
      '/v1/schemas/{name}',
      '/v1/bootstrap',
      '/v1/enrolment',
      '/v1/enrolment/passkey/options',
      '/v1/enrolment/passkey',
      '/v1/sign-in/passkey/options',
      '/v1/sign-in/passkey',
      '/v1/grants/redeem',
      '/.well-known/jwks.json',
      // Before a sign-in: the options, the way to the issuer and back, and the current session.
      '/v1/sign-in/options',
      '/sign-in',
      '/v1/browser-sessions/current',
      // Of runners: a one-time token, and then a proof that the runner signs for each request.
      '/v1/runner/enrol',
      '/v1/runner/hello',
      '/v1/runner/goodbye',
      '/v1/runner/keys',
      '/v1/runner/dispatches/take',
      '/v1/runner/dispatches/{id}/output',
      '/v1/runner/dispatches/{id}/result',
      // Signed by Slack over the bytes; and where Slack sends a browser back to, with a state that is good once.
      '/slack/interactions',
      '/slack/commands',
      '/slack/events',
      '/slack/oauth/callback',
      // Signed by the sender over the bytes.
      '/hooks/{slug}/automations/{id}',
    ];
    expect(open.filter((path) => !known.includes(path))).toEqual([]);
  });

  it('where these public ones take neither a credential nor a turn (T22)', () => {
    const open = api.app
      .get(RouteDeclarations)
      .all()
      .filter(({ access }) => access.kind === 'public' && access.way === 'open');
    // None costs a query for each request. A redemption has its turn in the tenant of the grant, which we signed. The others
    // are health, descriptions, and the files and pages of the web UI.
    const known = [
      'GET /.well-known/jwks.json',
      'GET /docs',
      'GET /health/live',
      'GET /health/ready',
      'GET /v1/openapi.json',
      'GET /v1/schemas/:name',
      'POST /v1/grants/redeem',
      ...PAGE_PATHS.map((path) => `GET /${path}`),
      ...FILES_OF_PAGES.map((path) => `GET /${path}`),
      // A mistyped address.
      'GET /*',
    ];
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(known.toSorted());
  });

  it('where no agent reaches a route that asks for review, audit or admin', () => {
    const decided = routes.filter((route) =>
      ['review', 'audit', 'admin'].includes(route.operation['x-required-scope'] ?? ''),
    );
    for (const route of decided) {
      const agents = (callers.get(scopeOf(route)) ?? []).filter(({ kind }) => kind === 'agent');
      expect(agents.map((caller) => expectedRefusal(route, caller))).toEqual(Array(2).fill('credential.scope_missing'));
    }
  });
});
