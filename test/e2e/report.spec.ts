import type { ProductionChangeView } from '#lib/api-schemas';
import { expectStatus, testApi, type HttpAs, type TestApi } from '../support/api.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { verifiedBy } from '../support/verified-by.js';
import { populatedTenant, type PopulatedTenant } from '../support/populated-tenant.js';

const DAY_MS = 86_400_000;

let api: TestApi;
let fleet: { readonly port: number; close(): Promise<void> };
let world: PopulatedTenant;
let reviewer: HttpAs;

beforeAll(async () => {
  fleet = await predictingToolServer();
  api = await testApi({ config: { allowedPrivateHosts: [`127.0.0.1:${String(fleet.port)}`] } });
  world = await populatedTenant(api, fleet.port);
  reviewer = world.everything;
}, 120_000);
afterAll(async () => {
  await api.close();
  await fleet.close();
});

const period = (fromMs: number, untilMs: number): string =>
  `from=${new Date(Date.now() + fromMs).toISOString()}&until=${new Date(Date.now() + untilMs).toISOString()}`;
const today = (): string => period(-DAY_MS, DAY_MS);

interface Totals {
  runs: number;
  ordinary: number;
  exceptional: number;
  by_state: { state: string; runs: number }[];
  by_exception: { exception: string; runs: number }[];
}

/** The run that was approved. */
const oneOf = (body: { readonly items: { readonly run_id: string }[] }) =>
  body.items.find(({ run_id: id }) => id === world.ids.run) as ProductionChangeView;

function expectReconciled(totals: Totals, items: { state: string; exceptions: string[] }[]): void {
  expect(totals.runs).toBe(items.length);
  expect(totals.ordinary + totals.exceptional).toBe(totals.runs);
  expect(totals.by_state.reduce((sum, { runs }) => sum + runs, 0)).toBe(totals.runs);
  expect(totals.exceptional).toBe(items.filter(({ exceptions }) => exceptions.length > 0).length);
  for (const { exception, runs } of totals.by_exception)
    expect(runs).toBe(items.filter(({ exceptions }) => exceptions.includes(exception)).length);
}

