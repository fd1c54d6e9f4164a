import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import setUpPostgres from './global-setup.mjs';

/** Builds the web UI before the first test, since two workers would build it both. */
export default async function setUp() {
  execFileSync(process.execPath, [fileURLToPath(new URL('../../tools/build-web.mjs', import.meta.url))]);
  await setUpPostgres();
}
