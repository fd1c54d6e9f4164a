import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';
import type { ImpactReportView } from '#lib/api-schemas';
import type { ChangeRequestId } from '#lib/kernel';
import { runCommandLine } from '../../apps/cli/src/command-line.js';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { until } from '../support/until.js';
import { workerOf } from '../support/worker.js';

const tool = (name: string, risk: string): string =>
  [
    `  ${name}:`,
    '    description: Does something.',
    `    risk: ${risk}`,
    '    idempotent: true',
    '    scope: asset',
    '    requires_plan: false',
    ...(risk === 'read_only' ? [] : ['    simulation: not_applicable']),
    ...(risk === 'read_only' ? [] : ['    effect: modify', '    identity_fields: [/name]']),
    '    parameters: { type: object, properties: { name: { type: string } }, required: [name], additionalProperties: false }',
  ].join('\n');
const TOOLS = `tools:\n${tool('look', 'read_only')}\n${tool('restart', 'state_change_nonprod')}\n${tool('wipe', 'state_change_nonprod')}\n`;
const document = (development: string, staging: string): string =>
  `autonomy:\n  mode: plan_only\n  environments:\n    development: { mode: ${development} }\n    staging: { mode: ${staging} }\n`;
const NOW = document('full_auto', 'plan_only');
/** Calls that change something in development are denied, and those in staging are let through. */
const SWAPPED = document('plan_only', 'full_auto');
const TIGHTER = document('plan_only', 'plan_only');

const CALLS = [
  ['look', 'development', 2],
  ['restart', 'development', 3],
  ['restart', 'staging', 2],
  ['wipe', 'development', 1],
] as const;

let api: TestApi;
let worker: { stop(): Promise<void> };
let tenant: TestTenant;
let admin: HttpAs;
let agent: HttpAs;
let calls = 0;
const folder = mkdtempSync(join(tmpdir(), 'countersign-impact-'));

const call = async ([name, environment, times]: (typeof CALLS)[number]): Promise<string[]> => {
  const outcomes: string[] = [];
  for (let time = 0; time < times; time += 1) {
    calls += 1;
    const wanted = { tool: name, environment, arguments: { name: `web-${String(calls)}` } };
    const { body } = expectStatus(await agent.post('/v1/tool-calls', wanted), 201);
    outcomes.push(String(body.outcome));
  }
  return outcomes;
};
const callAll = async (): Promise<string[]> => {
  const all: string[] = [];
  for (const one of CALLS) all.push(...(await call(one)));
  return all;
};

beforeAll(async () => {
  api = await testApi();
  worker = await workerOf(api);
  tenant = await api.tenant();
  admin = api.http(tenant.admin.token);
  expectStatus(await admin.put('/v1/tools', TOOLS), 200);
  expectStatus(await admin.put('/v1/autonomy', NOW), 200);
  agent = api.http((await api.agent(tenant, await api.person(tenant))).token);
}, 60_000);
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await worker.stop();
  await api.close();
});

const finished = async (path: string, as = admin): Promise<ImpactReportView> => {
  let report: unknown;
  await until(async () => {
    report = expectStatus(await as.get(path), 200).body;
    return (report as ImpactReportView).phase === 'done';
  });
  return report as ImpactReportView;
};
const asked = async (configuration: object): Promise<ImpactReportView> => {
  const { body } = expectStatus(await admin.post('/v1/impact-reports', { configuration, since_days: 30 }), 201);
  return finished(`/v1/impact-reports/${String(body.id)}`);
};