describe('the report of production changes', () => {
  it('lists every run in production with counts over the same rows', async () => {
    const { body } = expectStatus(await reviewer.get(`/v1/reports/production-changes?${today()}`), 200);
    expect(body.items).toHaveLength(2);
    expect(oneOf(body)).toMatchObject({
      run_id: world.ids.run,
      plan_id: world.ids.plan,
      environment: 'production',
      state: 'queued',
      exceptions: [],
      approval_request_id: world.ids.request,
      requester: { kind: 'agent', id: world.ids.agent },
    });
    expect(oneOf(body).approvers).toHaveLength(1);
    expect(body.items[1]).toMatchObject({
      exceptions: ['break_glass'],
      incident_id: world.ids.incident,
      approval_request_id: null,
      approvers: [],
    });
    expectReconciled(body.totals as Totals, body.items as never);
  });

  it('comes as evidence packs that verify, one a line', async () => {
    const answer = await reviewer.get(`/v1/reports/production-changes/packs?${today()}`);
    expect(answer.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const [pack = '', other = '', end] = answer.text.split('\n');
    expect(end).toBe('');
    expect(await verifiedBy(reviewer, pack)).toMatchObject({
      failure: null,
      subject: { type: 'plan', id: world.ids.plan },
    });
    expect(await verifiedBy(reviewer, other)).toMatchObject({ failure: null });
  });

  it('lists the exceptions of a run', async () => {
    const owner = api.db.owner;
    // The engine would have written this for a run that goes wrong; the report reads the rows alone.
    await owner.query(`update run_step set resolved_as = 'happened' where run_id = $1 and position = 1`, [
      world.ids.run,
    ]);
    await owner.query(`update run set rollback_reason = '{"code":"run.health","message":"unhealthy"}' where id = $1`, [
      world.ids.run,
    ]);
    const { body } = await reviewer.get(`/v1/reports/production-changes?${today()}`);
    expect(oneOf(body).exceptions).toEqual(['rolled_back', 'unknown_effect']);
    expectReconciled(body.totals as Totals, body.items as never);
  });

  it('is empty outside the period, and for another tenant', async () => {
    const before = await reviewer.get(`/v1/reports/production-changes?${period(-3 * DAY_MS, -2 * DAY_MS)}`);
    expect(before.body).toMatchObject({ items: [], next_cursor: null, totals: { runs: 0, ordinary: 0, by_state: [] } });
    const other = await api.tenant();
    const theirs = await api.http(other.admin.token).get(`/v1/reports/production-changes?${today()}`);
    expect(theirs.body.totals.runs).toBe(0);
  });

  it('refuses a period that is none', async () => {
    const backwards = await reviewer.get(`/v1/reports/production-changes?${period(DAY_MS, -DAY_MS)}`);
    expect(backwards).toMatchObject({ status: 422, body: { code: 'report.period_empty' } });
    const toCome = await reviewer.get(`/v1/reports/production-changes?${period(DAY_MS, 2 * DAY_MS)}`);
    expect(toCome).toMatchObject({ status: 422, body: { code: 'report.period_empty' } });
  });

  it('is also CSV, with nothing that a spreadsheet would calculate', async () => {
    await api.db.owner.query(
      `alter table task disable trigger user; update task set spec = jsonb_set(spec::jsonb, '{goal}', '"=HYPERLINK(\\"x\\"), said \\"so\\""')::text`,
    );
    const answer = await reviewer.get(`/v1/reports/production-changes?${today()}`, { accept: 'text/csv' });
    expect(answer.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    expect(answer.headers['content-disposition']).toMatch(/^attachment; filename="production-changes-.*\.csv"$/);
    const [header = '', row = '', , end] = answer.text.split('\r\n');
    expect(header).toMatch(/^occurred_at,run_id,environment,state,exceptions,/);
    expect(row).toContain(`,${String(world.ids.run)},production,queued,rolled_back unknown_effect,`);
    expect(row.endsWith(`,"'=HYPERLINK(""x""), said ""so"""`)).toBe(true);
    expect(end).toBe('');
    expect((await reviewer.get(`/v1/reports/production-changes?${today()}&format=csv`)).text).toBe(answer.text);
  });

  it('is for those with the scope audit', async () => {
    const plain = await api.person(world.tenant);
    expect(await api.http(plain.token).get(`/v1/reports/production-changes?${today()}`)).toMatchObject({ status: 403 });
  });
});

describe('the overview', () => {
  it('counts waiting requests, running runs and decisions', async () => {
    const { body } = expectStatus(await reviewer.get('/v1/overview?days=3'), 200);
    expect(body.running).toMatchObject({ total: 2, runs: [{ environment: 'production' }, { id: world.ids.run }] });
    expect(body.waiting).toEqual({ approvals: 0, next_expiry: null, starts: 0, unknown_effects: 0, paused_runs: 0 });
    expect(body.active_halts).toBe(1);
    expect(body.incidents).toEqual({ open: 1, overdue: 0 });
    const request = expectStatus(await reviewer.get(`/v1/approval-requests/${String(world.ids.request)}`), 200).body;
    // Midnight may have come since.
    const day = (request.approved_at as string).slice(0, 10);
    const days = body.approval_times as readonly { readonly day: string }[];
    expect(days).toHaveLength(3);
    expect(days.filter((each) => each.day === day)).toMatchObject([{ approved: 1, p50_seconds: expect.any(Number) }]);
    for (const other of days.filter((each) => each.day !== day))
      expect(other).toMatchObject({ approved: 0, p50_seconds: null });
    expect(body.decisions).toHaveLength(3);
    expect(body.decisions.find((each: { readonly day: string }) => each.day === day).allow).toBeGreaterThan(0);
  });
});

describe('the search of the audit log', () => {
  const found = async (query: string): Promise<{ header: { action: string; subject: { type: string } } }[]> =>
    expectStatus(await reviewer.get(`/v1/audit/entries?limit=200&${query}`), 200).body.items as never;

  it('finds entries by the tool of their plan, and of the tool itself', async () => {
    const actions = (await found('tool=execute_rollout_prod')).map(({ header }) => header.action);
    expect(actions).toEqual(expect.arrayContaining(['plan.validated', 'tool.created', 'approval_request.approved']));
    expect(new Set(await found('tool=trigger_dr_failover')).size).toBe(1);
    expect(await found('tool=no_such_tool')).toEqual([]);
  });

  it('finds a refused call of a tool that is not there', async () => {
    const call = { tool: 'never_registered', environment: 'production', arguments: {} };
    expectStatus(await reviewer.post('/v1/tool-calls', call), 201);
    expect(await found('tool=never_registered')).toMatchObject([
      { header: { action: 'tool_call.decided', subject: { type: 'tool_call' } } },
    ]);
    expect(await found('tool=never')).toEqual([]);
  });

  it('finds single calls by their tool and outcome', async () => {
    const call = { tool: 'query_assets', environment: 'production', arguments: {} };
    expectStatus(await reviewer.post('/v1/tool-calls', call), 201);
    const actions = async (query: string): Promise<string[]> => (await found(query)).map(({ header }) => header.action);
    expect(await actions('tool=query_assets')).toEqual(['tool_call.decided', 'tool.created']);
    expect(await actions('tool=query_assets&outcome=allow')).toEqual(['tool_call.decided']);
    expect(await actions('tool=query_assets&outcome=deny')).toEqual([]);
  });

  it('pages a search by tool without a gap or a repetition', async () => {
    const all = (await found('tool=execute_rollout_prod')).map(({ header }) => (header as never as { id: string }).id);
    const paged: string[] = [];
    let cursor = '';
    do {
      const { body } = await reviewer.get(`/v1/audit/entries?limit=2&tool=execute_rollout_prod${cursor}`);
      paged.push(...(body.items as { header: { id: string } }[]).map(({ header }) => header.id));
      cursor = body.next_cursor === null ? '' : `&cursor=${String(body.next_cursor)}`;
    } while (cursor !== '');
    expect(paged).toEqual(all);
  });

  it('exports the entries of a search as JSON and as CSV, a line each', async () => {
    const filter = 'tool=execute_rollout_prod';
    const ids = (await found(filter)).map(({ header }) => (header as never as { id: string }).id);
    const lines = expectStatus(await reviewer.get(`/v1/audit/export?format=jsonl&${filter}`), 200).text.split('\n');
    expect(lines.pop()).toBe('');
    expect(lines.map((line) => (JSON.parse(line) as { header: { id: string } }).header.id)).toEqual(ids);
    const csv = expectStatus(await reviewer.get(`/v1/audit/export?format=csv&${filter}`), 200);
    expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8; header=present');
    const [names, ...records] = csv.text.trimEnd().split('\r\n');
    expect(names).toMatch(/^occurred_at,id,level,action,/);
    expect(records.map((record) => record.split(',')[1])).toEqual(ids);
    for (const query of ['format=xml', 'format=csv&limit=5'])
      expect(expectStatus(await reviewer.get(`/v1/audit/export?${query}`), 422).body.code).toBe(
        'request.query_invalid',
      );
  });

  it('lists the actions that there are entries of, for this tenant alone', async () => {
    const { items } = expectStatus(await reviewer.get('/v1/audit/actions'), 200).body as { items: string[] };
    expect(items).toEqual([...new Set(items)].toSorted());
    expect(items).toEqual(expect.arrayContaining(['plan.validated', 'tool.created']));
    expect(items).not.toContain('secret.stored');
  });

  it('finds entries by subject type, level and outcome', async () => {
    for (const { header } of await found('subject_type=run')) expect(header.subject.type).toBe('run');
    expect((await found('outcome=allow')).length).toBeGreaterThan(0);
    const critical = (await found('level=critical')).map(({ header }) => header.action);
    expect(critical).toContain('incident.opened');
  });
});
