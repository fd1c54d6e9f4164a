import 'reflect-metadata';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { pino, type DestinationStream, type Logger } from 'pino';
import { ExpireDue, SendReminders, StartScheduled } from '#lib/approval';
import {
  AUDIT_LOG,
  DirectoryCheckpointPublisher,
  HttpsCheckpointPublisher,
  publisherLoop,
  sequencerLoop,
  type AuditLog,
  type CheckpointPublisher,
} from '#lib/audit';
import type { Database, JobHandler, JobWorker } from '#lib/database';
import { GrantKeyring } from '#lib/dispatch';
import { ExpireChanges } from '#lib/guardrail';
import { CheckDestinations, EscalateOverdue, SendPages } from '#lib/incident';
import type { ApprovalRequestId, ChangeRequestId, IncidentId, RunId, SimulationId, TenantId } from '#lib/kernel';
import { DeliverOutbox, WorkInteraction } from '#lib/notify';
import { loggerOptions, Metrics } from '#lib/operation';
import { PolicyDecisionPoint } from '#lib/policy';
import { AdvanceRun, RunTrace } from '#lib/run';
import { ExecuteSimulation } from '#lib/simulation';
import { BROKEN_SEAL, SealAlarm } from '#lib/tenancy';
import { measure } from './measure.js';
import { PeriodicWork } from './periodic-work.js';
import { RunDriver } from './run-driver.js';
import { upkeep, UPKEEP_EVERY_MS } from './upkeep.js';
import type { WorkerConfig } from './worker-config.js';
import { serveWorker, type WorkerServer } from './worker-server.js';
import { WorkerModule } from './worker.module.js';

/** What a process hands to its worker. */
export interface WorkerParts {
  /** Opened with `works`, and closed after the worker by whoever opened it. */
  readonly database: Database;
  /** A registry of one's own without it. */
  readonly metrics?: Metrics;
  /** Where log lines go; standard output without it. */
  readonly logTo?: DestinationStream;
  /** False where the process serves health and figures elsewhere. */
  readonly serve: boolean;
}

/** A worker at work. */
export interface RunningWorker {
  /** Where health and figures are served; null where they are not. */
  readonly port: number | null;
  /** Begins nothing more, lets what is out come back for a bounded time, and leaves the rest to its lease. */
  stop(): Promise<void>;
}

const MAX_DRIVEN_RUNS = 64;
const MOST_DELIVERIES = 16;

/**
 * Starts the background work of an installation: runs, simulations, what the clock ends or starts, sequencing and
 * publication of the audit log. Any number of workers may run beside each other, and any of them may die at any moment.
 */
export async function startWorker(config: WorkerConfig, parts: WorkerParts): Promise<RunningWorker> {
  const { database } = parts;
  const options = loggerOptions('worker', config.logLevel);
  const logger = parts.logTo === undefined ? pino(options) : pino(options, parts.logTo);
  const metrics = parts.metrics ?? new Metrics({ collectProcess: false });
  // eslint-disable-next-line @typescript-eslint/no-unsafe-class-instance-assignment -- Nest takes plain options
  const context = await NestFactory.createApplicationContext(WorkerModule.of(config, database), {
    logger: false,
    abortOnError: false,
  });
  const advance = context.get(AdvanceRun);
  advance.onEnd(metrics.countEndedRun);
  const traces = context.get(RunTrace);
  const driver = new RunDriver(advance, (tenantId, runId) => traces.parentOf(tenantId, runId));
  const log = context.get<AuditLog>(AUDIT_LOG);

  registerJobs(database.jobWorker, context, driver);
  const loops = [
    ...auditLoops(config, log, logger),
    ...upkeep(database, log, context.get(GrantKeyring)).map(
      ({ name, round }) =>
        new PeriodicWork({
          name,
          everyMs: UPKEEP_EVERY_MS,
          work: round,
          onError: (loop, error) => {
            logger.error({ err: error, loop }, 'upkeep failed; it is tried again in an hour');
          },
        }),
    ),
  ];
  measure(metrics, database, log);
  context.get(PolicyDecisionPoint).onDecision(metrics.countDecision);
  context.get(SealAlarm).onBroken(({ table, tenantId, id }, repeated) => {
    metrics.countBrokenSeal(table);
    if (!repeated) logger.error({ table, tenant_id: tenantId, id }, BROKEN_SEAL);
  });

  let server: WorkerServer | null = null;
  const stop = async (): Promise<void> => {
    await Promise.all([database.jobWorker.stop(), ...loops.map((loop) => loop.stop())]);
    await server?.close();
    await context.close();
    logger.info('the worker has stopped');
  };
  try {
    database.jobWorker.start({
      lookMs: config.sweepMs,
      onFailure: (job, error) => {
        logger.error({ err: error, job }, job === null ? 'the look for due work failed' : 'a job failed');
      },
    });
    for (const loop of loops) loop.start();
    if (parts.serve) server = await serveWorker(config, metrics, () => database.ping());
  } catch (error) {
    await stop();
    throw error;
  }
  logger.info({ port: server?.port ?? null }, 'the worker is at work');
  return { port: server?.port ?? null, stop };
}

