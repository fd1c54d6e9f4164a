import { readFileSync } from 'node:fs';
import { v7 } from 'uuid';
import { parse } from 'yaml';
import type { FieldError } from '#lib/kernel';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';

const catalog = readFileSync('catalog/adr-009.yaml', 'utf8');

let api: TestApi;
let tenant: TestTenant;
let admin: HttpAs;

beforeAll(async () => {
  api = await testApi({ config: { allowedPrivateHosts: ['127.0.0.1:9999'] } });
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
}, 120_000);
afterAll(async () => {
  await api.close();
});

interface Change {
  readonly name: string;
  readonly change: string;
}
const changesOf = (body: { changes: Change[] }): Record<string, string> =>
  Object.fromEntries(body.changes.map(({ name, change }) => [name, change]));

describe('the tool registry', () => {
  it("takes ADR-009's catalog as YAML, after listing the changes", async () => {
    const dry = expectStatus(await admin.put('/v1/tools?dry_run=true', catalog), 200).body;
    expect(dry).toMatchObject({ dry_run: true, warnings: [] });
    expect(dry.changes).toHaveLength(21);
    expect((await admin.get('/v1/tools')).body).toEqual({ tools: [] });

    expectStatus(await admin.put('/v1/tools', catalog), 200);
    const { tools } = (await admin.get('/v1/tools')).body as {
      tools: { name: string; version: number; level: string }[];
    };
    expect(tools).toHaveLength(21);
    expect(tools.find(({ name }) => name === 'modify_firewall')).toMatchObject({ version: 1, level: 'critical' });

    const again = expectStatus(await admin.put('/v1/tools', catalog), 200).body as { changes: Change[] };
    expect(new Set(Object.values(changesOf(again)))).toEqual(new Set(['unchanged']));
  });

  it('names line and column of a mistake in a YAML catalog', async () => {
    const wrong = catalog.replace('scope: organization', 'scope: galaxy');
    const answer = expectStatus(await admin.put('/v1/tools', wrong), 422).body;
    expect(answer).toMatchObject({
      code: 'tool.invalid_definition',
      errors: [{ pointer: '/tools/query_assets/scope', line: 13, column: 12 }],
    });
    const contradiction = catalog.replace('requires_hitl: always', 'requires_hitl: never');
    const refused = expectStatus(await admin.put('/v1/tools', contradiction), 422).body;
    expect(refused.errors[0]).toMatchObject({
      code: 'tool.hitl_contradicts_risk',
      pointer: '/tools/execute_rollout_prod/requires_hitl',
      suggestion: 'always',
    });
    expect(refused.errors[0].line).toBeGreaterThan(100);
    expectStatus(await admin.put('/v1/tools', 'tools: *everything\n'), 400);
  });

  it.each([
    [
      'an unknown key',
      (text: string) => text.replace('identity_fields: [/targets]', 'identity_field: [/targets]'),
      'tool.unknown_key',
      'identity_fields',
    ],
    [
      'an unknown value',
      (text: string) => text.replace('risk: read_only', 'risk: readonly'),
      'tool.wrong_value',
      'read_only',
    ],
    ['a missing key', (text: string) => text.replace(/^ {4}risk: read_only\n/m, ''), 'tool.missing_key', undefined],
    [
      'a word for true',
      (text: string) => text.replace('idempotent: true', 'idempotent: yes'),
      'tool.wrong_type',
      'true',
    ],
  ])('names the mistake of %s, its place, and the probable intention', async (_, spoiled, code, suggestion) => {
    const wrong = spoiled(catalog);
    const [error] = expectStatus(await admin.put('/v1/tools', wrong), 422).body.errors as FieldError[];
    expect([error?.code, error?.suggestion]).toEqual([code, suggestion]);
    const inYaml = wrong.split('\n')[(error?.line ?? 0) - 1];
    expect(inYaml).toMatch(
      code === 'tool.missing_key' ? /^ {2}query_assets:|^ {4}idempotent/ : /identity_field:|readonly|yes/,
    );
    expect(error?.message).not.toContain('undefined');

    const asJson = expectStatus(await admin.put('/v1/tools', parse(wrong) as object), 422).body.errors as FieldError[];
    expect(asJson[0]).toEqual({ ...error, line: undefined, column: undefined });
  });

  it('takes no catalog with a key that would be lost, which would remove every tool', async () => {
    const json = { 'content-type': 'application/json' };
    const inJson = await admin.put('/v1/tools?dry_run=true', '{"tools":{"__proto__":{"scope":"environment"}}}', json);
    expect([inJson.status, inJson.body]).toMatchObject([
      400,
      { code: 'json.reserved_key', errors: [{ pointer: '/tools/__proto__' }] },
    ]);
    const inYaml = await admin.put('/v1/tools?dry_run=true', 'tools:\n  __proto__: { scope: environment }\n');
    expect([inYaml.status, inYaml.body]).toMatchObject([
      400,
      { errors: [{ code: 'yaml.reserved_key', pointer: '/tools/__proto__' }] },
    ]);
  });

  it('keeps every version of a changed tool', async () => {
    const document = await documentOf('query_alerts');
    const changed = expectStatus(
      await admin.put('/v1/tools/query_alerts', { ...document, description: 'Query open alerts' }),
      200,
    ).body;
    expect(changed.changes).toMatchObject([
      { change: 'update', from_version: 1, to_version: 2, fields: ['description'], loosens: [] },
    ]);
    const history = (await admin.get('/v1/tools/query_alerts')).body as {
      versions: { version: number; digest: string }[];
    };
    expect(history.versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(history.versions[0]?.digest).not.toBe(history.versions[1]?.digest);
  });

  it('removes a tool, keeps its versions, and counts on when it comes back', async () => {
    const document = { description: 'Say hello', risk: 'read_only', idempotent: true, scope: 'asset' };
    expectStatus(await admin.put('/v1/tools/say_hello', document), 200);
    expectStatus(await admin.delete('/v1/tools/say_hello'), 200);
    expect((await admin.get('/v1/tools/say_hello')).body).toMatchObject({ removed: true, versions: [{ version: 1 }] });
    expectStatus(await admin.delete('/v1/tools/say_hello'), 404);
    const back = expectStatus(await admin.put('/v1/tools/say_hello', document), 200).body;
    expect(back.changes).toMatchObject([{ change: 'create', to_version: 2 }]);
  });

  it('a tool in use is neither removed nor loosened, and the plans that hold it are named', async () => {
    const planId = await livePlanWith('execute_rollout_prod');
    const document = await documentOf('execute_rollout_prod');

    const removed = expectStatus(await admin.delete('/v1/tools/execute_rollout_prod'), 409).body;
    expect(removed).toMatchObject({ code: 'tool.in_use', details: { plans: [planId] } });
    const loosened = expectStatus(
      await admin.put('/v1/tools/execute_rollout_prod', { ...document, idempotent: true }),
      409,
    ).body;
    expect(loosened).toMatchObject({
      code: 'tool.in_use',
      details: { plans: [planId], tools: [{ loosens: ['it may be retried'] }] },
    });
    const without = catalog.replace(/ {2}execute_rollout_prod:[\s\S]*?\n\n/, '');
    expect(expectStatus(await admin.put('/v1/tools', without), 409).body).toMatchObject({
      code: 'tool.in_use',
      details: { plans: [planId] },
    });

    const described = expectStatus(
      await admin.put('/v1/tools/execute_rollout_prod', { ...document, description: 'Roll out' }),
      200,
    ).body;
    expect(described.changes).toMatchObject([{ live_plans: [planId] }]);
  });

  it('T19: another tenant has none of it', async () => {
    const other = api.http((await api.tenant()).admin.token);
    expect((await other.get('/v1/tools')).body).toEqual({ tools: [] });
    expectStatus(await other.get('/v1/tools/execute_rollout_prod'), 404);
  });

  it('only a PlatformAdmin with the scope admin changes it', async () => {
    const lead = await api.person(tenant, 'SRELead');
    expectStatus(await api.http(lead.token).put('/v1/tools', catalog), 403);
    const agent = await api.agent(tenant, tenant.admin);
    expectStatus(
      await api
        .http(agent.token)
        .put('/v1/tools/x', { description: 'x', risk: 'read_only', idempotent: true, scope: 'asset' }),
      403,
    );
    expectStatus(await api.http(agent.token).get('/v1/tools'), 200);
  });

  /** A tool as it would be put again. */
  async function documentOf(name: string): Promise<Record<string, unknown>> {
    const { versions } = (await admin.get(`/v1/tools/${name}`)).body as {
      versions: { definition: Record<string, unknown> }[];
    };
    const { name: _name, simulation: _simulation, ...document } = versions[0]?.definition ?? {};
    return document;
  }

  /** A draft that holds the current version of a tool, written as its use case writes it. */
  async function livePlanWith(tool: string): Promise<string> {
    const [taskId, planId] = [v7(), v7()];
    const { owner } = api.db;
    const arranged = { tenant: tenant.id, person: tenant.admin.id, task: taskId, plan: planId, tool };
    const values = Object.values(arranged);
    await owner.query(
      `insert into task (tenant_id, id, environment_id, state, spec, spec_digest, person_id, credential_id, created_at, updated_at)
       select $1, $3, environment.id, 'created', '{}', 'sha256:0', $2, credential.id, now(), now()
       from environment, credential
       where environment.tenant_id = $1 and environment.name = 'production' and credential.tenant_id = $1 and credential.person_id = $2
       limit 1`,
      values.slice(0, 3),
    );
    await owner.query(
      `insert into plan (tenant_id, id, task_id, revision, state, document, person_id, credential_id, created_at, updated_at)
       select $1, $4, $3, 1, 'draft', '{}', $2, task.credential_id, now(), now() from task where task.tenant_id = $1 and task.id = $3`,
      values.slice(0, 4),
    );
    await owner.query(
      `insert into plan_tool (tenant_id, plan_id, tool_version_id, tool_name)
       select $1, $2, tool_version.id, tool_version.name from tool_version where tool_version.tenant_id = $1 and tool_version.name = $3`,
      [tenant.id, planId, tool],
    );
    return planId;
  }
});

describe('executors', () => {
  const path = '/v1/environments/production/executors/fleet';

  it('have an address, a version and a digest that changes with the address', async () => {
    expectStatus(
      await admin.put('/v1/secrets/fleet-token', {
        value: 'a long bearer token',
        binding: { purpose: 'executor_token', executors: ['production/fleet'] },
      }),
      200,
    );
    const first = expectStatus(
      await admin.put(path, { kind: 'http', url: 'https://tools.example.com/countersign', secret: 'fleet-token@1' }),
      200,
    ).body;
    expect(first).toMatchObject({
      environment: 'production',
      name: 'fleet',
      version: 1,
      audience: 'fleet.production',
      secret: 'fleet-token@1',
    });
    const same = expectStatus(
      await admin.put(path, { kind: 'http', url: 'https://tools.example.com/countersign', secret: 'fleet-token@1' }),
      200,
    ).body;
    expect(same.version).toBe(1);
    const moved = expectStatus(
      await admin.put(path, { kind: 'http', url: 'https://tools.example.com/other' }),
      200,
    ).body;
    expect(moved.version).toBe(2);
    expect(moved.digest).not.toBe(first.digest);
    expect((await admin.get('/v1/environments/production/executors')).body.executors).toHaveLength(1);
    expect((await admin.get('/v1/environments/staging/executors')).body.executors).toEqual([]);
  });

  it.each<[string, Record<string, unknown>, string, string]>([
    ['a private address', { kind: 'http', url: 'https://10.0.0.1/' }, 'executor.address_refused', '/url'],
    [
      'a loopback address in another spelling',
      { kind: 'http', url: 'https://0x7f.1/' },
      'executor.address_refused',
      '/url',
    ],
    ['an IPv6 loopback', { kind: 'http', url: 'https://[::1]/' }, 'executor.address_refused', '/url'],
    ['the metadata address', { kind: 'http', url: 'https://169.254.169.254/' }, 'executor.address_refused', '/url'],
    ['a local name', { kind: 'http', url: 'https://db.internal/' }, 'executor.address_refused', '/url'],
    ['plain http', { kind: 'http', url: 'http://tools.example.com/' }, 'executor.url_not_https', '/url'],
    ['another protocol', { kind: 'http', url: 'file:///etc/passwd' }, 'executor.url_not_https', '/url'],
    [
      'credentials in the address',
      { kind: 'http', url: 'https://me:secret@tools.example.com/' },
      'executor.url_invalid',
      '/url',
    ],
    ['no address', { kind: 'http' }, 'executor.url_required', '/url'],
    ['an unknown kind', { kind: 'ftp', url: 'https://tools.example.com/' }, 'executor.kind_unknown', '/kind'],
    [
      'a setting that its kind does not have',
      { kind: 'http', url: 'https://tools.example.com/', queue: 'jobs' },
      'executor.setting_unknown',
      '/queue',
    ],
    [
      'an agent with an address',
      { kind: 'agent', url: 'https://tools.example.com/' },
      'executor.not_for_an_agent',
      '/url',
    ],
  ])('T31: %s is refused when it is registered', async (_, document, code, pointer) => {
    const answer = expectStatus(await admin.put('/v1/environments/staging/executors/x', document), 422).body;
    expect(answer).toMatchObject({ code: 'executor.invalid', errors: [{ code, pointer }] });
  });

  it('may be private if the operator allows that host, and an agent needs no address', async () => {
    expectStatus(
      await admin.put('/v1/environments/staging/executors/fleet', { kind: 'http', url: 'http://127.0.0.1:9999/' }),
      200,
    );
    expectStatus(await admin.put('/v1/environments/staging/executors/hands', { kind: 'agent' }), 200);
    expectStatus(await admin.put('/v1/environments/nowhere/executors/fleet', { kind: 'agent' }), 404);
  });
});
