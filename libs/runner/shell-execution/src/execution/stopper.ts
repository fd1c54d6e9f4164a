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
    controller.abort(new Stop('shell.cancelled', 'The line was cancelled before it ended.'));
  };
  const timer = setTimeout(() => {
    const seconds = String(timeMs / 1_000);
    controller.abort(
      new Stop('shell.time_limit', `The line did not end within ${seconds} seconds. Split it, or ask for more time.`),
    );
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
