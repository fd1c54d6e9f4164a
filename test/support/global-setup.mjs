import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, stopTestServer } from './test-server.mjs';

const PREFIX = 'countersign-test-';

/** Gives the run a place for its PostgreSQL, which the first test that needs one starts, and clears up after runs that were killed. */
export default async function setUp() {
  if (process.env.COUNTERSIGN_TEST_RUN !== undefined) return; // The set-up of another project was here.
  for (const name of await readdir(tmpdir())) {
    const [, owner] = /^countersign-test-(\d+)-/.exec(name) ?? [];
    if (owner === undefined || isRunning(Number(owner))) continue;
    const left = join(tmpdir(), name);
    const found = await stat(left).catch(() => undefined); // another run may have cleared it up just now
    if (found === undefined || found.uid !== process.getuid?.()) continue;
    await stopTestServer(left);
    await rm(left, { recursive: true, force: true });
  }
  const directory = await mkdtemp(join(tmpdir(), `${PREFIX}${process.pid}-`));
  process.env.COUNTERSIGN_TEST_RUN = JSON.stringify({ directory, ownerPid: process.pid });
}
