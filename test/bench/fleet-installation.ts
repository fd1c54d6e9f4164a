import { join } from 'node:path';
import { packageRoot } from '#lib/database';
import type { LedgerEntry } from '../../apps/fleet/src/ledger.js';
import { onBenchDatabase } from './bench-database.js';
import { letReviewerIn } from './bench-reviewer.js';
import { agentOf, catalogDocument, foundTenant, sendTo, type Send } from './bench-tenant.js';
import { bootstrapToken } from './bench-installation.js';
import { freePort, startServer, type ChildServer } from './child-server.js';
import { drillPhase, drillTools } from './drill.js';

/** A request for approval that waits for its one reviewer. */
export interface WaitingRequest {
  readonly planId: string;
  /** Gives the approval that starts the run. */
  approve(): Promise<void>;
}

/** An api, the example fleet and workers, each a process of its own, on a PostgreSQL that commits durably. */
export interface FleetInstallation {
  readonly adminUrl: string;
  /** Asks for the approval of a new plan of so many calls, one after the other. */
  request(calls: number): Promise<WaitingRequest>;
  startWorker(): Promise<ChildServer>;
  /** The ledger of the fleet, asked for over HTTP. */
  ledger(): Promise<readonly LedgerEntry[]>;
  stop(): Promise<void>;
}

/** An agent may ask this often in ten minutes. */
const REQUESTS_PER_AGENT = 40;
/** So a lost worker costs little but its lease. */
const TIME_LIMIT_SECONDS = 2;
const AUTONOMY = `autonomy:
  mode: plan_only
  environments:
    staging: { mode: full_auto, allowed_approvers: [SRELead] }
`;

const dist = (app: string): string => join(packageRoot(), 'dist', 'programs', app, 'main.js');

export const fleetInstallation = (): Promise<FleetInstallation> =>
  onBenchDatabase(async ({ directory, postgres, url: databaseUrl, stop }, started) => {
    const data = join(directory, 'data');
    const [port, metrics, fleetPort] = [await freePort(), await freePort(), await freePort()];
    const origin = `http://127.0.0.1:${String(port)}`;
    const env = {
      DATABASE_URL: databaseUrl,
      COUNTERSIGN_DATA: data,
      COUNTERSIGN_PORT: String(port),
      COUNTERSIGN_METRICS_PORT: String(metrics),
      COUNTERSIGN_PUBLIC_URL: origin,
      COUNTERSIGN_ALLOWED_PRIVATE_HOSTS: `127.0.0.1:${String(fleetPort)}`,
      COUNTERSIGN_LOG_LEVEL: 'warn',
      COUNTERSIGN_REQUESTS_PER_MINUTE: '10000000',
      COUNTERSIGN_REQUEST_BURST: '1000000',
      COUNTERSIGN_LEASE_MARGIN_MS: '500',
    };
    const api = await startServer(process.execPath, [dist('api')], { port, readyPath: '/health/ready', env });
    started(api.stop);
    const fleet = await startServer(
      process.execPath,
      [
        ...[dist('fleet'), '--countersign', origin, '--port', String(fleetPort), '--environment', 'staging'],
        ...['--ledger', join(directory, 'ledger.jsonl')],
      ],
      { port: fleetPort, readyPath: '/health' },
    );
    started(fleet.stop);
    const send = sendTo(origin);
    const tenant = await foundTenant(send, await bootstrapToken(databaseUrl, data), {
      slug: 'bench',
      environment: 'staging',
      tools: drillTools(catalogDocument('adr-009.yaml'), { time_limit_seconds: TIME_LIMIT_SECONDS }),
      autonomy: AUTONOMY,
      toolUrl: `${fleet.origin}/tools`,
    });
    const reviewer = await letReviewerIn(send, tenant, { env, invitation: join(directory, 'invitation') });

    let asked = 0;
    let agent = Promise.resolve('');
    return {
      adminUrl: postgres.adminUrl,
      request: async (calls) => {
        if (asked % REQUESTS_PER_AGENT === 0) agent = agentOf(send, tenant, `drill-${String(asked)}`);
        asked += 1;
        const service = `service-${String(asked)}`;
        return requestOf(send, { agent: await agent, reviewer }, service, calls);
      },
      startWorker: async () => {
        const workerPort = await freePort();
        return startServer(process.execPath, [dist('worker')], {
          port: workerPort,
          readyPath: '/health/ready',
          env: { ...env, COUNTERSIGN_WORKER_PORT: String(workerPort) },
        });
      },
      ledger: async () => (await sendTo(fleet.origin)('GET', '/ledger')).entries as readonly LedgerEntry[],
      stop,
    };
  });

async function requestOf(
  send: Send,
  { agent, reviewer }: { readonly agent: string; readonly reviewer: string },
  service: string,
  calls: number,
): Promise<WaitingRequest> {
  const spec = { goal: `drill ${service}`, task_type: 'drill', environment: 'staging', timeout_minutes: 60 };
  const task = await send('POST', '/v1/tasks', spec, agent);
  const phases = [drillPhase(service, calls)];
  const plan = await send('POST', `/v1/tasks/${String(task.id)}/plans`, { phases }, agent);
  const asked = await send('POST', `/v1/plans/${String(plan.id)}/approval-requests`, {}, agent);
  const review = { verdict: 'approve', subject_digest: (asked.subject as { readonly digest: string }).digest };
  return {
    planId: String(plan.id),
    approve: async () => {
      await send('POST', `/v1/approval-requests/${String(asked.id)}/reviews`, review, reviewer);
    },
  };
}
