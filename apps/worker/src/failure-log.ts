import type { Logger } from 'pino';
import { databaseFailure, type DueJob } from '#lib/database';

/** A failure that lasts is logged again after so long. */
const AGAIN_MS = 600_000;

interface LoggedFailure {
  readonly at: number;
  /** How often it has come again since. */
  repeated: number;
}

/**
 * Logs failures of work that is tried again every second, as while the database is away. Each reason is logged once for the same
 * facts, and again every ten minutes with the number of repetitions. All others are lines of level debug.
 */
export class FailureLog {
  readonly #logged = new Map<string, LoggedFailure>();

  constructor(
    private readonly logger: Pick<Logger, 'debug' | 'error'>,
    private readonly now: () => number,
  ) {}

  record(error: unknown, words: string, facts: Readonly<Record<string, unknown>> = {}): void {
    const now = this.now();
    const reason = JSON.stringify([words, facts, String(error)]);
    const logged = this.#logged.get(reason);
    if (logged !== undefined && now - logged.at < AGAIN_MS) {
      logged.repeated += 1;
      this.logger.debug({ ...facts, err: error }, words);
      return;
    }
    // A reason that still fails comes again soon after its ten minutes, and keeps its number of repetitions until then.
    for (const [each, { at }] of this.#logged) if (now - at >= 2 * AGAIN_MS) this.#logged.delete(each);
    this.#logged.set(reason, { at: now, repeated: 0 });
    this.logger.error({ ...facts, err: error, ...(logged === undefined ? {} : { repeated: logged.repeated }) }, words);
  }
}

const OF_ALL_ROWS: ReadonlySet<string | undefined> = new Set(['database.unavailable', 'database.disk_full']);

/**
 * The facts of a job that failed. They include its row, unless the database was away or full, which stops the rows of every
 * tenant alike.
 */
export const jobFacts = (error: unknown, { name, tenantId, id }: DueJob): Readonly<Record<string, string>> =>
  OF_ALL_ROWS.has(databaseFailure(error)?.code) ? { job: name } : { job: name, tenant_id: tenantId, id };
