import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 25;

/**
 * Asks `probe` again and again until it answers something.
 *
 * @param what the awaited condition, for the message of the error.
 * @throws after `deadlineMs` milliseconds without an answer.
 */
export async function until<T>(what: string, deadlineMs: number, probe: () => Promise<T | undefined>): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const answer = await probe();
    if (answer !== undefined) return answer;
    if (performance.now() > deadline)
      throw new Error(`Gave up after ${String(deadlineMs / 1000)} s waiting for ${what}.`);
    await delay(POLL_MS);
  }
}
