import type { TemporalConfig } from '../application/temporal-config.js';
import { temporalSilent } from './temporal-failures.js';

/**
 * Awaits a call to Temporal for so long at most. Its own calls wait as long as the system keeps a silent connection.
 *
 * @param stopping ends the wait, which then rejects with its reason.
 * @throws {FailureError} `dispatcher.temporal_silent`.
 */
export async function awaitTemporal<Answer>(
  config: TemporalConfig,
  withinMs: number,
  call: Promise<Answer>,
  stopping?: AbortSignal,
): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  let stop = (): void => undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(temporalSilent(config, withinMs));
    }, withinMs);
    stop = () => {
      reject(stopping?.reason as Error); // of `abort` without an argument
    };
  });
  stopping?.addEventListener('abort', stop);
  try {
    return await Promise.race([call, givenUp]);
  } finally {
    clearTimeout(timer);
    stopping?.removeEventListener('abort', stop);
  }
}
