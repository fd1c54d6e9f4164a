import { setTimeout as delay } from 'node:timers/promises';

const WITHIN_MS = 60_000;
const BETWEEN_MS = 20;

/** Asks again and again until the answer is neither null nor false, and returns it; throws if it is not within a minute. */
export async function until<T>(ask: () => T | null | false | Promise<T | null | false>): Promise<T> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`This did not come to be within a minute: ${ask.toString()}`);
    await delay(BETWEEN_MS);
  }
}
