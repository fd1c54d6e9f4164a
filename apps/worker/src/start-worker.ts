import { pino, type DestinationStream } from 'pino';
import { exporterLoop, publisherLoop, sequencerLoop } from '#lib/audit';
import type { Database, JobHandler, JobWorker } from '#lib/database';
import { openCheckpointDestinations, type Installation } from '#lib/installation';
import type { ConnectionId, ImpactReportId, TenantId } from '#lib/kernel';
import { loggerOptions, Metrics } from '#lib/operation';
import { BROKEN_SEAL } from '#lib/tenancy';
import { measure } from './measure.js';
import { PeriodicWork } from './periodic-work.js';
import { embeddedDispatching, temporalDispatching } from './run-dispatching.js';
import { RunDriver } from './run-driver.js';
import { jobFacts, FailureLog } from './failure-log.js';
import { upkeep, UPKEEP_EVERY_MS } from './upkeep.js';
import type { WorkerConfig } from './worker-config.js';
import { serveWorker, type WorkerServer } from './worker-server.js';

/** The parts that a process hands to its worker. */
export interface WorkerParts {
  /** Composed by the process, once for all its parts. */
  readonly installation: Installation;
  /** Opened with `works`; its opener closes it after the worker. */
  readonly database: Database;
  /** A registry of one's own without it. */
  readonly metrics?: Metrics;
  /** The output of log lines; standard output without it. */
  readonly logTo?: DestinationStream;
  /** False if the process serves health and metrics elsewhere. */
  readonly serve: boolean;
}

/** A worker at work. */
export interface RunningWorker {
  /** The address of health and metrics; null if they are not served. */
  readonly port: number | null;
  /** Begins no more work, awaits dispatched calls for a bounded time, and leaves the rest to their leases. */
  stop(): Promise<void>;
}

const MAX_EXECUTED_CALLS = 32;
const MAX_DELIVERIES = 16;
/** Each waits for a receiver, and holds no connection of the database meanwhile. */
const MAX_WEBHOOKS = 64;
const MAX_MCP_LOOKS = 4;
const MAX_HOOKS = 16;
/** Each waits for a server of its tenant, and holds no connection of the database meanwhile. */
const MAX_EMBEDDERS = 8;
/** Each evaluates policies for as long as it has the processor. */
const MAX_IMPACT_REPORTS = 1;

/**
 * Starts the background work of an installation: runs, simulations, deadlines and scheduled starts, sequencing
 * and publication of the audit log. Any number of workers may run beside each other, and any of them may die at any moment.
 */
