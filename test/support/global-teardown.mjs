import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { stopTestServer } from './test-server.mjs';

/** Stops the run's PostgreSQL, if any test started it, and leaves nothing behind. */
export default async function tearDown() {
  const { COUNTERSIGN_TEST_FOLDER: made } = process.env;
  if (made === undefined) return; // The teardown of another project was here.
  const { folder, before } = JSON.parse(made);
  await stopTestServer(join(folder, 'postgres'));
  await rm(folder, { recursive: true, force: true });
  delete process.env.COUNTERSIGN_TEST_FOLDER;
  delete process.env.COUNTERSIGN_TEST_RUN;
  delete process.env.TMPDIR;
  if (before !== undefined) process.env.TMPDIR = before;
}