function registerJobs(jobs: JobWorker, context: INestApplicationContext, driver: RunDriver): void {
  jobs.register('run.advance', (tenantId, id, turn) => driver.execute(tenantId, id as RunId, turn), {
    atOnce: MAX_DRIVEN_RUNS,
  });
  const simulations = context.get(ExecuteSimulation);
  jobs.register(
    'simulation.execute',
    once((tenantId, id) => simulations.execute(tenantId, id as SimulationId)),
  );
  const outbox = context.get(DeliverOutbox);
  jobs.register('outbox.deliver', (tenantId, id) => outbox.execute(tenantId, id), { atOnce: MOST_DELIVERIES });
  const slack = context.get(WorkInteraction);
  jobs.register(
    'slack.interaction',
    once((tenantId, id) => slack.execute(tenantId, id)),
  );
  const expiry = context.get(ExpireDue);
  jobs.register(
    'approval.expire',
    once((tenantId, id) => expiry.execute(tenantId, id as ApprovalRequestId)),
  );
  const schedule = context.get(StartScheduled);
  jobs.register(
    'approval.start',
    once((tenantId, id) => schedule.execute(tenantId, id as ApprovalRequestId)),
  );
  const reminders = context.get(SendReminders);
  jobs.register(
    'approval.remind',
    once((tenantId, id) => reminders.execute(tenantId, id as ApprovalRequestId)),
  );
  const changes = context.get(ExpireChanges);
  jobs.register(
    'change.expire',
    once((tenantId, id) => changes.execute(tenantId, id as ChangeRequestId)),
  );
  const escalation = context.get(EscalateOverdue);
  jobs.register(
    'incident.escalate',
    once((tenantId, id) => escalation.execute(tenantId, id as IncidentId)),
  );
  const pages = context.get(SendPages);
  jobs.register(
    'incident.page',
    once((tenantId, id) => pages.execute(tenantId, id)),
  );
  const destinations = context.get(CheckDestinations);
  jobs.register(
    'incident.test_destination',
    once((tenantId, id) => destinations.testDue(tenantId, id)),
  );
}

/** Work after which the row alone says when it is due again. */
const once =
  (work: (tenantId: TenantId, id: string) => Promise<unknown>): JobHandler =>
  async (tenantId, id) => {
    await work(tenantId, id);
    return null;
  };

function auditLoops(
  config: WorkerConfig,
  log: AuditLog,
  logger: Logger,
): readonly { start(): void; stop(): Promise<void> }[] {
  const surroundings = {
    now: () => Date.now(),
    onError: (error: unknown, tenantId: string | null) => {
      logger.error({ err: error, tenant_id: tenantId }, 'the audit log could not be carried on');
    },
  };
  const publishers = publishersOf(config).map((publisher) =>
    publisherLoop(log.backlog, log.publishTo(publisher), surroundings),
  );
  return [sequencerLoop(log.backlog, log.sequence, surroundings), ...publishers];
}

function publishersOf({
  checkpointDirectory,
  checkpointsElsewhere,
  checkpointUrl,
}: WorkerConfig): readonly CheckpointPublisher[] {
  return [
    ...(checkpointDirectory === null
      ? []
      : [new DirectoryCheckpointPublisher(checkpointDirectory, checkpointsElsewhere)]),
    ...(checkpointUrl === null ? [] : [new HttpsCheckpointPublisher({ url: checkpointUrl, fetch })]),
  ];
}
