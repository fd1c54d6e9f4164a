// Plain JavaScript: jest loads its global set-up without the module mapping that the tests have.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const DEADLINE_MS = 20_000;

/** Whether a process has this id; one of another user counts. */
export function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Stops the PostgreSQL that a test run started under `directory`; nothing if there is none. */
export async function stopTestServer(directory) {
  const pidFile = join(directory, 'data', 'postmaster.pid');
  const read = () => readFile(pidFile, 'utf8').catch(() => '');
  const pid = Number.parseInt(await read(), 10);
  if (Number.isNaN(pid) || !isRunning(pid)) return;
  process.kill(pid, 'SIGINT');
  for (const deadline = performance.now() + DEADLINE_MS; (await read()) !== ''; await delay(20)) {
    if (performance.now() > deadline) throw new Error(`The tests' PostgreSQL (process ${pid}) does not stop.`);
  }
}
