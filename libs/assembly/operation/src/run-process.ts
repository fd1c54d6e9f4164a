import { once } from 'node:events';
import { fail, type Failure } from '#lib/kernel';
import { report } from './report.js';

/** Of a process that cannot start or go on; the same as the command line's. */
const EXIT_UNAVAILABLE = 4;
/**
 * The time limit of a start after a signal to end. Also that of stopping the parts once one of them, such as the
 * database, has ended. Also that of things which libraries hold open once all parts have stopped.
 */
const STOP_WITHIN_MS = 5_000;

/** Something that was started; stopped in the opposite order. */
type Stop = () => Promise<unknown>;

/** The reason why a process that has started cannot go on. */
export interface Ending {
  readonly signal: AbortSignal;
  readonly why: Failure;
}

/**
 * Runs a process until SIGTERM, SIGINT or an ending, then stops the parts in `stops`, the last first. A start that fails
 * stops the parts that it had started. A failure is written with its code and its action, and the process exits with 4.
 *
 * @param start answers null if nothing but a signal ends the process.
 */
export async function runProcess(start: (stops: Stop[]) => Promise<Ending | null>): Promise<void> {
  const stops: Stop[] = [];
  const told = new AbortController();
  let started = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      told.abort();
      if (!started) setTimeout(() => process.exit(EXIT_UNAVAILABLE), STOP_WITHIN_MS).unref();
    });
  }
  let ended = false;
  try {
    try {
      const ending = await start(stops);
      started = true;
      const over = ending === null ? told.signal : AbortSignal.any([told.signal, ending.signal]);
      if (!over.aborted) await once(over, 'abort');
      if (ending !== null && !told.signal.aborted) {
        ended = true;
        setTimeout(() => process.exit(EXIT_UNAVAILABLE), STOP_WITHIN_MS).unref();
        fail(ending.why);
      }
    } finally {
      for (const stop of stops.reverse()) await (ended ? stop().catch(() => undefined) : stop());
    }
  } catch (error) {
    report(error);
    process.exitCode = EXIT_UNAVAILABLE;
  }
  setTimeout(() => process.exit(), STOP_WITHIN_MS).unref();
}
