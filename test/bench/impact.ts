import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { packageRoot } from '#lib/database';
import { digestOf, newId, type DecisionId, type ImpactReportId, type TenantId } from '#lib/kernel';
import { createDecisionLog, loadPolicyEngine } from '#lib/policy';
import type { Entrypoint } from '#lib/policy-inputs';
import type { Json } from '#lib/canonical';
import { loadWasmPolicy } from '../../libs/rules/policy/src/adapters/load-wasm-policy.js';
import { benchAutonomy } from './bench-autonomy.js';
import { benchInstallation } from './bench-installation.js';
import { freePort, startServer } from './child-server.js';
import { decidingServer, type DecidingServer } from './deciding-server.js';
import { measurementOf, type Measurement } from './measurement.js';
import { multiply } from './multiply-tenants.js';
import { spreadOf, timeOf, type Spread } from './percentile.js';
import { planOf } from './policy-inputs.js';
import type { AsAdmin } from './unattended.js';

const ROUNDS = 5;
/** Decisions of each of the two kinds: calls, and plans of about 8 KB. */
const EACH = 1_500;
/** For the neighbour: a report takes longer than its calls. */
const MANY = 10_000;
/** As many as a tenant has at work at once. */
const AT_ONCE = 3;
const REQUESTS = 48;
const REQUEST_EVERY_MS = 125;

/** Moves the document, of which each input has a part, and no outcome. */
const CHANGED = benchAutonomy().replace('calls_per_hour: 10000', 'calls_per_hour: 9999');

/**
 * `impact`: a stored decision taken again with both sides of a change, by a report from its beginning to its end. It is put over
 * two bare `LoadedPolicy.evaluate` of the same input. `impact/neighbour`: p99 of a decided call of a quiet tenant, of eight a
 * second. A worker beside the api works out reports of another tenant. The other side is the same while that worker rests.
 * `/median` is the median.
 */
