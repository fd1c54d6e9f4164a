import { randomUUID } from 'node:crypto';
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { toolCatalogSchema, type GrantClaims } from '#lib/formats';
import { GrantError } from '#lib/sdk';
import { FORMER_IMAGE, GOLDEN_IMAGE } from './fleet-state.js';
import { fleetServer } from './fleet-server.js';
import { Ledger, type LedgerEntry } from './ledger.js';
import { TOOLS } from './tools.js';

const claims = (tool: string, environment = 'production'): GrantClaims => ({
  iss: 'i',
  aud: 'fleet',
  iat: 0,
  exp: 60,
  jti: 'grant-1',
  tenant: 'tenant-1',
  environment,
  basis: 'approval',
  source: { type: 'run', id: 'run-1' },
  step: 'step-1',
  attempt: 1,
  tool,
  tool_version: 1,
  arguments_digest: 'sha256:',
  plan_digest: null,
  shell: null,
});

const toolsOf = (file: string) =>
  toolCatalogSchema.parse(parse(readFileSync(join(__dirname, '../../../catalog', file), 'utf8'))).tools;

/** Arguments that each tool of ADR-003 takes. */
const GIVEN: Readonly<Record<string, string>> = {
  ...{ container: 'cache', app: 'shop', image: 'shop-2', content: 'a: 1', variable: 'LEVEL', value: 'debug' },
  ...{ setting: 'log-level', message: 'It is done.', note: 'It was slow.', id: 'note-1', change: 'change-1' },
};

