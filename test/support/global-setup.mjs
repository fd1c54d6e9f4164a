import { join } from 'node:path';
import makeTemporaryFolder from './temporary-folder.mjs';

/** Gives the run a place for its PostgreSQL, which the first test that needs one starts. */
export default async function setUp() {
  await makeTemporaryFolder();
  const { folder } = JSON.parse(process.env.COUNTERSIGN_TEST_FOLDER);
  process.env.COUNTERSIGN_TEST_RUN = JSON.stringify({ directory: join(folder, 'postgres'), ownerPid: process.pid });
}
