import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import type { LoggedEvent, TenantId } from '#lib/kernel';
import { actorOf, newId } from '#lib/kernel';
import { eventsOf } from '#lib/webhook';
import { findPython } from '../../tools/python-environment.mjs';
import { testApi, type TestApi } from '../support/api.js';
import { predictingToolServer } from '../support/equipped-tenant.js';
import { populatedTenant } from '../support/populated-tenant.js';
import { keepTestKeyring } from '../support/seals.js';
import { until } from '../support/until.js';
import { workerOf } from '../support/worker.js';
import { startWorkerProcess, type WorkerProcess } from '../support/worker-process.js';

jest.setTimeout(180_000);

interface OcsfLine {
  readonly metadata: { readonly uid: string; readonly tenant_uid: string; readonly event_code: string };
  readonly api: { readonly operation: string };
  readonly resources: readonly { readonly type: string; readonly name?: string }[];
}

const data = mkdtempSync(join(tmpdir(), 'countersign-siem-'));
const file = join(data, 'ocsf.ndjson');
const python = findPython();
let api: TestApi;
let toolServer: Awaited<ReturnType<typeof predictingToolServer>>;

const textOfFile = (): string => {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
};
const linesOf = (tenantId: string): readonly OcsfLine[] =>
  textOfFile()
    .split('\n')
    .flatMap((line) => (line.endsWith('}') ? [JSON.parse(line) as OcsfLine] : []))
    .filter(({ metadata }) => metadata.tenant_uid === tenantId);
const uidsOf = (tenantId: string): readonly string[] => linesOf(tenantId).map(({ metadata }) => metadata.uid);

/** The entries of a log that are events for other systems, in the order of its tree. Null while one has no leaf. */
async function eventsInLog(tenantId: string): Promise<readonly string[] | null> {
  const { rows } = await api.db.owner.query<{
    id: string;
    action: string;
    payload: string | null;
    leaf: string | null;
  }>(
    `select entry.id, entry.action, entry.payload, leaf.leaf_index as leaf
       from audit_entry entry left join audit_leaf leaf on leaf.tenant_id = entry.tenant_id and leaf.entry_id = entry.id
      where entry.tenant_id = $1 order by leaf.epoch, leaf.leaf_index`,
    [tenantId],
  );
  if (rows.some(({ leaf }) => leaf === null)) return null;
  const payloadOf = (text: string | null) => (text === null ? null : (JSON.parse(text) as LoggedEvent['payload']));
  return rows
    .filter(({ action, payload }) => eventsOf({ action, payload: payloadOf(payload) }).length > 0)
    .map(({ id }) => id);
}

/** Until the file holds each event of the log. */
const exported = (tenantId: string): Promise<readonly string[]> =>
  until(async () => {
    const events = await eventsInLog(tenantId);
    const seen = new Set(uidsOf(tenantId));
    return events?.every((id) => seen.has(id)) === true ? events : null;
  });

beforeAll(async () => {
  keepTestKeyring(data);
  toolServer = await predictingToolServer();
  const allowedPrivateHosts = [`127.0.0.1:${String(toolServer.port)}`];
  api = await testApi({ config: { allowedPrivateHosts, keyDirectory: join(data, 'keys') } });
}, 120_000);
afterAll(async () => {
  await api.close();
  await toolServer.close();
  rmSync(data, { recursive: true });
});

describe('the export of logs as OCSF lines', () => {
  it('holds each event of a tenant that has gone all the way, once, in the order of its log', async () => {
    const { tenant } = await populatedTenant(api, toolServer.port);
    const worker = await workerOf(api, { ocsfFile: file });
    try {
      const events = await exported(tenant.id);
      expect(uidsOf(tenant.id)).toEqual(events);
      const operations = new Set(linesOf(tenant.id).map(({ api: { operation } }) => operation));
      for (const operation of ['task.created', 'plan.validated', 'approval.opened', 'run.started'])
        expect(operations).toContain(operation);
      expect([...operations].some((each) => each.includes('person.'))).toBe(false);
    } finally {
      await worker.stop();
    }
  });

  (python.path === null ? it.skip : it)('holds events of the class API Activity, by py-ocsf-models', () => {
    const check = join(packageRoot(), 'test/support/ocsf/check_lines.py');
    const checked = execFileSync(python.path ?? '', [check], { input: textOfFile(), encoding: 'utf8' });
    expect(Number(checked)).toBeGreaterThan(20);
  });

  it('loses nothing if its worker is killed in the middle', async () => {
    const tenant = await api.tenant();
    await recordMany(tenant.id, 1_500);
    const start = (): Promise<WorkerProcess> =>
      startWorkerProcess({
        ...{ DATABASE_URL: api.db.url, COUNTERSIGN_DATA: data, COUNTERSIGN_PUBLIC_URL: api.config.publicUrl },
        ...{ COUNTERSIGN_OCSF_FILE: file, COUNTERSIGN_LOOK_MS: '200' },
      });
    const killed = await start();
    await until(() => uidsOf(tenant.id).length > 0);
    await killed.kill();
    expect(uidsOf(tenant.id).length).toBeLessThan(1_500);
    // The lease of the dead process is over.
    await api.db.owner.query('update log_follower set not_before = now() where tenant_id = $1', [tenant.id]);
    const worker = await start();
    try {
      const events = await exported(tenant.id);
      expect(events.length).toBeGreaterThanOrEqual(1_500);
      expect([...new Set(uidsOf(tenant.id))]).toEqual(events);
    } finally {
      await worker.kill();
    }
  });
});

const recordMany = (tenantId: TenantId, count: number): Promise<void> =>
  api.installation.database.uow.run(tenantId, async (tx) => {
    for (let n = 0; n < count; n += 1)
      await api.installation.audit.log.sink.record(tx, {
        action: 'run.started',
        actor: actorOf({ kind: 'system', tenantId, name: 'run-executor' }),
        level: 'full',
        subject: { type: 'run', id: newId() },
        payload: { n },
      });
  });
