import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import makeTemporaryFolder from './temporary-folder.mjs';

/** Gives the run a place for its PostgreSQL, which the first test that needs one starts. */
export default async function setUp() {
  await makeTemporaryFolder();
  const { folder } = JSON.parse(process.env.COUNTERSIGN_TEST_FOLDER);
  // A short name: the path of a socket has at most 103 characters on some systems.
  const sockets = join(folder, 's');
  await mkdir(sockets, { recursive: true });
  await chmod(sockets, 0o1777); // the server of a run by root has an account of its own
  const run = { directory: join(folder, 'postgres'), sockets, ownerPid: process.pid };
  process.env.COUNTERSIGN_TEST_RUN = JSON.stringify(run);
}
