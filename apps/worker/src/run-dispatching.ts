import { join } from 'node:path';
import type { Logger } from 'pino';
import { packageRoot, type Database, type JobHandler, type JobWorker } from '#lib/database';
import { TemporalDispatcher, WORKFLOW_FILE, type TemporalConfig } from '#lib/dispatcher-temporal';
import type { Installation } from '#lib/installation';
import { FailureError, type RunId } from '#lib/kernel';
import { installationName } from './installation-name.js';
import type { RunDriver } from './run-driver.js';

const MAX_DRIVEN_RUNS = 64;

/** How this process has runs advanced. */
export interface RunDispatching {
  /** Runs that this process advances right now. */
  readonly underWay: () => number;
  start(): void;
  stop(): Promise<void>;
}

/** Runs are advanced where a hint or a look finds them due. */
export function embeddedDispatching(jobs: JobWorker, driver: RunDriver): RunDispatching {
  // The job of this kind names a run.
  jobs.register('run.advance', (tenantId, id, turn) => driver.execute(tenantId, id as RunId, turn), {
    atOnce: MAX_DRIVEN_RUNS,
  });
  return { underWay: () => jobs.underWay('run.advance'), start: () => undefined, stop: () => Promise.resolve() };
}

/**
 * Runs that are due are handed over to Temporal, and advanced where its queue brings them.
 *
 * @throws {FailureError} `dispatcher.temporal_missing`, `start.wrong_setting`.
 */
export async function temporalDispatching(
  config: TemporalConfig,
  { jobWorker: jobs, systemQuery }: Pick<Database, 'jobWorker' | 'systemQuery'>,
  driver: RunDriver,
  { tenancy, logger }: Pick<Installation, 'tenancy'> & { readonly logger: Logger },
): Promise<RunDispatching> {
  const dispatcher = await TemporalDispatcher.create(config, {
    installation: await installationName(systemQuery),
    advance: (tenantId, runId, turn) => driver.advance(tenantId, runId, turn),
    slugOf: async (tenantId) => {
      const tenant = await tenancy.getTenant.execute(tenantId);
      if (!tenant.ok) throw new FailureError(tenant.error);
      return tenant.value.slug;
    },
    atOnce: MAX_DRIVEN_RUNS,
    workflowFile: join(packageRoot(), WORKFLOW_FILE),
    onFailure: (what, error) => {
      logger.error({ err: error }, WORDS[what]);
    },
    onRecovery: () => {
      logger.info('Temporal is used again');
    },
    log: (level, message, leftOut) => {
      logger[level === 'ERROR' ? 'error' : 'warn']({ from: 'temporal', left_out: leftOut }, message);
    },
  });
  const handOver: JobHandler = (tenantId, id, { hinted }) => dispatcher.handOver(tenantId, id, hinted);
  // The job of this kind names a run.
  jobs.register('run.advance', handOver, { atOnce: MAX_DRIVEN_RUNS });
  return {
    underWay: () => dispatcher.underWay,
    start: () => {
      dispatcher.start();
    },
    stop: () => dispatcher.stop(),
  };
}

const WORDS = {
  turn: 'a turn of a run failed; it is taken again',
  connection: 'Temporal cannot be used, and is tried again',
  queue:
    'other installations take turns from the same task queue: set COUNTERSIGN_TEMPORAL_TASK_QUEUE for each, or for none',
} as const;