export async function startWorker(config: WorkerConfig, parts: WorkerParts): Promise<RunningWorker> {
  const { database, installation } = parts;
  const options = loggerOptions('worker', config.logLevel);
  const logger = parts.logTo === undefined ? pino(options) : pino(options, parts.logTo);
  const metrics = parts.metrics ?? new Metrics({ collectProcess: false });
  const failures = new FailureLog(logger, Date.now);
  const { run, policy, keys } = installation;
  const { log } = installation.audit;
  run.advance.onEnd(metrics.countEndedRun);
  const driver = new RunDriver(run.advance, (tenantId, runId) => run.traces.parentOf(tenantId, runId));

  const runs =
    config.temporal === null
      ? embeddedDispatching(database.jobWorker, driver)
      : await temporalDispatching(config.temporal, database, driver, { ...installation, logger });
  registerJobs(database.jobWorker, installation);
  const loops = [
    runs,
    ...auditLoops(config, installation, failures),
    ...upkeep(database, log, installation.dispatch.keys, config.automationRunDays).map(
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
  measure(metrics, database, log, runs.underWay);
  policy.decisionPoint.onDecision(metrics.countDecision);
  keys.sealAlarm.onBroken(({ table, tenantId, id }, repeated) => {
    metrics.countBrokenSeal(table);
    if (!repeated) logger.error({ table, tenant_id: tenantId, id }, BROKEN_SEAL);
  });

  let server: WorkerServer | null = null;
  const stop = async (): Promise<void> => {
    await Promise.all([database.jobWorker.stop(), ...loops.map((loop) => loop.stop())]);
    await server?.close();
    logger.info('the worker has stopped');
  };
  try {
    database.jobWorker.start({
      lookMs: config.lookMs,
      onFailure: (job, error) => {
        if (job === null) failures.record(error, 'the look for due work failed');
        else failures.record(error, 'a job failed', jobFacts(error, job));
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

function registerJobs(
  jobs: JobWorker,
  {
    audit,
    automation,
    simulation,
    approval,
    session,
    toolCall,
    runnerPool,
    changes,
    delivery,
    slack,
    incident,
    webhook,
    mcpUpstream,
    lifecycleHook,
    impact,
    embedder,
  }: Installation,
): void {
  jobs.register('simulation.execute', once(simulation.executeSimulation));
  jobs.register('outbox.deliver', (tenantId, id) => delivery.deliverOutbox.execute(tenantId, id), {
    atOnce: MAX_DELIVERIES,
  });
  jobs.register('slack.interaction', once(slack.workInteraction));
  jobs.register('approval.expire', once(approval.expireDue));
  jobs.register('approval.start', once(approval.startScheduled));
  jobs.register('approval.remind', once(approval.sendReminders));
  jobs.register('session.end_idle', once(session.endIdleSessions));
  jobs.register('tool_call.execute', once(toolCall.executeToolCall), { atOnce: MAX_EXECUTED_CALLS });
  jobs.register('runner.hand_over', once(runnerPool.handOverAnswer));
  jobs.register('automation.trigger', once(automation.triggerAutomation));
  jobs.register('automation.advance', once(automation.advanceAutomationRun));
  jobs.register('log.follow', once(audit.followLog));
  jobs.register('webhook.deliver', once(webhook.deliverWebhook), { atOnce: MAX_WEBHOOKS });
  jobs.register('mcp.look', once(mcpUpstream.lookAtServer), { atOnce: MAX_MCP_LOOKS });
  jobs.register('lifecycle_hook.execute', once(lifecycleHook.executeHook), { atOnce: MAX_HOOKS });
  jobs.register(
    'impact.advance',
    // The job of this kind names a report.
    (tenantId, id, turn) => impact.advanceImpact.execute(tenantId, id as ImpactReportId, turn),
    { atOnce: MAX_IMPACT_REPORTS },
  );
  // The job of this kind names a connection.
  jobs.register('precedent.embed', (tenantId, id) => embedder.giveVectors.execute(tenantId, id as ConnectionId), {
    atOnce: MAX_EMBEDDERS,
  });
  jobs.register('change.expire', once(changes.expireChanges));
  jobs.register('incident.escalate', once(incident.escalateOverdue));
  jobs.register('incident.page', once(incident.sendPages));
  jobs.register(
    'incident.test_destination',
    once({ execute: (tenantId, id) => incident.checkDestinations.testDue(tenantId, id) }),
  );
}

/** A job after which the row alone says when it is due again. */
const once =
  (work: { execute(tenantId: TenantId, id: string): Promise<unknown> }): JobHandler =>
  async (tenantId, id) => {
    await work.execute(tenantId, id);
    return null;
  };

function auditLoops(
  config: WorkerConfig,
  { audit: { log }, siem, outbox }: Pick<Installation, 'audit' | 'siem' | 'outbox'>,
  failures: FailureLog,
): readonly { start(): void; stop(): Promise<void> }[] {
  const deps = {
    now: () => Date.now(),
    onError: (error: unknown, tenantId: string | null) => {
      failures.record(error, 'the audit log could not be carried on', { tenant_id: tenantId });
    },
  };
  const publishers = openCheckpointDestinations(config).map((publisher) =>
    publisherLoop(log.backlog, log.publishTo(publisher), deps),
  );
  const exporters = [config.ocsfFile]
    .filter((path) => path !== null)
    .map((path) => exporterLoop(log.backlog, log.exportedBy(outbox, siem.toFile(path)), deps));
  return [sequencerLoop(log.backlog, log.sequence, deps), ...publishers, ...exporters];
}
