import 'reflect-metadata';
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
import type { Database } from '#lib/database';
import { GrantKeyring } from '#lib/dispatch';
import { ExpireChanges } from '#lib/guardrail';
import { CheckDestinations, EscalateOverdue, SendPages } from '#lib/incident';
import type { RunId, SimulationId } from '#lib/kernel';
import { DeliverOutbox, WorkInteraction } from '#lib/notify';
import { loggerOptions, Metrics } from '#lib/operation';
import { PolicyDecisionPoint } from '#lib/policy';
import { AdvanceRun, RunTrace } from '#lib/run';
import { ExecuteSimulation, SweepSimulations } from '#lib/simulation';
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
const SWEEP_ROWS = 100;
const STOP_WITHIN_MS = 20_000;

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
  const driver = new RunDriver(advance, {
    traceOf: (tenantId, runId) => traces.parentOf(tenantId, runId),
    atMost: MAX_DRIVEN_RUNS,
    onError: (runId, error) => {
      logger.error({ err: error, run_id: runId }, 'a run could not be advanced');
    },
  });
  const log = context.get<AuditLog>(AUDIT_LOG);

  registerJobs(database, driver, context.get(ExecuteSimulation), {
    outbox: context.get(DeliverOutbox),
    slack: context.get(WorkInteraction),
  });
  const loops = [
    ...sweepers(config, database, driver, logger, {
      simulations: context.get(SweepSimulations),
      expiry: context.get(ExpireDue),
      schedule: context.get(StartScheduled),
      changes: context.get(ExpireChanges),
      reminders: context.get(SendReminders),
      outbox: context.get(DeliverOutbox),
      slack: context.get(WorkInteraction),
      escalation: context.get(EscalateOverdue),
      destinations: context.get(CheckDestinations),
      pages: context.get(SendPages),
    }),
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
  measure(metrics, database, driver, log);
  context.get(PolicyDecisionPoint).onDecision(metrics.countDecision);
  context.get(SealAlarm).onBroken(({ table, tenantId, id }, repeated) => {
    metrics.countBrokenSeal(table);
    if (!repeated) logger.error({ table, tenant_id: tenantId, id }, BROKEN_SEAL);
  });

  let server: WorkerServer | null = null;
  const stop = async (): Promise<void> => {
    await Promise.all([database.jobWorker.stop(), driver.stop(STOP_WITHIN_MS), ...loops.map((loop) => loop.stop())]);
    await server?.close();
    await context.close();
    logger.info('the worker has stopped');
  };
  try {
    await database.jobWorker.start();
    for (const loop of loops) loop.start();
    if (parts.serve) server = await serveWorker(config, metrics, () => database.ping());
  } catch (error) {
    await stop();
    throw error;
  }
  logger.info({ port: server?.port ?? null }, 'the worker is at work');
  return { port: server?.port ?? null, stop };
}

function registerJobs(
  { jobWorker }: Database,
  driver: RunDriver,
  simulations: ExecuteSimulation,
  people: { readonly outbox: DeliverOutbox; readonly slack: WorkInteraction },
): void {
  jobWorker.register('outbox.deliver', (tenantId, { outboxId }) => people.outbox.execute(tenantId, outboxId));
  jobWorker.register('slack.interaction', (tenantId, { interactionId }) =>
    people.slack.execute(tenantId, interactionId),
  );
  jobWorker.register('run.advance', (tenantId, { runId }) => {
    // Not awaited: a tool may take an hour, and a job is only a hint.
    driver.wake(tenantId, runId as RunId);
    return Promise.resolve();
  });
  jobWorker.register('simulation.execute', async (tenantId, { simulationId }) => {
    await simulations.execute(tenantId, simulationId as SimulationId);
  });
}

function sweepers(
  config: WorkerConfig,
  { systemQuery }: Database,
  driver: RunDriver,
  logger: Logger,
  work: {
    readonly simulations: SweepSimulations;
    readonly expiry: ExpireDue;
    readonly schedule: StartScheduled;
    readonly changes: ExpireChanges;
    readonly reminders: SendReminders;
    readonly outbox: DeliverOutbox;
    readonly slack: WorkInteraction;
    readonly escalation: EscalateOverdue;
    readonly destinations: CheckDestinations;
    readonly pages: SendPages;
  },
): readonly PeriodicWork[] {
  const sweep = (name: string, round: () => Promise<unknown>): PeriodicWork =>
    new PeriodicWork({
      name,
      everyMs: config.sweepMs,
      work: round,
      onError: (loop, error) => {
        logger.error({ err: error, loop }, 'a sweep failed');
      },
    });
  return [
    sweep('runs', async () => {
      for (const { tenantId, id } of await systemQuery.call('run_due', SWEEP_ROWS)) driver.wake(tenantId, id as RunId);
    }),
    sweep('simulations', () => work.simulations.execute()),
    sweep('approval-expiry', () => work.expiry.execute(SWEEP_ROWS)),
    sweep('approval-schedule', () => work.schedule.execute(SWEEP_ROWS)),
    sweep('change-expiry', () => work.changes.execute(SWEEP_ROWS)),
    sweep('approval-reminders', () => work.reminders.execute(SWEEP_ROWS)),
    sweep('outbox', async () => {
      const due = await systemQuery.call('outbox_due', new Date(), SWEEP_ROWS);
      await Promise.all(due.map(({ tenantId, id }) => work.outbox.execute(tenantId, id)));
    }),
    sweep('incident-escalation', () => work.escalation.execute(SWEEP_ROWS)),
    sweep('incident-destinations', () => work.destinations.testDue(SWEEP_ROWS)),
    sweep('incident-pages', () => work.pages.execute(SWEEP_ROWS)),
    sweep('slack-interactions', async () => {
      const due = await systemQuery.call('slack_interaction_due', new Date(), SWEEP_ROWS);
      await Promise.all(due.map(({ tenantId, id }) => work.slack.execute(tenantId, id)));
    }),
  ];
}

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