describe('the example fleet', () => {
  let directory: string;
  let ledgerFile: string;
  const open: { server: Server; ledger: Ledger }[] = [];

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'countersign-fleet-'));
    ledgerFile = join(directory, 'ledger.jsonl');
  });
  afterEach(async () => {
    for (const { server, ledger } of open.splice(0)) {
      await new Promise((resolve) => server.close(resolve));
      ledger.close();
    }
    rmSync(directory, { recursive: true });
  });

  async function start(options: { allowFaults?: boolean; refuse?: boolean; environment?: string } = {}) {
    const ledger = Ledger.open(ledgerFile);
    const server = fleetServer({
      ledger,
      allowFaults: options.allowFaults ?? false,
      verifyGrant: (grant, call) =>
        options.refuse === true || grant === undefined
          ? Promise.reject(new GrantError('grant.missing', 'the call came without a grant'))
          : Promise.resolve(claims(call.tool, options.environment)),
    });
    open.push({ server, ledger });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    const post = async (path: string, body: unknown, headers: Record<string, string> = {}) => {
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const answer = await fetch(`${origin}${path}`, { method: 'POST', body: text, headers });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const granted = { 'countersign-grant': 'g' };
    const call = (
      tool: string,
      given: unknown,
      headers: Record<string, string> = granted,
      key: string = randomUUID(),
    ) => post('/tools', { tool, tool_version: 1, arguments: given, secrets: {}, idempotency_key: key }, headers);
    const get = async (path: string) => (await fetch(`${origin}${path}`)).json() as Promise<Record<string, unknown[]>>;
    const callUnder = (key: string, tool: string, given: unknown) => call(tool, given, granted, key);
    return { post, call, callUnder, get };
  }

  it('has exactly the tools of the catalogs', () => {
    const tools = { ...toolsOf('adr-009.yaml'), ...toolsOf('automation/tools.yaml') };
    expect(Object.keys(TOOLS).sort()).toEqual(Object.keys(tools).sort());
    const changing = Object.entries(tools).filter(([, tool]) => tool.risk.startsWith('state_change'));
    expect(
      Object.keys(TOOLS)
        .filter((name) => TOOLS[name]?.changes)
        .sort(),
    ).toEqual(changing.map(([name]) => name).sort());
  });

  it('restarts servers that failed, and writes every other tool of ADR-003 down', async () => {
    const { post, call, get } = await start({ allowFaults: true, environment: 'staging' });
    const targets = ['stage-web-03'];
    const alerts = async () => (await call('query_alerts', { targets })).body;
    await post('/faults', { assets: targets, effect: 'unhealthy' });
    expect(await alerts()).toMatchObject({ result: { metrics: { unhealthy: 1 } } });
    await post('/faults', { assets: targets, effect: 'silent' });
    expect(await alerts()).toMatchObject({ error: { code: 'fleet.no_answer' } });
    await call('restart_service_nonprod', { targets, reason: 'silent' });
    expect(await alerts()).toMatchObject({ result: { metrics: { unhealthy: 0 } } });
    const others = Object.entries(toolsOf('automation/tools.yaml')).filter(
      ([name]) => name !== 'restart_service_nonprod',
    );
    for (const [name, { parameters }] of others) {
      const required = parameters?.required as readonly string[];
      const given = Object.fromEntries(required.map((argument) => [argument, GIVEN[argument]]));
      expect((await call(name, given)).body).toEqual({ ok: true, result: { written_down: true } });
    }
    const { entries } = await get('/ledger');
    expect(entries?.slice(3).map((entry) => (entry as LedgerEntry).tool)).toEqual(others.map(([name]) => name));
  });

  it('does nothing without a grant', async () => {
    const { call, get } = await start();
    const answer = await call('execute_rollout_prod', { targets: ['web-01'], image: GOLDEN_IMAGE }, {});
    expect(answer).toMatchObject({ status: 403, body: { code: 'grant.missing' } });
    expect(await get('/ledger')).toEqual({ entries: [] });
  });

  it('predicts a rollout, executes it, writes it down, and still knows it after a restart', async () => {
    const first = await start();
    const given = { targets: ['web-01', 'web-02'], image: GOLDEN_IMAGE };
    expect((await first.call('simulate_rollout', given)).body).toMatchObject({
      ok: true,
      result: {
        affected_assets: 2,
        estimated_duration_minutes: 3,
        predicted_risk: 'low',
        details: { from: [FORMER_IMAGE] },
      },
    });
    expect((await first.call('execute_rollout_prod', given)).body).toMatchObject({ ok: true });
    appendFileSync(ledgerFile, '{"number":2,"tool":"cut sh');

    const second = await start();
    const { entries } = await second.get('/ledger');
    expect(entries).toEqual([
      expect.objectContaining({
        number: 1,
        tool: 'execute_rollout_prod',
        source: { type: 'run', id: 'run-1' },
        attempt: 1,
      }),
    ]);
    expect((await second.call('simulate_rollout', given)).body).toMatchObject({ result: { affected_assets: 0 } });
    await second.call('execute_rollout_prod', given);
    expect(
      readFileSync(ledgerFile, 'utf8')
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { number: number }).number),
    ).toEqual([1, 2]);
  });

  it('does not start on a ledger of another form, and names the line', async () => {
    const first = await start();
    await first.call('execute_rollout_prod', { targets: ['web-01'], image: GOLDEN_IMAGE });
    appendFileSync(ledgerFile, '{"number":2,"tool":"execute_rollout_prod"}\n');
    expect(() => Ledger.open(ledgerFile)).toThrow('line 2 is no entry of a ledger.');
  });

  it('does once a call that came twice under one key, a restart between them, and writes both down', async () => {
    const first = await start();
    const given = { targets: ['web-01'], image: GOLDEN_IMAGE };
    const done = await first.callUnder('step-1', 'execute_rollout_prod', given);
    await first.call('execute_rollout_prod', { targets: ['web-01'], image: FORMER_IMAGE });

    const second = await start();
    expect(await second.callUnder('step-1', 'execute_rollout_prod', given)).toEqual(done);
    expect((await second.get('/ledger')).entries).toEqual([
      expect.objectContaining({ number: 1, idempotency_key: 'step-1', repeats: null }),
      expect.objectContaining({ number: 2, repeats: null }),
      expect.objectContaining({ number: 3, idempotency_key: 'step-1', repeats: 1 }),
    ]);
    const assets = (await second.get('/assets')).assets as { name: string; image: string }[];
    expect(assets.find((asset) => asset.name === 'web-01')?.image).toBe(FORMER_IMAGE);
  });

  it('refuses another call under a key that was used', async () => {
    const { callUnder, get } = await start();
    await callUnder('step-1', 'execute_rollout_prod', { targets: ['web-01'], image: GOLDEN_IMAGE });
    const other = await callUnder('step-1', 'execute_rollout_prod', { targets: ['web-02'], image: GOLDEN_IMAGE });
    expect(other.body).toMatchObject({ ok: false, effect: 'not_started', error: { code: 'fleet.key_reused' } });
    expect((await get('/ledger')).entries).toHaveLength(1);
  });

  it('lets a health check fail after a fault, and pass again after going back', async () => {
    const { call, post } = await start({ allowFaults: true });
    await post('/faults', { assets: ['web-02'], image: GOLDEN_IMAGE });
    const targets = ['web-01', 'web-02'];
    const errorRate = async () =>
      ((await call('query_alerts', { targets })).body as { result: { metrics: Record<string, number> } }).result.metrics
        .error_rate;
    expect(await errorRate()).toBe(0);
    await call('execute_rollout_prod', { targets, image: GOLDEN_IMAGE });
    expect(await errorRate()).toBe(0.5);
    await call('execute_rollout_prod', { targets, image: FORMER_IMAGE });
    expect(await errorRate()).toBe(0);
  });

  it('cannot report on a server that does not answer', async () => {
    const { call, post } = await start({ allowFaults: true });
    await post('/faults', { assets: ['web-02'], image: GOLDEN_IMAGE, effect: 'silent' });
    await call('execute_rollout_prod', { targets: ['web-02'], image: GOLDEN_IMAGE });
    expect((await call('query_alerts', { targets: ['web-02'] })).body).toMatchObject({
      ok: false,
      error: { code: 'fleet.no_answer' },
    });
  });

  it.each([
    ['a path that it does not serve', '/tool', '{}', 404, 'fleet.no_such_route'],
    ['a body that is no JSON', '/tools', '{', 400, 'fleet.bad_json'],
    ['a body that is no call', '/tools', '{}', 422, 'fleet.bad_request'],
  ])('refuses %s', async (_what, path, body, status, code) => {
    const { post } = await start();
    expect(await post(path, body)).toMatchObject({ status, body: { code } });
  });

  it('refuses faults unless it was started for them', async () => {
    const { post } = await start();
    expect(await post('/faults', { assets: ['web-02'], image: 'x' })).toMatchObject({
      status: 403,
      body: { code: 'fleet.faults_off' },
    });
  });

  it.each([
    ['an unknown tool', 'drop_database', {}, 'fleet.no_such_tool'],
    ['bad arguments', 'execute_rollout_prod', { targets: [] }, 'fleet.bad_arguments'],
    [
      'a server of another environment',
      'execute_rollout_prod',
      { targets: ['stage-web-01'], image: 'x' },
      'fleet.no_such_asset',
    ],
    ['an alert that is not there', 'acknowledge_alert', { alert_id: 'x', note: 'n' }, 'fleet.no_such_alert'],
  ])('changes nothing for %s', async (_, tool, given, code) => {
    const { call, get } = await start();
    expect((await call(tool, given)).body).toMatchObject({ ok: false, effect: 'not_started', error: { code } });
    expect(await get('/ledger')).toEqual({ entries: [] });
  });

  it.each([
    ['not JSON', '/tools', '{', 400],
    ['JSON of another shape', '/tools', '{}', 422],
    ['more than it reads', '/tools', `"${'x'.repeat(1_048_577)}"`, 413],
    ['an unknown path', '/nowhere', '{}', 404],
  ])('answers %s with a client error', async (_, path, body, status) => {
    const { post } = await start();
    expect((await post(path, body)).status).toBe(status);
  });
});