export async function impact(): Promise<readonly Measurement[]> {
  let admin: AsAdmin | undefined;
  const server = await decidingServer((send) => {
    admin = send;
    return Promise.resolve();
  });
  const stops: (() => Promise<unknown>)[] = [server.stop];
  try {
    if (admin === undefined) throw new Error('A server is equipped once.');
    const reports = reportsOf(admin);
    const tenantId = await fill(server, 1, EACH);
    const again = await putAgain(server, tenantId, reports);
    await fill(server, EACH + 1, MANY);
    const [, quiet] = await multiply(server, 2);
    const worker = await startWorker(server);
    stops.push(worker.stop);
    return [...again, ...(await besideReports(server, () => server.ask(quiet ?? ''), reports))];
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

interface Reports {
  /** Asks for one. @returns its id. */
  ask(): Promise<ImpactReportId>;
  /** Whether it is done. @throws if its result is wrong. */
  isDone(id: ImpactReportId): Promise<boolean>;
}

const reportsOf = (admin: AsAdmin): Reports => ({
  ask: async () => {
    const asked = { configuration: { autonomy: CHANGED }, since_days: 30 };
    return String((await admin('POST', '/v1/impact-reports', asked)).id) as ImpactReportId;
  },
  isDone: async (id) => {
    const { phase, decisions } = await admin('GET', `/v1/impact-reports/${id}`);
    const { changed, same, not_put: notPut } = decisions as Readonly<Record<string, number>>;
    if (phase === 'done' && (changed !== 0 || notPut !== 0 || (same ?? 0) < 2 * EACH))
      throw new Error(`The report is wrong: ${JSON.stringify(decisions)}`);
    if (phase === 'failed' || phase === 'cancelled') throw new Error(`The report is ${phase}.`);
    return phase === 'done';
  },
});

/** Gives the tenant a log: the call that it was asked, and a plan, again and again. @returns the tenant. */
async function fill({ postgres, databaseUrl, data }: DecidingServer, first: number, last: number): Promise<TenantId> {
  const { database } = await benchInstallation(databaseUrl, data, { poolSize: 1 });
  const admin = new Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  try {
    const { rows } = await admin.query<{ id: TenantId }>('select id from tenant');
    const [tenant] = rows;
    if (tenant === undefined) throw new Error('There is a tenant.');
    const engine = loadPolicyEngine();
    const { bundle } = engine;
    const input = planOf(10);
    await database.uow.run(tenant.id, (tx) =>
      createDecisionLog().record(
        tx,
        {
          id: newId<DecisionId>(),
          entrypoint: 'plan',
          bundleRevision: bundle.revision,
          wasmDigest: bundle.wasmDigest,
          input: input as never,
          inputDigest: digestOf('policy-input', input as unknown as Json),
          decision: engine.evaluate('plan', input).decision,
          decidedAt: input.now,
          about: { subject: { type: 'plan', id: newId() }, within: [] },
        },
        bundle,
      ),
    );
    await admin.query(
      `insert into decision (tenant_id, id, entrypoint, bundle_revision, subject_type, subject_id, within, input, input_digest,
                             result, outcome, decided_at)
       select tenant_id, (substr(countersign_first_id(now() - each * interval '1 second')::text, 1, 14) || '7000-8000-' ||
                lpad(to_hex(each * 2 + case entrypoint when 'plan' then 1 else 0 end), 12, '0'))::uuid,
              entrypoint, bundle_revision, subject_type, subject_id, within, input, input_digest, result, outcome, decided_at
         from (select distinct on (entrypoint) * from decision where entrypoint in ('plan', 'tool_call')) one,
              generate_series($1::integer, $2::integer) each`,
      [first, last],
    );
    await admin.query('vacuum analyze decision');
    return tenant.id;
  } finally {
    await admin.end();
    await database.close();
  }
}

async function putAgain(
  { databaseUrl, data, input }: DecidingServer,
  tenantId: TenantId,
  reports: Reports,
): Promise<readonly Measurement[]> {
  const { database, impact: working } = await benchInstallation(databaseUrl, data, { poolSize: 2 });
  const { bundle } = loadPolicyEngine();
  const bare = loadWasmPolicy(new WebAssembly.Module(Uint8Array.from(bundle.wasm)), 1_024);
  const evaluate = (entrypoint: Entrypoint, asked: object): void => {
    const [answer] = bare.evaluate(asked, bundle.entrypoints[entrypoint]) as [{ result: unknown }];
    if ((answer.result as { outcome?: string }).outcome === undefined) throw new Error('The decision is wrong.');
  };
  const plan = planOf(10);
  const theirs = (): Promise<void> => {
    for (let each = 0; each < 2 * EACH; each += 1) {
      evaluate('tool_call', input as object);
      evaluate('plan', plan);
    }
    return Promise.resolve();
  };
  try {
    const ratios: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const id = await reports.ask();
      const ours = await timeOf(async () => {
        await working.advanceImpact.execute(tenantId, id, { over: false });
      });
      if (!(await reports.isDone(id))) throw new Error('The report is not done.');
      const bareTime = await timeOf(theirs);
      // The first round warms up.
      if (round > 0) ratios.push(ours / bareTime);
    }
    return [measurementOf('impact', ratios)];
  } finally {
    await database.close();
  }
}

const startWorker = async ({ databaseUrl, data }: DecidingServer): ReturnType<typeof startServer> => {
  const port = await freePort();
  return startServer(process.execPath, [join(packageRoot(), 'dist', 'programs', 'worker', 'main.js')], {
    port,
    readyPath: '/health/ready',
    env: {
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_DATA: data,
      COUNTERSIGN_WORKER_PORT: String(port),
      COUNTERSIGN_LOG_LEVEL: 'warn',
    },
  });
};

async function besideReports(
  { postgres }: DecidingServer,
  call: () => Promise<void>,
  reports: Reports,
): Promise<readonly Measurement[]> {
  const admin = new Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  const measured = async (): Promise<Spread> => {
    const times: number[] = [];
    for (let request = 0; request < REQUESTS; request += 1) {
      const began = performance.now();
      times.push(await timeOf(call));
      await delay(Math.max(0, REQUEST_EVERY_MS - (performance.now() - began)));
    }
    return spreadOf(times);
  };
  /** Nothing but the worker is at work on them meanwhile: no request asks how far they are. */
  const beside = async (): Promise<Spread> => {
    for (let report = 0; report < AT_ONCE; report += 1) await reports.ask();
    await delay(1_000);
    const spread = await measured();
    const { rowCount } = await admin.query(
      `update impact_report set phase = 'cancelled', finished_at = now(), next_at = null, lease = null where next_at is not null`,
    );
    if (rowCount === 0) throw new Error('The reports ended before the calls.');
    return spread;
  };
  try {
    await measured();
    const [p99s, medians]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const alone = await measured();
      const disturbed = await beside();
      // The worker ends its last batch.
      await delay(1_000);
      p99s.push(disturbed.p99 / alone.p99);
      medians.push(disturbed.median / alone.median);
    }
    return [measurementOf('impact/neighbour', p99s), measurementOf('impact/neighbour/median', medians)];
  } finally {
    await admin.end();
  }
}
