import { readFileSync } from 'node:fs';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';

const demo = readFileSync('catalog/autonomy.yaml', 'utf8');

let api: TestApi;
let tenant: TestTenant;
let admin: HttpAs;

beforeAll(async () => {
  api = await testApi();
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', readFileSync('catalog/adr-009.yaml', 'utf8')), 200);
  await api.person(tenant, 'SRELead');
  await api.person(tenant, 'SRELead');
}, 120_000);
afterAll(async () => {
  await api.close();
});

interface Cell {
  readonly tool: string;
  readonly environment: string;
  readonly decision: { readonly outcome: string; readonly obligations: Record<string, unknown> };
  readonly source: { readonly line: number; readonly column: number } | null;
}
const cellOf = (cells: readonly Cell[], tool: string, environment: string) =>
  cells.find((cell) => cell.tool === tool && cell.environment === environment);

const etag = async (): Promise<string> => String((await admin.get('/v1/autonomy')).headers.etag);
const lineOf = (text: string): number => demo.slice(0, demo.indexOf(text)).split('\n').length;

describe('the autonomy document', () => {
  it('is absent at first: everything that changes state is denied, and nothing says why but the default', async () => {
    expectStatus(await admin.get('/v1/autonomy'), 404);
    const { body } = expectStatus(await admin.get('/v1/autonomy/matrix'), 200);
    expect(body.revision).toBeNull();
    const cell = cellOf(body.cells, 'execute_rollout_prod', 'production');
    expect(cell).toMatchObject({ decision: { outcome: 'deny' }, source: null });
    expect(cellOf(body.cells, 'query_assets', 'production')).toMatchObject({ decision: { outcome: 'allow' } });
  });

  it('lists in a dry run the cells that it would loosen, and changes nothing', async () => {
    const { body } = expectStatus(await admin.put('/v1/autonomy?dry_run=true', demo), 200);
    expect(body).toMatchObject({ dry_run: true, changed: true, revision: null, tightens: 0 });
    const loosened = body.cells.map((cell: Cell) => `${cell.tool} ${cell.environment}`);
    expect(loosened).toContain('execute_rollout_prod production');
    expect(loosened).toContain('execute_rollout_nonprod development');
    expect(loosened).not.toContain('trigger_dr_failover production');
    expect(body.diff).toContain('+autonomy:');
    expectStatus(await admin.get('/v1/autonomy'), 404);
  });

  it('is kept byte for byte, a byte order mark and odd line ends included', async () => {
    const odd = `\ufeff# für später\r\n${demo}`;
    const put = expectStatus(await admin.put('/v1/autonomy', odd), 200);
    expect(put.body).toMatchObject({ dry_run: false, changed: true, revision: 1 });
    const read = expectStatus(await admin.get('/v1/autonomy'), 200);
    expect(read.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(read.text).toBe(odd);
    expect(read.headers.etag).toBe(put.headers.etag);
  });

  it('is changed only by a person who has read it', async () => {
    expect(expectStatus(await admin.put('/v1/autonomy', demo), 428).body.code).toBe('request.if_match_required');
    expect(expectStatus(await admin.put('/v1/autonomy', demo, { 'if-match': '"old"' }), 412).body.code).toBe(
      'request.if_match_failed',
    );
    const { body } = expectStatus(await admin.put('/v1/autonomy', demo, { 'if-match': await etag() }), 200);
    expect(body).toMatchObject({ revision: 2, cells: [] });
    expect(body.diff).toContain('# für später');
  });

  it('put again as it is makes no revision', async () => {
    const { body } = expectStatus(await admin.put('/v1/autonomy', demo, { 'if-match': await etag() }), 200);
    expect(body).toMatchObject({ changed: false, revision: 2, diff: '' });
  });

  it('gives the matrix, each cell with the line its mode stands on', async () => {
    const { cells } = expectStatus(await admin.get('/v1/autonomy/matrix'), 200).body as { cells: Cell[] };
    expect(cells).toHaveLength(21 * 3);
    expect(cellOf(cells, 'execute_rollout_prod', 'production')).toMatchObject({
      decision: { outcome: 'require_approval', obligations: { approvals: [{ count: 2 }], phases: 'all' } },
      source: { line: lineOf('mode: full_auto # Executes'), column: 13 },
    });
    expect(cellOf(cells, 'trigger_dr_failover', 'production')).toMatchObject({
      decision: { outcome: 'deny' },
      source: { line: lineOf('mode: plan_only # Always'), column: 13 },
    });
    expect(cellOf(cells, 'execute_rollout_prod', 'staging')).toMatchObject({
      decision: { outcome: 'require_approval', obligations: { phases: 'canary' } },
    });
    expect(cellOf(cells, 'modify_firewall', 'staging')).toMatchObject({ decision: { outcome: 'deny' } });
    const narrowed = expectStatus(
      await admin.get('/v1/autonomy/matrix?tool=modify_firewall&environment=staging'),
      200,
    ).body;
    expect(narrowed.cells).toHaveLength(1);
  });

  it('says which cells a change tightens', async () => {
    const stricter = demo.replace('mode: full_auto # Executes with approval', 'mode: canary_only');
    const { body } = expectStatus(await admin.put('/v1/autonomy', stricter, { 'if-match': await etag() }), 200);
    expect(body).toMatchObject({ revision: 3, loosens: 0 });
    expect(body.cells).toContainEqual(
      expect.objectContaining({
        tool: 'execute_rollout_prod',
        environment: 'production',
        change: 'tightens',
        what: ['phases: all becomes canary'],
      }),
    );
  });

  it('asks approvers in production for a second factor, and says that leaving it out loosens', async () => {
    const stricter = demo.replace('mode: full_auto # Executes with approval', 'mode: canary_only');
    const without = stricter.replace(/ *require_mfa: true.*\n/, '');
    const headers = { 'if-match': await etag() };
    const { body } = expectStatus(await admin.put('/v1/autonomy?dry_run=true', without, headers), 200);
    expect(body).toMatchObject({ changed: true, tightens: 0 });
    expect(body.cells).toContainEqual(
      expect.objectContaining({
        tool: 'execute_rollout_prod',
        environment: 'production',
        change: 'loosens',
        what: ['second factor: required becomes not required'],
      }),
    );
  });

  it.each<[string, (text: string) => string, string, string]>([
    [
      'an environment that is not there',
      (text) => text.replace('    staging:', '    stagign:'),
      'autonomy.unknown_environment',
      'staging',
    ],
    [
      'a tool that is not there',
      (text) => text.replace('trigger_dr_failover:', 'trigger_dr_failovr:'),
      'autonomy.unknown_tool',
      'trigger_dr_failover',
    ],
    [
      "a role that is nobody's",
      (text) => text.replace('[PlatformAdmin, SRELead]', '[PlatformAdmin, SRELeed]'),
      'autonomy.unknown_role',
      'SRELead',
    ],
  ])('with %s is refused with what was meant', async (_, edit, code, suggestion) => {
    const { body } = expectStatus(await admin.put('/v1/autonomy?dry_run=true', edit(demo)), 422);
    expect(body).toMatchObject({ code: 'autonomy.invalid', errors: [{ code, suggestion }] });
    expect(body.errors[0].line).toBeGreaterThan(3);
  });

  it('with a quorum that can never be filled is refused, and the old one stays in force', async () => {
    const before = await admin.get('/v1/autonomy');
    const quorum = (slots: string) => demo.replace('      max_batch_percent: 20\n', `      quorum: ${slots}\n`);
    const headers = { 'if-match': String(before.headers.etag) };
    for (const slots of [
      '[{ count: 1, roles: [SRELead] }, { count: 1, roles: [SecurityReviewer] }]',
      '[{ count: 3, roles: [SRELead] }]',
      // The only admin cannot fill it alone: an admin who asks, or owns the agent, is excluded. Two leads, one each.
      '[{ count: 1, roles: [PlatformAdmin] }, { count: 3, roles: [SRELead, PlatformAdmin] }]',
    ]) {
      const { body } = expectStatus(await admin.put('/v1/autonomy', quorum(slots), headers), 422);
      expect(body.errors).toEqual([
        expect.objectContaining({
          code: 'autonomy.unfillable_quorum',
          pointer: '/autonomy/environments/production/quorum',
          line: 12,
        }),
      ]);
    }
    expect((await admin.get('/v1/autonomy')).text).toBe(before.text);
    expectStatus(await admin.put('/v1/autonomy?dry_run=true', quorum('[{ count: 2, roles: [SRELead] }]')), 200);
  });

  it("warns if an agent's owner is one of the few who could approve, but not of an automation", async () => {
    const home = await api.tenant();
    const tools = readFileSync('catalog/adr-009.yaml', 'utf8');
    expectStatus(await api.http(home.admin.token).put('/v1/tools', tools), 200);
    const owner = await api.person(home, 'PlatformAdmin', 'SecurityReviewer');
    await api.person(home, 'SRELead');
    const http = api.http(owner.token);
    const source =
      'name: tell\nenvironment: staging\ntriggers: [{ type: endpoint }]\nsteps: [{ id: tell, type: notify, message: Done. }]\n';
    const { body: proposed } = expectStatus(await http.post('/v1/automations', { source }), 201);
    const seen = { source_sha256: proposed.source_sha256 };
    expectStatus(await http.post(`/v1/automations/${String(proposed.id)}/enable`, seen), 200);
    const owned = demo
      .replace('      max_batch_percent: 20\n', '      quorum: [{ count: 1, roles: [SecurityReviewer] }]\n')
      .replace('[PlatformAdmin, SRELead]', '[any]');
    const needed = expect.objectContaining({ code: 'autonomy.owner_is_needed', line: 12 });
    const before = expectStatus(await http.put('/v1/autonomy?dry_run=true', owned), 200);
    expect(before.body.warnings).not.toContainEqual(needed);
    await api.agent(home, owner);
    const after = expectStatus(await http.put('/v1/autonomy?dry_run=true', owned), 200);
    expect(after.body.warnings).toContainEqual(needed);
  });

  it('T26: a document made to hurt is refused with its line, and the old one stays in force', async () => {
    const before = (await admin.get('/v1/autonomy')).text;
    const headers = { 'if-match': await etag() };
    const attacks: readonly (readonly [string, number])[] = [
      ['a: &a [x]\nb: *a\n', 400],
      [`autonomy: ${'['.repeat(10_000)}`, 400],
      ['autonomy:\n\tmode: plan_only\n', 400],
      ['autonomy:\n  mode: plan_only\n  mode: full_auto\n', 400],
      ['autonomy:\n  mode: plan_only\n  __proto__: {}\n', 400],
      ['autonomy: [1]\n', 422],
      ['autonomy:\n  mode: plan_only\n  backdoor: true\n', 422],
      [`# ${'x'.repeat(70_000)}\n`, 413],
      ['', 422],
    ];
    for (const [source, status] of attacks) {
      const { body } = expectStatus(await admin.put('/v1/autonomy', source, headers), status);
      if (status !== 413)
        expect(body.errors[0]).toMatchObject({ line: expect.any(Number), column: expect.any(Number) });
    }
    const json = await admin.put('/v1/autonomy', { autonomy: { mode: 'full_auto' } }, headers);
    expect(expectStatus(json, 415).body.code).toBe('autonomy.not_yaml');
    expect((await admin.get('/v1/autonomy')).text).toBe(before);
  });

  it('keeps every revision with its author and its changes', async () => {
    const { body } = expectStatus(await admin.get('/v1/autonomy/revisions?limit=2'), 200);
    expect(body.items).toMatchObject([
      { number: 3, in_force: true, created_by: { id: tenant.admin.id } },
      { number: 2, in_force: false },
    ]);
    const next = expectStatus(
      await admin.get(`/v1/autonomy/revisions?limit=2&cursor=${String(body.next_cursor)}`),
      200,
    ).body;
    expect(next.items).toMatchObject([{ number: 1 }]);
    const third = expectStatus(await admin.get('/v1/autonomy/revisions/3'), 200).body;
    expect(third.diff).toContain('-      mode: full_auto # Executes with approval');
    expect(third.diff).toContain('+      mode: canary_only');
    expectStatus(await admin.get('/v1/autonomy/revisions/99'), 404);
  });

  it('two changes at once: the second is told that the document was changed', async () => {
    const headers = { 'if-match': await etag() };
    const answers = await Promise.all(
      ['# a\n', '# b\n'].map((line) => admin.put('/v1/autonomy', line + demo, headers)),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
  });

  it('T19: another tenant sees none of it; only a PlatformAdmin writes it', async () => {
    const other = api.http((await api.tenant()).admin.token);
    expectStatus(await other.get('/v1/autonomy'), 404);
    expectStatus(await other.get('/v1/autonomy/revisions/1'), 404);
    const lead = await api.person(tenant, 'SRELead');
    expectStatus(await api.http(lead.token).put('/v1/autonomy', demo), 403);
    const agent = await api.agent(tenant, tenant.admin);
    expectStatus(await api.http(agent.token).put('/v1/autonomy', demo), 403);
    expectStatus(await api.http(agent.token).get('/v1/autonomy'), 200);
  });
});
