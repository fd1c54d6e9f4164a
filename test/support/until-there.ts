import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';

const WITHIN_MS = 60_000;

/** Resolves once there is such a file. */
export async function untilThere(path: string): Promise<void> {
  const deadline = performance.now() + WITHIN_MS;
  while (!existsSync(path)) {
    if (performance.now() > deadline) throw new Error(`${path} did not come to be in time`);
    await delay(20);
  }
}
