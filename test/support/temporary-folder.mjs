import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRunning, stopTestServer } from './test-server.mjs';

const PREFIX = 'countersign-test-';
const SHARED_MEMORY = '/dev/shm';

/** A run has a few hundred MB of files at a time, and its processes need memory, too. */
const ROOM_BYTES = 2 * 1024 ** 3;
const MEMORY_BYTES = 6 * 1024 ** 3;

/**
 * Gives the run a folder of its own for temporary files, PostgreSQL's among them. Clears up after runs that were killed. The
 * folder is in memory if there is room. A run makes and deletes hundreds of thousands of files. Ext4 without a journal looks for
 * an inode past each one that was deleted within five minutes. That is half a second for each new database.
 */
export default async function makeTemporaryFolder() {
  if (process.env.COUNTERSIGN_TEST_FOLDER !== undefined) return; // The set-up of another project was here.
  const { TMPDIR } = process.env;
  await clearUp();
  const parent = TMPDIR === undefined && (await hasRoom(SHARED_MEMORY)) ? SHARED_MEMORY : tmpdir();
  const folder = await mkdtemp(join(parent, `${PREFIX}${process.pid}-`));
  await chmod(folder, 0o1777); // as /tmp is: tests start programs under other accounts
  await mkdir(join(folder, 'postgres'), { mode: 0o700 });
  process.env.TMPDIR = folder;
  process.env.COUNTERSIGN_TEST_FOLDER = JSON.stringify({ folder, before: TMPDIR });
}

/** Whether a file system is in memory, lets programs run, and has room; not so in most containers. */
async function hasRoom(parent) {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const [, , type, options = ''] =
    mounts
      .split('\n')
      .map((line) => line.split(' '))
      .find(([, at]) => at === parent) ?? [];
  if (type !== 'tmpfs' || options.split(',').includes('noexec')) return false;
  const { bavail, bsize } = await statfs(parent);
  return bavail * bsize >= ROOM_BYTES && process.availableMemory() >= MEMORY_BYTES;
}

/** Stops the PostgreSQL of each run that was killed, and deletes its files. */
export async function clearUp() {
  for (const parent of [tmpdir(), SHARED_MEMORY]) await clearUpIn(parent);
}

async function clearUpIn(parent) {
  for (const name of await readdir(parent).catch(() => [])) {
    const [, owner] = /^countersign-test-(\d+)-/.exec(name) ?? [];
    if (owner === undefined || isRunning(Number(owner))) continue;
    const left = join(parent, name);
    const found = await stat(left).catch(() => undefined); // another run may have cleared it up just now
    if (found === undefined || found.uid !== process.getuid?.()) continue;
    await stopTestServer(join(left, 'postgres'));
    await rm(left, { recursive: true, force: true });
  }
}
