import { randomUUID } from 'node:crypto';
import { existsSync, linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

const LOOK_EVERY_MS = 50;
/** Far longer than a build takes, also on a busy machine. */
const WAIT_MS = 180_000;

/**
 * Has one of several processes make a folder, while the others wait for it. The process that makes it keeps a lock beside it. A
 * lock that a killed process left is taken over.
 *
 * @throws {Error} after three minutes, or if the lock cannot be written. A later process may have the number of a killed one, and then
 * nobody gives the lock back.
 */
export function madeOnce(target: string, make: () => void, waitMs = WAIT_MS): void {
  const lock = `${target}.lock`;
  for (const deadline = performance.now() + waitMs; !existsSync(target);) {
    const mine = `${String(process.pid)} ${randomUUID()}`;
    if (takeLock(lock, mine)) {
      try {
        if (!existsSync(target)) make();
      } finally {
        removeLock(lock, mine);
      }
    } else if (performance.now() > deadline) {
      throw new Error(
        `The file ${lock} has kept this test waiting for ${String(waitMs / 1_000)} s. If no other test run is under way, delete it and run the tests again.`,
      );
    }
  }
}

function takeLock(lock: string, mine: string): boolean {
  try {
    writeFileSync(lock, mine, { flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; // errors of the file system have codes
    const holder = holderOf(lock);
    if (holder !== null && !isRunning(Number.parseInt(holder, 10) || 0)) removeLock(lock, holder);
    // A pause without the event loop: those who need the folder cannot await it.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_EVERY_MS);
    return false;
  }
}

/** A function of its own: the build compiles this file for the benchmarks, and copies no script. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'; // errors of the system have codes
  }
}

/** Null if the lock has just been given back. */
function holderOf(lock: string): string | null {
  try {
    return readFileSync(lock, 'utf8');
  } catch {
    return null;
  }
}

/** Removes the lock of this holder. Another process may have taken its place since somebody looked: that lock stays. */
export function removeLock(lock: string, holder: string): void {
  const aside = `${lock}.${randomUUID()}`;
  try {
    renameSync(lock, aside);
  } catch {
    return; // another process removed it first
  }
  try {
    if (readFileSync(aside, 'utf8') !== holder) linkSync(aside, lock);
  } catch {
    // A third process holds it now: both make the folder, and one of them fails.
  } finally {
    rmSync(aside);
  }
}