describe('the impact of a configuration that is not in force', () => {
  it('counts exactly the calls that come out otherwise once it is', async () => {
    const before = await callAll();
    const report = await asked({ autonomy: SWAPPED });
    expect(report).toMatchObject({
      looser: true,
      sample: null,
      decisions: { total: 8, untouched: 0, same: 2, changed: 6, looser: 2, not_put: 0, otherwise_today: 0 },
      by: {
        environment: [
          { name: 'development', changed: 4, looser: 0, looser_estimate: 0 },
          { name: 'staging', changed: 2, looser: 2, looser_estimate: 2 },
        ],
        tool: [
          { name: 'restart', changed: 5, looser: 2 },
          { name: 'wipe', changed: 1, looser: 0 },
        ],
        agent: [{ changed: 6, looser: 2, changed_estimate: 6 }],
      },
    });
    expect(report.groups).toContainEqual(
      expect.objectContaining({
        environment: 'staging',
        tools: ['restart'],
        from: 'deny',
        to: 'require_approval',
        change: 'loosens',
        count: 2,
        rules_go: [{ rule: 'countersign.matrix', code: 'autonomy.plan_only' }],
      }),
    );
    const [first] = report.groups[0]?.examples ?? [];
    expectStatus(await admin.get(`/v1/decisions/${String(first?.decision_id)}`), 200);

    const etag = String((await admin.get('/v1/autonomy')).headers.etag);
    expectStatus(await admin.put('/v1/autonomy', SWAPPED, { 'if-match': etag }), 200);
    const after = await callAll();
    expect(after.filter((outcome, index) => outcome !== before[index])).toHaveLength(report.decisions.changed);
    const back = String((await admin.get('/v1/autonomy')).headers.etag);
    expectStatus(await admin.put('/v1/autonomy', NOW, { 'if-match': back }), 200);
  });

  it('lists every cell that becomes looser, and none that becomes tighter', async () => {
    const { id, cells, cell_counts: counts } = await asked({ autonomy: SWAPPED });
    expect(cells.filter((cell) => cell.in_force)).toMatchObject(
      ['restart', 'wipe'].map((name) => ({
        environment: 'staging',
        tool: name,
        mode: 'full_auto',
        from: 'deny',
        to: 'allow',
        gains: ['looser', 'always_allowed'],
      })),
    );
    // The same, page by page.
    const paged: unknown[] = [];
    for (let query = '?limit=1'; query !== '';) {
      const { body } = expectStatus(await admin.get(`/v1/impact-reports/${id}/cells${query}`), 200);
      paged.push(...(body.items as unknown[]));
      query = body.next_cursor === null ? '' : `?limit=1&cursor=${String(body.next_cursor)}`;
    }
    expect(paged).toEqual(cells);
    expect(counts).toEqual({ found: cells.length, looser: 2 });
  });

  it('has a tool tell which decisions rest on its arguments', async () => {
    const { decisions, not_put: notPut } = await asked({
      tools: TOOLS.replace('{ name: { type: string } }', '{ name: { type: string, minLength: 2 } }'),
    });
    expect(decisions).toMatchObject({ untouched: 12, not_put: 4 });
    expect(notPut).toMatchObject([{ why: 'arguments_needed', count: 4 }]);
  });

  it('is asked for with a credential that can change nothing, as a pipeline has it', async () => {
    const minted = { name: 'pipeline', scopes: ['read', 'audit'], expires_in_days: 1 };
    const pipeline = api.http(String(expectStatus(await admin.post('/v1/tokens', minted), 201).body.token));
    const asks = { configuration: { autonomy: SWAPPED } };
    const { id } = expectStatus(await pipeline.post('/v1/impact-reports', asks), 201).body;
    expect((await finished(`/v1/impact-reports/${String(id)}`, pipeline)).looser).toBe(true);
    expect(expectStatus(await pipeline.put('/v1/autonomy', TIGHTER), 403).body.code).toBe('credential.scope_missing');
  });

  it('is refused if a document is not valid, and to all who may not read decisions', async () => {
    const refused = await admin.post('/v1/impact-reports', { configuration: { autonomy: 'autonomy: { mode: fast }' } });
    expect(expectStatus(refused, 422).body.code).toBe('autonomy.invalid');
    const { id } = await asked({ autonomy: TIGHTER });
    const person = api.http((await api.person(tenant, 'SRELead')).token);
    for (const who of [agent, person])
      expect(expectStatus(await who.get(`/v1/impact-reports/${id}`), 403).body.code).toBe('credential.scope_missing');
  });
});

describe('the impact of a change request', () => {
  it('is there for that person, and its work ends with the change', async () => {
    const other = await api.person(tenant, 'PlatformAdmin');
    const etag = String((await admin.get('/v1/autonomy')).headers.etag);
    const headers = { 'if-match': etag, 'countersign-reason': 'We trust staging.' };
    const { body } = expectStatus(await admin.put('/v1/autonomy', SWAPPED, headers), 202);
    const path = `/v1/change-requests/${String(body.id)}/impact`;
    const report = await finished(path, api.http(other.token));
    expect(report).toMatchObject({ change_id: body.id, looser: true, decisions: { total: 16, looser: 4 } });
    const line =
      '12 of 16 decisions of the last 30 days would have come out otherwise, 4 of them looser. 2 cells in force become looser.';
    expect(report.summary).toBe(line);
    const notice = await api.database.uow.run(tenant.id, (tx) =>
      api.installation.changes.changeNotices.read(tx, { change_id: body.id as ChangeRequestId, event: 'impact' }),
    );
    expect(notice).toMatchObject({ editsOnly: true, url: expect.stringContaining(`/changes/${String(body.id)}`) });
    expect(notice?.lines).toContain(`Impact: ${line}`);

    // A setting moves meanwhile: its readers see that it does not hold, and it is made anew.
    expectStatus(await admin.post('/v1/environments', { name: 'lab', production: false }), 201);
    const moved = expectStatus(await api.http(other.token).get(path), 200).body;
    expect(moved).toMatchObject({ phase: 'outdated', outdated: true });
    await api.db.owner.query("update impact_report set next_at = now() where phase = 'done' and next_at is not null");
    await until(async () => {
      const { body: renewed } = expectStatus(await admin.get(path), 200);
      return renewed.phase === 'done' && renewed.renewals === 1;
    });

    await worker.stop();
    const again = expectStatus(await admin.put('/v1/autonomy', `${SWAPPED}# again\n`, headers), 202).body;
    expectStatus(await admin.post(`/v1/change-requests/${String(again.id)}/withdraw`), 200);
    const ended = expectStatus(await admin.get(`/v1/change-requests/${String(again.id)}/impact`), 200).body;
    expect(ended).toMatchObject({ phase: 'cancelled' });
    worker = await workerOf(api);
  });
});

