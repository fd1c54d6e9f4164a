import { setTimeout as delay } from 'node:timers/promises';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry, type GaugeConfiguration } from 'prom-client';

/** Less than the ten seconds that Prometheus waits for a scrape. */
const READ_WITHIN_MS = 3_000;

/**
 * The metrics of one process, for Prometheus. The process's bootstrap creates them once, and passes them to the parts that
 * count. There is no global registry, so that two applications in one process (as in `npm start` and in tests) do not mix.
 */
export class Metrics {
  readonly registry = new Registry();

  /** Seconds from the first byte of a request to the last of its answer, by route template, never by URL. */
  readonly httpSeconds: Histogram<'method' | 'route' | 'status'>;

  readonly #decisions: Counter<'entrypoint' | 'outcome'>;

  /** Counts a policy decision of this process. */
  readonly countDecision = (entrypoint: string, outcome: string): void => {
    this.#decisions.inc({ entrypoint, outcome });
  };

  readonly #runsEnded: Counter<'state'>;

  /** Counts a run that this process has brought to its end. */
  readonly countEndedRun = (state: string): void => {
    this.#runsEnded.inc({ state });
  };

  readonly #unread: Counter<'metric'>;

  readonly #brokenSeals: Counter<'table'>;

  /** Counts a stored record that decides and was not written by Countersign. */
  readonly countBrokenSeal = (table: string): void => {
    this.#brokenSeals.inc({ table });
  };

  constructor(options: { readonly collectProcess: boolean }) {
    if (options.collectProcess) collectDefaultMetrics({ register: this.registry, prefix: 'countersign_' });
    this.httpSeconds = new Histogram({
      name: 'countersign_http_request_seconds',
      help: 'Duration of HTTP requests by route and status',
      labelNames: ['method', 'route', 'status'],
      buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      registers: [this.registry],
    });
    this.#decisions = new Counter({
      name: 'countersign_decisions_total',
      help: 'Policy decisions that this process took to enforce them, by entrypoint and outcome',
      labelNames: ['entrypoint', 'outcome'],
      registers: [this.registry],
    });
    this.#runsEnded = new Counter({
      name: 'countersign_runs_ended_total',
      help: 'Runs that this process brought to their end, by the state they ended in',
      labelNames: ['state'],
      registers: [this.registry],
    });
    this.#unread = new Counter({
      name: 'countersign_unread_metrics_total',
      help: 'Readings of a metric that failed, as while the database is away: the scrape lacks it',
      labelNames: ['metric'],
      registers: [this.registry],
    });
    this.#brokenSeals = new Counter({
      name: 'countersign_broken_seals_total',
      help: 'Stored records that decide and were refused, since Countersign did not write them so, by table',
      labelNames: ['table'],
      registers: [this.registry],
    });
  }

  /**
   * A gauge that is read when Prometheus asks. `collect` runs at every scrape, so it must be one cheap query. If it fails or is slow, the
   * scrape lacks this gauge alone: the others are needed most then.
   */
  gauge<Label extends string>(
    configuration: Omit<GaugeConfiguration<Label>, 'registers' | 'collect'> & {
      readonly collect: (gauge: Gauge<Label>) => Promise<void>;
    },
  ): Gauge<Label> {
    const { collect, ...rest } = configuration;
    const unread = this.#unread;
    return new Gauge<Label>({
      ...rest,
      registers: [this.registry],
      async collect() {
        const late = new AbortController();
        const tooLate = delay(READ_WITHIN_MS, undefined, { signal: late.signal }).then(() => {
          throw new Error('The reading takes too long.');
        });
        try {
          await Promise.race([collect(this), tooLate]);
        } catch {
          // The last reading says nothing of now, and a gauge without labels would be reset to 0.
          if (rest.labelNames === undefined) this.remove();
          else this.reset();
          unread.inc({ metric: rest.name });
        } finally {
          late.abort();
        }
      },
    });
  }
}
