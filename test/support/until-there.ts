import { existsSync } from 'node:fs';
import { until } from './until.js';

/** Resolves once there is such a file; throws if there is none within a minute. */
export async function untilThere(path: string): Promise<void> {
  await until(() => existsSync(path));
}
