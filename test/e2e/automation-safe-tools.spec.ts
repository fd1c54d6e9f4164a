import { readFileSync } from 'node:fs';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { enrolTotp, steppedUp } from '../support/second-factors.js';

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    staging:
      mode: full_auto
`;

const tool = (effect: string, risk: string, description = 'Does it.') => ({
  ...{ description, effect, risk, idempotent: true, scope: 'asset', executor: 'fleet' },
  ...(effect === 'modify' && risk === 'state_change_nonprod'
    ? { simulation: 'not_applicable', requires_plan: false, requires_hitl: 'configurable' }
    : {}),
  parameters: {
    type: 'object',
    properties: { service: { type: 'string', maxLength: 100 } },
    required: ['service'],
    additionalProperties: false,
  },
  identity_fields: ['/service'],
});

let api: TestApi;
let tenant: TestTenant;
let ada: HttpAs;
beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
  ada = api.http(tenant.admin.token);
  expectStatus(await ada.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
  for (const [name, effect, risk] of [
    ['list_containers', 'read', 'read_only'],
    ['list_services', 'read', 'read_only'],
    ['restart_container', 'modify', 'state_change_nonprod'],
    ['stop_container', 'modify', 'state_change_nonprod'],
    ['uninstall_app', 'destructive', 'state_change_nonprod'],
    ['restart_everywhere', 'modify', 'state_change_prod'],
  ] as const)
    expectStatus(await ada.put(`/v1/tools/${name}`, tool(effect, risk)), 200);
  expectStatus(await ada.put('/v1/autonomy', AUTONOMY), 200);
  const executor = { kind: 'http', url: 'https://fleet.example.com/tools', audience: 'fleet' };
  expectStatus(await ada.put('/v1/environments/staging/executors/fleet', executor), 200);
}, 60_000);
afterAll(() => api.close());

interface Tier {
  readonly tool: string;
  readonly tier: string;
  readonly safe: boolean;
  readonly reasons: readonly { readonly code: string; readonly message: string }[];
}

const tierOf = async (name: string, environment = 'staging'): Promise<Tier | undefined> => {
  const { body } = expectStatus(await ada.get(`/v1/automations/safe-tools?environment=${environment}`), 200);
  return (body.items as readonly Tier[]).find((each) => each.tool === name);
};
const listed = async (): Promise<readonly Record<string, unknown>[]> =>
  expectStatus(await ada.get('/v1/automation-safe-list'), 200).body.items as Record<string, unknown>[];

const NOT_LISTED = {
  code: 'automation.not_safe',
  message: 'Tool restart_container is not in the automation-safe modify list',
};

describe('the tools that are safe for automations', () => {
  it('are those that read: the list of a new tenant is empty', async () => {
    expect(await listed()).toEqual([]);
    expect(await tierOf('list_containers')).toMatchObject({ tier: 'read', safe: true, reasons: [] });
    expect(await tierOf('restart_container')).toMatchObject({ tier: 'modify', safe: false, reasons: [NOT_LISTED] });
    expect(await tierOf('uninstall_app')).toMatchObject({
      tier: 'destructive',
      safe: false,
      reasons: [{ message: 'Tool uninstall_app is destructive and not available for automations' }],
    });
    expect(await tierOf('restart_everywhere')).toMatchObject({
      safe: false,
      reasons: [{ code: 'automation.production' }],
    });
    expect((await ada.get('/v1/automations/safe-tools?environment=nowhere')).status).toBe(404);
  });

  it('are none that have no executor in the environment', async () => {
    const unsent = { code: 'automation.no_executor' };
    expect(await tierOf('list_containers', 'production')).toMatchObject({
      safe: false,
      reasons: expect.arrayContaining([expect.objectContaining(unsent)]),
    });
    expectStatus(await ada.put('/v1/tools/list_disks', { ...tool('read', 'read_only'), executor: 'nobody' }), 200);
    expect(await tierOf('list_disks')).toMatchObject({ tier: 'read', safe: false, reasons: [unsent] });
    expectStatus(
      await ada.put('/v1/tools/stop_disk', { ...tool('modify', 'state_change_nonprod'), executor: 'nobody' }),
      200,
    );
    expect(await tierOf('stop_disk')).toMatchObject({
      safe: false,
      reasons: [{ code: 'automation.not_safe' }, unsent],
    });
  });

  it('have no entry that could never have an effect, or is of another version', async () => {
    const refused = async (name: string, version = 1) =>
      (await ada.put(`/v1/automation-safe-list/${name}`, { version })).body.code as unknown;
    expect(await refused('uninstall_app')).toBe('automation.not_listable');
    expect(await refused('restart_everywhere')).toBe('automation.not_listable');
    expect(await refused('list_containers')).toBe('automation.not_listable');
    expect(await refused('restart_container', 2)).toBe('automation.other_version');
    expect(await refused('nothing')).toBe('resource.not_found');
    expect(await listed()).toEqual([]);
  });

  it('are those on the list, too, until the tool changes or its entry is removed', async () => {
    const put = await ada.put('/v1/automation-safe-list/restart_container', { version: 1 });
    expect(expectStatus(put, 200).body).toMatchObject({
      tool: 'restart_container',
      version: 1,
      counts: true,
      guarded: false,
    });
    expect(await tierOf('restart_container')).toMatchObject({ safe: true, reasons: [] });
    expect(await tierOf('stop_container')).toMatchObject({ safe: false });
    expect(await tierOf('restart_container', 'production')).toMatchObject({ safe: false });
    expectStatus(
      await ada.put('/v1/tools/restart_container', tool('modify', 'state_change_nonprod', 'Does more.')),
      200,
    );
    expect(await tierOf('restart_container')).toMatchObject({ safe: false, reasons: [NOT_LISTED] });
    expect(await listed()).toMatchObject([{ tool: 'restart_container', version: 1, counts: false }]);
    expectStatus(await ada.put('/v1/automation-safe-list/restart_container', { version: 2 }), 200);
    expect(await listed()).toMatchObject([{ version: 2, counts: true }]);
    expectStatus(await ada.delete('/v1/automation-safe-list/restart_container'), 204);
    expect(await listed()).toEqual([]);
    expect(await tierOf('restart_container')).toMatchObject({ safe: false });
    expect((await ada.delete('/v1/automation-safe-list/restart_container')).status).toBe(404);
  });

  it('are none that a halt stops, until it is lifted', async () => {
    const set = await ada.post('/v1/halts', { kind: 'tool', tool: 'list_containers', reason: 'It lists too much.' });
    const { id } = expectStatus(set, 201).body;
    expect(await tierOf('list_containers')).toMatchObject({ safe: false, reasons: [{ code: 'halt.active' }] });
    expect(await tierOf('list_services')).toMatchObject({ safe: true, reasons: [] });
    expectStatus(await ada.post(`/v1/halts/${String(id)}/lift`, { note: 'It lists enough.' }), 200);
    expect(await tierOf('list_containers')).toMatchObject({ safe: true, reasons: [] });
  });

  it('T42: have no entry that a login to the database wrote, and a person ends it', async () => {
    const forge = () =>
      api.db.owner.query(
        `insert into automation_safe_tool
           select t.tenant_id, gen_random_uuid(), t.name, v.version, v.digest, 'modify', 'state_change_nonprod', $2,
                  now(), null, null, 'key.' || repeat('A', 43)
             from tool t join tool_version v on v.tenant_id = t.tenant_id and v.tool_id = t.id and v.version = t.version
            where t.tenant_id = $1 and t.name = 'stop_container'`,
        [tenant.id, tenant.admin.id],
      );
    /** The person who ended the forged rows, and the number of such ends in the audit log. */
    const ends = async (): Promise<unknown> => {
      const { rows } = await api.db.owner.query<{ removed_by: string | null }>(
        `select removed_by from automation_safe_tool where tenant_id = $1 and seal = 'key.' || repeat('A', 43)`,
        [tenant.id],
      );
      const { body } = await ada.get('/v1/audit/entries?action=automation_safe_tool.forgery_removed');
      return { by: rows.map((row) => row.removed_by), recorded: (body.items as unknown[]).length };
    };
    const path = '/v1/automation-safe-list/stop_container';
    await forge();
    expect(await listed()).toEqual([]);
    expect(await tierOf('stop_container')).toMatchObject({ safe: false });
    expect(await ends()).toEqual({ by: [null], recorded: 0 });
    expectStatus(await ada.delete(path), 204);
    expect((await ada.delete(path)).status).toBe(404);
    await forge();
    expectStatus(await ada.put(path, { version: 1 }), 200);
    expect(await ends()).toEqual({ by: [tenant.admin.id, tenant.admin.id], recorded: 2 });
    expect(await listed()).toMatchObject([{ tool: 'stop_container', version: 1, counts: true }]);
    expect(await tierOf('stop_container')).toMatchObject({ safe: true });
    expectStatus(await ada.delete(path), 204);
    expect(await listed()).toEqual([]);
  });

  it('are only those that read while a freeze is in force', async () => {
    expectStatus(await ada.put('/v1/automation-safe-list/restart_container', { version: 2 }), 200);
    expect(await tierOf('restart_container')).toMatchObject({ safe: true, reasons: [] });
    const freeze = `freezes:\n  - { name: long, time_zone: UTC, from: 2026-01-01T00:00, until: 2099-01-01T00:00 }\n`;
    const put = async (text: string) =>
      expectStatus(
        await ada.put('/v1/autonomy', text, { 'if-match': (await ada.get('/v1/autonomy')).headers.etag ?? '' }),
        200,
      );
    await put(AUTONOMY + freeze);
    expect(await tierOf('restart_container')).toMatchObject({ safe: false, reasons: [{ code: 'freeze.active' }] });
    expect(await tierOf('list_services')).toMatchObject({ safe: true, reasons: [] });
    await put(AUTONOMY);
    expectStatus(await ada.delete('/v1/automation-safe-list/restart_container'), 204);
  });

  it('take two people to become more, and an admin to become fewer', async () => {
    const agent = api.http((await api.agent(tenant, tenant.admin)).token);
    const refused = await agent.put('/v1/automation-safe-list/restart_container', { version: 2 });
    expect([refused.status, refused.body.code]).toEqual([403, 'credential.scope_missing']);
    const ben = await api.person(tenant, 'PlatformAdmin');
    const totp = await enrolTotp(api, ben);
    const path = '/v1/automation-safe-list/restart_container';
    const asked = await ada.put(path, { version: 2 }, { 'countersign-reason': 'It restarts after crashes.' });
    const change = expectStatus(asked, 202).body;
    expect(change).toMatchObject({
      kind: 'automation_safe_tool',
      loosens: ['automations may call restart_container, version 2, while nobody watches'],
    });
    expect(await tierOf('restart_container')).toMatchObject({ safe: false });
    const asBen = api.http(ben.token);
    const { id, change_digest } = change;
    const step_up_id = await steppedUp(asBen, totp, { kind: 'change_confirm', change_id: id, change_digest });
    expectStatus(await asBen.post(`/v1/change-requests/${String(id)}/confirm`, { change_digest, step_up_id }), 200);
    expect(await tierOf('restart_container')).toMatchObject({ safe: true, reasons: [] });
    expectStatus(await ada.delete(path), 204);
    expect(await tierOf('restart_container')).toMatchObject({ safe: false });
  });
});
