import { setTimeout as delay } from 'node:timers/promises';

/** Shorter than the limit of a test, whose message would say nothing of the reason. */
const WITHIN_MS = 50_000;
const BETWEEN_MS = 20;

/** Asks again and again until the answer is neither null nor false, and returns it; throws if none is in time. */
export async function until<T>(ask: () => T | null | false | Promise<T | null | false>): Promise<T> {
  const deadline = performance.now() + WITHIN_MS;
  for (;;) {
    const answer = await ask();
    if (answer !== null && answer !== false) return answer;
    if (performance.now() > deadline) throw new Error(`This did not come to be in time: ${ask.toString()}`);
    await delay(BETWEEN_MS);
  }
}