describe('countersign impact', () => {
  const run = async (...argv: string[]) => {
    let [out, err] = ['', ''];
    const token = join(folder, 'token');
    writeFileSync(token, tenant.admin.token, { mode: 0o600 });
    const address = api.app.getHttpServer().address() as { port: number } | null;
    if (address === null) await api.app.listen(0, '127.0.0.1');
    const exitCode = await runCommandLine(argv, {
      environment: { COUNTERSIGN_URL: await api.app.getUrl(), COUNTERSIGN_TOKEN_FILE: token },
      out: (text) => (out += text),
      err: (text) => (err += text),
      readLine: () => Promise.resolve(null),
      readAll: () => Promise.resolve(''),
      pieces: () => Readable.from([]),
      replay: () => Promise.resolve([]),
    });
    return { exitCode, out: stripVTControlCharacters(out), err: stripVTControlCharacters(err) };
  };

  it('ends with 8 if something is looser, and with 0 if nothing is', async () => {
    writeFileSync(join(folder, 'autonomy.yaml'), SWAPPED);
    const looser = await run('impact', folder, '--since', '30d');
    expect(looser.err).not.toContain('error');
    expect(looser.exitCode).toBe(8);
    expect(looser.out).toContain(
      '12 of 16 decisions of the last 30 days would have come out otherwise, 4 of them looser.',
    );
    expect(looser.out).toContain('The change lets pass what was held back.');
    writeFileSync(join(folder, 'autonomy.yaml'), TIGHTER);
    const tighter = await run('impact', folder);
    expect(tighter.exitCode).toBe(0);
    expect(tighter.out).toContain('Nothing that was held back would pass.');
  });

  it('ends with 8 for what no cell shows, and names it', async () => {
    writeFileSync(
      join(folder, 'autonomy.yaml'),
      `${NOW}emergency_override: { enabled: true, allowed_roles: [SRELead] }\n`,
    );
    const { exitCode, out } = await run('impact', folder);
    expect(out).toContain('None of 16 decisions');
    expect(out).toContain('Looser beyond the cells');
    expect(out).toContain('- break-glass is switched on, for SRELead');
    expect(exitCode).toBe(8);
  });

  it('ends with 9 if decisions could not be put again, and says why', async () => {
    rmSync(join(folder, 'autonomy.yaml'));
    writeFileSync(join(folder, 'tools.yaml'), TOOLS.replace('{ type: string }', '{ type: string, maxLength: 90 }'));
    const { exitCode, out } = await run('impact', folder);
    rmSync(join(folder, 'tools.yaml'));
    expect(out).toContain(
      '4 decisions could not be put again. The change reads the arguments of a tool in another way',
    );
    expect(out).toContain('It is not known for decisions that could not be put again or are not in the database.');
    expect(exitCode).toBe(9);
  });

  it('puts the policies of another version to the decisions, on the server', async () => {
    const { DATABASE_URL: url, COUNTERSIGN_KEYRING: keyring } = process.env;
    process.env.DATABASE_URL = api.db.url;
    process.env.COUNTERSIGN_KEYRING = join(api.config.keyDirectory, 'keyring.json');
    const same = await run('impact', '--policies', 'policies', '--tenant', tenant.slug);
    const unknown = await run('impact', '--policies', 'policies', '--tenant', 'nobody');
    const broken = await run('impact', '--policies', folder, '--tenant', tenant.slug, '--json');
    for (const [name, before] of Object.entries({ DATABASE_URL: url, COUNTERSIGN_KEYRING: keyring }))
      if (before === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = before;
    expect(same.err).not.toContain('error');
    expect(same.out).toContain('None of 16 decisions of the last 30 days');
    expect(same.exitCode).toBe(0);
    expect(unknown.exitCode).toBe(2);
    expect(broken.exitCode).toBe(2);
    expect(broken.err).toContain('impact.policies_unreadable');
  });

  it('prints Markdown in which names are no markup', async () => {
    writeFileSync(join(folder, 'autonomy.yaml'), SWAPPED);
    const { out } = await run('impact', folder, '--markdown');
    expect(out).toContain('## Impact of this change');
    expect(out).toContain('| staging | 4 | 4 |');
    expect(out).toContain('deny → require\\_approval');
    expect(out).toContain(`(${await api.app.getUrl()}/audit?subject_id=`);
    expect(out).toContain('full\\_auto');
  });
});
