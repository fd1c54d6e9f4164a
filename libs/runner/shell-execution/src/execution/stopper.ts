import { isTimeout } from '#lib/workspace';
import { Stop } from '../domain/stop.js';

/** Ends a line: by the caller, by its time limit, or by a refusal inside it. */
export interface Stopper {
  /** Its reason is a Stop. */
  readonly signal: AbortSignal;
  readonly stop: (reason: unknown) => void;
  readonly done: () => void;
}

/** @param cancelled aborts as soon as the caller no longer waits */
export function stopperOf(cancelled: AbortSignal, timeMs: number): Stopper {
  const controller = new AbortController();
  const cancel = (): void => {
    controller.abort(isTimeout(cancelled.reason) ? timeLimit('the time limit of its tool') : CANCELLED);
  };
  const timer = setTimeout(() => {
    controller.abort(timeLimit(`${String(timeMs / 1_000)} seconds`));
  }, timeMs);
  cancelled.addEventListener('abort', cancel, { once: true });
  if (cancelled.aborted) cancel();
  return {
    signal: controller.signal,
    stop: (reason) => {
      controller.abort(reason);
    },
    done: () => {
      clearTimeout(timer);
      cancelled.removeEventListener('abort', cancel);
    },
  };
}

const CANCELLED = new Stop('shell.cancelled', 'The line was cancelled before it ended.');

const timeLimit = (limit: string): Stop =>
  new Stop('shell.time_limit', `The line did not end within ${limit}. Split it, or ask for more time.`);
