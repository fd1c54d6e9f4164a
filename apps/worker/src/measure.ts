import { sequencingLagMs, type AuditLog } from '#lib/audit';
import type { Database, SystemQuery } from '#lib/database';
import type { Metrics } from '#lib/operation';

/** More than so many of one kind are not counted. A scrape stays cheap, and an operator has long been alarmed. */
const MAX_COUNTED = 1_000;
/** A checkpoint is published within seconds. One that waits longer than this, in milliseconds, is stuck. */
const UNPUBLISHED_MS = 60_000;

/** The live states of each kind. */
const LIVE = {
  plan: ['validated'],
  simulation: ['pending', 'running'],
  approval_request: ['open', 'approved'],
  run: ['queued', 'executing', 'paused', 'rolling_back'],
} as const;

/** The metrics that span all tenants, read when Prometheus asks. No tenant's data, and no tenant's name, is in them. */
export function measure(metrics: Metrics, database: Database, { backlog }: AuditLog, driven: () => number): void {
  const { systemQuery } = database;
  metrics.gauge({
    name: 'countersign_runs_driven',
    help: 'Runs that this process advances right now',
    collect: (gauge) => {
      gauge.set(driven());
      return Promise.resolve();
    },
  });
  measureStates(metrics, systemQuery);
  measureJobs(metrics, database);
  metrics.gauge({
    name: 'countersign_sequencing_lag_seconds',
    help: 'How long the oldest audit entry without a leaf has waited, over all tenants',
    collect: async (gauge) => {
      gauge.set((await sequencingLagMs(backlog, Date.now())) / 1_000);
    },
  });
  metrics.gauge({
    name: 'countersign_tenants_unpublished',
    help: 'Tenants with a checkpoint of their audit log that has waited for over a minute for its destination outside',
    collect: async (gauge) => {
      gauge.set((await backlog.unpublished(Date.now() - UNPUBLISHED_MS)).length);
    },
  });
}

function measureStates(metrics: Metrics, systemQuery: SystemQuery): void {
  for (const [kind, states] of Object.entries(LIVE)) {
    metrics.gauge<'state'>({
      name: `countersign_${kind}s`,
      help: `How many are in a live state (${kind}), over all tenants, at most 1000 a state`,
      labelNames: ['state'],
      collect: async (gauge) => {
        for (const state of states) {
          gauge.set({ state }, (await systemQuery.call(`${kind}_in_state`, state, MAX_COUNTED)).length);
        }
      },
    });
  }
}

function measureJobs(metrics: Metrics, database: Database): void {
  metrics.gauge<'queue'>({
    name: 'countersign_jobs_waiting',
    help: 'Rows that could be worked on now, by kind of work, over all tenants, at most 1000 a kind',
    labelNames: ['queue'],
    collect: async (gauge) => {
      gauge.reset();
      for (const { queue, waiting } of await database.jobBacklog()) gauge.set({ queue }, waiting);
    },
  });
  metrics.gauge<'queue'>({
    name: 'countersign_job_age_seconds',
    help: 'How long the oldest row that could be worked on now has waited at least, by kind of work',
    labelNames: ['queue'],
    collect: async (gauge) => {
      gauge.reset();
      for (const { queue, oldestSeconds } of await database.jobBacklog()) gauge.set({ queue }, oldestSeconds);
    },
  });
}
