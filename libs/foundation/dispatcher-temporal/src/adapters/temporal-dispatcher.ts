import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { FailureError, isUuid, type RunId, type TenantId } from '#lib/kernel';
import type { TemporalConfig } from '../application/temporal-config.js';
import type {
  TemporalClient,
  TemporalConnection,
  TemporalLogLevel,
  TemporalPackages,
  TemporalTlsFiles,
  TemporalWorker,
  WorkflowBundle,
} from '../application/temporal.ports.js';
import type { Turn } from '../domain/drive-run.js';
import { HandedOver } from '../domain/handed-over.js';
import { LineThrottle } from '../domain/line-throttle.js';
import { OutageLog } from '../domain/outage-log.js';
import { awaitTemporal } from './await-temporal.js';
import { connectTemporal, installRuntime, tlsFilesOf } from './connect-temporal.js';
import { loadTemporal } from './load-temporal.js';
import { isAway } from './temporal-failures.js';

/** Names that histories hold: neither may change while runs are under way. */
const WORKFLOW = 'countersignRun';
const WAKE = 'wake';

const HEARTBEAT_MS = 1_500;
/** A clock ahead of the database's would make a run spin. */
const MIN_WAIT_MS = 100;
const WORKFLOWS_AT_ONCE = 8;
const CONNECT_AGAIN_MS = 1_000;
/** A worker that ran for so long is connected: one without rights ends as soon as it asks for work. */
const SETTLED_MS = 5_000;
/** A turn goes on for so long at most: the history of a long run shows that it moves. */
const MAX_TURN_MS = 5_000;
/** As long as the embedded dispatcher waits for turns under way. */
const STOP_WITHIN = { shutdownGraceTime: '18 seconds', shutdownForceTime: '20 seconds' };
/** The worker of Temporal also tells its server that it ends. It tries that as long as the server is silent. */
const STOPPED_WITHIN_MS = 22_000;

/** When a run is due again: at once, at a time (epoch milliseconds), or not before something happens to it. */
type Again = { readonly when: 'now' | 'never' } | { readonly when: 'at'; readonly at: number };

/** The work that a process does for Temporal, and its dependencies. */
export interface TemporalDispatcherParts {
  /** The name of this installation, which no other has. */
  readonly installation: string;
  /** Advances a run by one thing, and goes on for as long as the turn is not over. */
  readonly advance: (tenantId: TenantId, runId: RunId, turn: { readonly over: boolean }) => Promise<Again>;
  readonly slugOf: (tenantId: TenantId) => Promise<string>;
  /** The most turns at once. */
  readonly atOnce: number;
  /** The absolute path of the workflow's program. */
  readonly workflowFile: string;
  /**
   * Told of every turn that failed, and once of a queue that is shared. Told of a connection that was lost or not made:
   * once for each reason, and seldom again while that lasts.
   */
  readonly onFailure: (what: 'turn' | 'connection' | 'queue', error: unknown) => void;
  /** Temporal is used again. */
  readonly onRecovery: () => void;
  /** Gets the lines of Temporal's own, within {@link LineThrottle}, each with the number of those left out before it. */
  readonly log: (level: TemporalLogLevel, message: string, leftOut: number) => void;
  readonly packages?: TemporalPackages;
}

/**
 * Has runs advanced through Temporal. A run has a workflow of its own, which calls `advance` and waits on durable
 * timers. Rows stay the truth. A run that is hinted at, or found to be due, is handed over by a signal. The signal
 * starts the workflow if there is none. So nothing is lost if Temporal forgets a run, or if another worker advances it
 * by itself.
 */
export class TemporalDispatcher {
  readonly #stopping = new AbortController();
  readonly #handed = new HandedOver();
  readonly #outage = new OutageLog();
  readonly #lines = new LineThrottle();
  readonly #identity = `countersign-${randomUUID()}`;
  #client: TemporalClient | null = null;
  #worker: TemporalWorker | null = null;
  #running: Promise<void> = Promise.resolve();
  #underWay = 0;
  #shares = false;
  /** Until then no run is handed over, in epoch milliseconds: Temporal did not take the last one. */
  #awayUntil = -Infinity;
  #bundle: WorkflowBundle | null = null;

