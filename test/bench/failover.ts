import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import type { LedgerEntry } from '../../apps/fleet/src/ledger.js';
import type { ChildServer } from './child-server.js';
import { measurementOf, type Measurement } from './measurement.js';
import { fleetInstallation, type FleetInstallation, type WaitingRequest } from './fleet-installation.js';
import { spreadOf } from './percentile.js';

const ROUNDS = 5;
const WORKERS = 3;
/** Requests that are approved in a phase, and calls that the run of each makes. */
const REQUESTS = 36;
const CALLS = 6;
const APPROVE_EVERY_MS = 300;
const KILL_EVERY_MS = 5_000;
const FIRST_KILL_MS = 2_500;
const PREPARED_AT_ONCE = 4;
const FINISHED_WITHIN_MS = 60_000;

/**
 * `failover`: p99 from an approval to the last effect of its run in the ledger of the example fleet. One of three workers is
 * killed every five seconds, and the other side has no kills. A killed worker is replaced at once. Each call of each run has to
 * stand in the ledger exactly once as done. Each run has to end by itself.
 */
export async function failover(): Promise<readonly Measurement[]> {
  const installation = await fleetInstallation();
  const workers = await Promise.all(Array.from({ length: WORKERS }, () => installation.startWorker()));
  const admin = new Client({ connectionString: installation.adminUrl });
  try {
    await admin.connect();
    await phase(installation, admin, []);
    const [ratios, medians]: [number[], number[]] = [[], []];
    for (let round = 0; round < ROUNDS; round += 1) {
      const steady = await phase(installation, admin, []);
      const killed = await phase(installation, admin, workers);
      ratios.push(killed.p99 / steady.p99);
      medians.push(killed.median / steady.median);
    }
    return [measurementOf('failover', ratios), measurementOf('failover/median', medians)];
  } finally {
    await admin.end();
    for (const worker of workers) await worker.stop();
    await installation.stop();
  }
}

/** Approves requests at a steady pace. @returns the milliseconds that their runs took, from the approval. */
async function phase(
  installation: FleetInstallation,
  admin: Client,
  killed: ChildServer[],
): Promise<ReturnType<typeof spreadOf>> {
  const requests = await prepare(installation);
  const approved = new Map<string, number>();
  const pending: Promise<void>[] = [];
  const ended = new AbortController();
  const killing = killed.length === 0 ? Promise.resolve() : kill(installation, killed, ended.signal);
  for (const { planId, approve } of requests) {
    approved.set(planId, Date.now());
    pending.push(approve());
    await delay(APPROVE_EVERY_MS);
  }
  await Promise.all(pending);
  ended.abort();
  await killing;
  const runs = await finished(admin, [...approved.keys()]);
  const ledger = await installation.ledger();
  return spreadOf([...runs].map(([runId, planId]) => executedAt(runId, ledger) - (approved.get(planId) ?? Number.NaN)));
}

async function prepare({ request }: FleetInstallation): Promise<readonly WaitingRequest[]> {
  const requests: WaitingRequest[] = [];
  while (requests.length < REQUESTS) {
    requests.push(...(await Promise.all(Array.from({ length: PREPARED_AT_ONCE }, () => request(CALLS)))));
  }
  return requests;
}

/** Kills one worker after the other, and starts another in its place, until told to end. */
async function kill({ startWorker }: FleetInstallation, workers: ChildServer[], ended: AbortSignal): Promise<void> {
  const pause = (ms: number): Promise<unknown> => delay(ms, undefined, { signal: ended }).catch(() => undefined);
  await pause(FIRST_KILL_MS);
  for (let next = 0; !ended.aborted; next = (next + 1) % WORKERS) {
    await workers[next]?.kill();
    const [worker] = await Promise.all([startWorker(), pause(KILL_EVERY_MS)]);
    workers[next] = worker;
  }
}

/** Waits until a run of each plan is completed. @returns the plan of each run. */
async function finished(admin: Client, planIds: readonly string[]): Promise<ReadonlyMap<string, string>> {
  for (const deadline = performance.now() + FINISHED_WITHIN_MS; ;) {
    const { rows } = await admin.query<{ id: string; plan_id: string; state: string; reason: unknown }>(
      'select id, plan_id, state, reason from run where plan_id = any($1::uuid[])',
      [planIds],
    );
    const states = rows.map(({ state }) => state);
    const stuck = rows.find(({ state }) => !['queued', 'executing', 'completed'].includes(state));
    if (stuck !== undefined) throw new Error(`A run is ${stuck.state}: ${JSON.stringify(stuck.reason)}`);
    if (rows.length === planIds.length && states.every((state) => state === 'completed')) {
      return new Map(rows.map(({ id, plan_id: planId }) => [id, planId]));
    }
    if (performance.now() > deadline) throw new Error(`Runs were lost: ${states.join(', ')}.`);
    await delay(100);
  }
}

/** When the last effect of a run was written down, in epoch milliseconds. @throws if a call was lost or doubled. */
function executedAt(runId: string, ledger: readonly LedgerEntry[]): number {
  const done = ledger.filter((entry) => entry.source?.id === runId && entry.repeats === null);
  const keys = new Set(done.map((entry) => entry.idempotency_key));
  if (done.length !== CALLS || keys.size !== CALLS) {
    throw new Error(`Of ${String(CALLS)} calls of run ${runId}, ${String(done.length)} stand in the ledger as done.`);
  }
  return Math.max(...done.map(({ at }) => Date.parse(at)));
}
