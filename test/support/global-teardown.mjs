import { rm } from 'node:fs/promises';
import { stopTestServer } from './test-server.mjs';

/** Stops the run's PostgreSQL, if any test started it, and leaves nothing behind. */
export default async function tearDown() {
  const { directory } = JSON.parse(process.env.COUNTERSIGN_TEST_RUN);
  await stopTestServer(directory);
  await rm(directory, { recursive: true, force: true });
}