  private constructor(
    private readonly config: TemporalConfig,
    private readonly parts: TemporalDispatcherParts,
    private readonly packages: TemporalPackages,
    private readonly tls: TemporalTlsFiles | null,
  ) {}

  /**
   * Loads the packages and reads the files of TLS. The connection comes later, and again after each loss: a worker has other work
   * that goes on without Temporal.
   *
   * @throws {FailureError} `dispatcher.temporal_missing`, `start.wrong_setting`.
   */
  static async create(config: TemporalConfig, parts: TemporalDispatcherParts): Promise<TemporalDispatcher> {
    const packages = parts.packages ?? (await loadTemporal());
    return new TemporalDispatcher(config, parts, packages, await tlsFilesOf(config.tls));
  }

  /** How many turns this process takes now. */
  get underWay(): number {
    return this.#underWay;
  }

  start(): void {
    this.#running = this.#keepRunning();
  }

  /** Takes no more turns, and waits for those under way for a bounded time, whatever Temporal does. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    // A worker of Temporal that is still being made has no turn, and ends by itself once it is made.
    if (this.#worker === null) return;
    this.#shutDown();
    await awaitTemporal(this.config, STOPPED_WITHIN_MS, this.#running).catch((error: unknown) => {
      this.#failed(error);
    });
  }

  /**
   * Hands a run over. A run that a look found and that was handed over seconds ago has a workflow at work or queued.
   *
   * @returns in how many milliseconds to try again if Temporal is away; null if the row alone says when.
   */
  async handOver(tenantId: TenantId, runId: string, hinted: boolean): Promise<number | null> {
    const now = Date.now();
    if (!hinted && this.#handed.leftAlone(runId, now, this.#full)) return null;
    // The connection may be lost while the weight is read.
    const client = this.#client;
    if (client === null || now < this.#awayUntil) return CONNECT_AGAIN_MS;
    const { installation } = this.parts;
    const fairness = { fairnessKey: tenantId, ...(await this.#weightOf(tenantId)) };
    try {
      await client.workflow.signalWithStart(WORKFLOW, {
        // A run keeps its id when its tenant moves to another installation.
        workflowId: `${runId}.${installation}`,
        taskQueue: this.#taskQueue,
        args: [tenantId, runId, installation],
        signal: WAKE,
        priority: fairness,
      });
    } catch (error) {
      if (!isAway(error)) throw error;
      this.#failed(error);
      this.#awayUntil = Date.now() + CONNECT_AGAIN_MS;
      return CONNECT_AGAIN_MS;
    }
    this.#handed.note(runId, now);
    this.#succeeded();
    return null;
  }

  #failed(error: unknown): void {
    if (this.#outage.isNews(String(error), Date.now())) this.parts.onFailure('connection', error);
  }

  #succeeded(): void {
    if (this.#outage.end()) this.parts.onRecovery();
  }

  /** Whether as many turns are under way as the worker takes, so that another run may wait. */
  get #full(): boolean {
    return this.#underWay >= this.parts.atOnce;
  }

  get #taskQueue(): string {
    return this.config.taskQueue ?? `countersign-runs-${this.parts.installation}`;
  }

  async #weightOf(tenantId: TenantId): Promise<{ readonly fairnessWeight?: number }> {
    const { weights } = this.config;
    const fairnessWeight = weights.size === 0 ? undefined : weights.get(await this.parts.slugOf(tenantId));
    return fairnessWeight === undefined ? {} : { fairnessWeight };
  }

  async #keepRunning(): Promise<void> {
    const { signal } = this.#stopping;
    const logger = installRuntime(this.packages, (level, message) => {
      const leftOut = this.#lines.pass(message, Date.now());
      if (leftOut !== null) this.parts.log(level, message, leftOut);
    });
    while (!signal.aborted) {
      let connection: TemporalConnection | null = null;
      try {
        connection = await connectTemporal(this.packages, this.config, this.tls, signal);
        await this.#runOn(connection, logger);
      } catch (error) {
        if (error !== signal.reason) this.#failed(error);
      } finally {
        [this.#client, this.#worker] = [null, null];
        await connection?.close().catch(() => undefined);
      }
      await delay(CONNECT_AGAIN_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  async #runOn(connection: TemporalConnection, logger: unknown): Promise<void> {
    const { Worker, bundleWorkflowCode } = this.packages.worker;
    const { namespace } = this.config;
    const identity = this.#identity;
    const worker = await Worker.create({
      ...{ connection, namespace, identity, taskQueue: this.#taskQueue },
      // Made once: it takes seconds.
      workflowBundle: (this.#bundle ??= await bundleWorkflowCode({ workflowsPath: this.parts.workflowFile, logger })),
      activities: { advance: (tenantId, runId, installation) => this.#turn(tenantId, runId, installation) },
      maxConcurrentActivityTaskExecutions: this.parts.atOnce,
      // On a busy machine more of them at once would each miss the ten seconds that Temporal gives a decision.
      maxConcurrentWorkflowTaskExecutions: WORKFLOWS_AT_ONCE,
      // A turn that skips the queue would skip the fair order of tenants, too.
      maxEagerActivityReservationsPerWorkflowTask: 0,
      // The workflows of a worker that died wait for no longer.
      stickyQueueScheduleToStartTimeout: '3 seconds',
      ...STOP_WITHIN,
    });
    const running = worker.run();
    this.#worker = worker;
    this.#client = new this.packages.client.Client({ connection, namespace, identity });
    if (this.#stopping.signal.aborted) this.#shutDown();
    const settled = setTimeout(() => {
      this.#succeeded();
    }, SETTLED_MS);
    await running.finally(() => {
      clearTimeout(settled);
    });
  }

  /** While the worker is full, a turn ends after each step. */
  #slice(): { readonly over: boolean } {
    const until = performance.now() + MAX_TURN_MS;
    const isOver = (): boolean => this.#stopping.signal.aborted || this.#full || performance.now() >= until;
    return {
      get over() {
        return isOver();
      },
    };
  }

  /** An error that Temporal answers by another try, on any worker of the queue. It stands in the history: without paths. */
  #sharedQueue(): Error {
    const error = new Error('The run belongs to another installation.');
    delete error.stack;
    if (!this.#shares) this.parts.onFailure('queue', error);
    this.#shares = true;
    return error;
  }

  #shutDown(): void {
    try {
      this.#worker?.shutdown();
    } catch (error) {
      // It ends already.
      this.#failed(error);
    }
  }

  /** The activity. Its answer stands in the history of the workflow: no words of an error, and no row. */
  async #turn(tenantId: string, runId: string, installation: string): Promise<Turn> {
    // Anybody who reaches Temporal can start a workflow.
    if (!isUuid(tenantId) || !isUuid(runId)) return { next: 'none' };
    if (installation !== this.parts.installation) throw this.#sharedQueue();
    const context = this.packages.activity.Context.current();
    const heartbeat = setInterval(() => {
      context.heartbeat();
    }, HEARTBEAT_MS);
    this.#underWay += 1;
    try {
      // The dispatcher started the workflow with both ids.
      const again = await this.parts.advance(tenantId as TenantId, runId as RunId, this.#slice());
      return turnOf(again, Date.now());
    } catch (error) {
      // Another installation advances the runs of a tenant that moved, under the same id.
      if (error instanceof FailureError && error.failure.code === 'tenant.moved') return { next: 'none' };
      this.parts.onFailure('turn', error);
      return { next: 'failed' };
    } finally {
      this.#underWay -= 1;
      clearInterval(heartbeat);
    }
  }
}

function turnOf(again: Again, now: number): Turn {
  if (again.when === 'at') return { next: 'later', inMs: Math.max(MIN_WAIT_MS, again.at - now) };
  return { next: again.when === 'now' ? 'now' : 'none' };
}
