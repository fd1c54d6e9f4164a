import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expectStatus, testApi, type HttpAs, type TestApi, type TestTenant } from '../support/api.js';
import { farSchedule } from '../support/far-schedule.js';
import { keepTestKeyring } from '../support/seals.js';
import { toolServer, type ToolServer } from '../support/tool-server.js';
import { until } from '../support/until.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

jest.setTimeout(120_000);
const WITHIN_MS = 60_000;

const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    staging:
      mode: full_auto
`;
const SOURCE = `name: heal
environment: staging
triggers:
  - { type: cron, schedule: "${farSchedule()}", time_zone: Europe/Berlin, missed: run_once }
steps:
  - { id: restart, type: tool_action, tool: restart_service, arguments: { service: web } }
  - { id: tell, type: notify, message: It was restarted. }
`;
const TOOL = {
  ...{ description: 'Restarts a service.', effect: 'modify', risk: 'state_change_nonprod', idempotent: true },
  ...{ scope: 'asset', executor: 'fleet', simulation: 'not_applicable', requires_plan: false },
  ...{ requires_hitl: 'configurable', time_limit_seconds: 2, identity_fields: ['/service'] },
  parameters: {
    type: 'object',
    properties: { service: { type: 'string', maxLength: 100 } },
    required: ['service'],
    additionalProperties: false,
  },
};

const data = mkdtempSync(join(tmpdir(), 'countersign-automation-'));
let api: TestApi;
let tenant: TestTenant;
let ada: HttpAs;
let fleet: ToolServer;
/** Those of the test before stay, since a start costs as much as the rest. */
let workers: WorkerProcess[] = [];
/** Called once the first call has come: the workers are killed while it is in flight. */
let strike: (() => Promise<void>) | null = null;

/** Starts as many workers as are missing. */
async function haveWorkers(count: number): Promise<void> {
  const missing = Array.from({ length: Math.max(0, count - workers.length) }, startWorker);
  workers.push(...(await Promise.all(missing)));
}

const startWorker = (): Promise<WorkerProcess> =>
  startWorkerProcess({
    DATABASE_URL: api.db.url,
    COUNTERSIGN_DATA: data,
    COUNTERSIGN_PUBLIC_URL: api.config.publicUrl,
    COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: new URL(fleet.url).host,
    COUNTERSIGN_LEASE_MARGIN_MS: '100',
    COUNTERSIGN_LOOK_MS: '200',
  });

beforeAll(async () => {
  fleet = await toolServer({
    before: async () => {
      await strike?.();
      return true;
    },
  });
  keepTestKeyring(data);
  api = await testApi({ config: { allowedPrivateHosts: [new URL(fleet.url).host], keyDirectory: join(data, 'keys') } });
  tenant = await api.tenant();
  ada = api.http(tenant.admin.token);
  expectStatus(await ada.put('/v1/tools/restart_service', TOOL), 200);
  const executor = { kind: 'http', url: `${fleet.url}/tools`, audience: 'fleet' };
  expectStatus(await ada.put('/v1/environments/staging/executors/fleet', executor), 200);
  expectStatus(await ada.put('/v1/autonomy', AUTONOMY), 200);
  expectStatus(await ada.put('/v1/automation-safe-list/restart_service', { version: 1 }), 200);
});
afterAll(async () => {
  await Promise.all(workers.map((worker) => worker.kill()));
  await api.close();
  await fleet.close();
  rmSync(data, { recursive: true });
});

/**
 * Kills the workers while the first call is in flight, and lets another one go on. Reads the states of the runs once one is completed.
 */
async function killed(path: string, begin: () => Promise<void>): Promise<void> {
  const before = fleet.ledger.length;
  strike = async () => {
    strike = null;
    await Promise.all(workers.map((worker) => worker.kill()));
  };
  await begin();
  const deadline = performance.now() + WITHIN_MS;
  while (fleet.ledger.length === before && performance.now() < deadline) await delay(50);
  workers = [await startWorker()];
  const states = async () => {
    const { items } = expectStatus(await ada.get(`${path}/runs`), 200).body as { items: { state: string }[] };
    return items.map(({ state }) => state);
  };
  while (!(await states()).includes('completed') && performance.now() < deadline) await delay(100);
  expect(await states()).toEqual(['completed']);
  // The tool sees every attempt of one call under the same key.
  expect(new Set(fleet.ledger.slice(before).map(({ key }) => key)).size).toBe(1);
}

async function enabled(source: string): Promise<string> {
  const { id, source_sha256 } = expectStatus(await ada.post('/v1/automations', { source }), 201).body;
  const path = `/v1/automations/${String(id)}`;
  expectStatus(await ada.post(`${path}/enable`, { source_sha256 }), 200);
  return path;
}

it('T27: a run goes on after its workers were killed at the time of the schedule: one occurrence, one effect', async () => {
  const path = await enabled(SOURCE);
  await killed(path, async () => {
    await api.db.owner.query(
      `update automation set looked_until = now() - interval '25 hours', next_at = now() where tenant_id = $1`,
      [tenant.id],
    );
    await haveWorkers(2);
  });
});

it('T27: an event starts one run, also if the workers are killed that found it', async () => {
  const path = await enabled(
    SOURCE.replace('name: heal', 'name: heal-at-event').replace(
      / {2}- \{ type: cron.*/,
      '  - { type: event, event: guardrail.environment_created }',
    ),
  );
  await killed(path, async () => {
    await haveWorkers(2);
    expectStatus(await ada.post('/v1/environments', { name: 'other', production: false }), 201);
  });
});

it('T27: a run that was made and had not begun goes on after the worker was killed that made it', async () => {
  const path = await enabled(SOURCE.replace('name: heal', 'name: heal-later'));
  const before = fleet.ledger.length;
  await haveWorkers(1);
  const holder = await api.db.owner.connect();
  try {
    // The run is made, and its first step waits for this table.
    await holder.query('begin');
    await holder.query('lock table automation_step_run');
    await api.db.owner.query(
      `update automation set looked_until = now() - interval '25 hours', next_at = now()
        where tenant_id = $1 and name = 'heal-later'`,
      [tenant.id],
    );
    await until(async () => {
      const { rowCount } = await holder.query(
        'select from pg_locks where not granted and pg_backend_pid() = any (pg_blocking_pids(pid))',
      );
      const { rowCount: made } = await api.db.owner.query(
        `select from automation_run join automation on automation.id = automation_run.automation_id and name = 'heal-later'`,
      );
      return rowCount !== 0 && made !== 0;
    });
    await Promise.all(workers.map((worker) => worker.kill()));
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  const states = async (): Promise<readonly string[]> => {
    const { items } = expectStatus(await ada.get(`${path}/runs`), 200).body as { items: { state: string }[] };
    return items.map(({ state }) => state);
  };
  expect(await states()).toEqual(['queued']);
  expect(fleet.ledger).toHaveLength(before);
  workers = [await startWorker()];
  await until(async () => (await states()).includes('completed'));
  expect(await states()).toEqual(['completed']);
  expect(fleet.ledger).toHaveLength(before + 1);
});
