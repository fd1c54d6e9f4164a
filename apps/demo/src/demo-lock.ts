import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A demo that runs already in this checkout: its data must not be taken from under it. */
export class DemoIsRunning extends Error {
  constructor(pid: number, file: string) {
    super(
      `A demo runs in this checkout already (process ${String(pid)}), and a second one would take its data.\n` +
        `  Press Ctrl-C there first, or run this one in another checkout. If that process is no demo, remove ${file}.`,
    );
  }
}

/**
 * Claims the demo's data for this process. A claim of a process that has died counts for nothing.
 *
 * @returns the function that gives it back.
 * @throws {DemoIsRunning} while another process holds it.
 */
export function claimDemo(file: string, pid = process.pid): () => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const claim = `${file}.${String(pid)}`;
  // The file is written aside and linked into place, so that no reader finds a claim without its process.
  writeFileSync(claim, `${String(pid)}\n`);
  try {
    for (;;) {
      try {
        linkSync(claim, file);
        break;
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      }
      const holder = holderOf(file);
      if (holder !== null && holder !== pid && isAlive(holder)) throw new DemoIsRunning(holder, file);
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(claim, { force: true });
  }
  return () => {
    if (holderOf(file) === pid) rmSync(file, { force: true });
  };
}

/** The process that the claim names; null if it is gone or says nothing. */
function holderOf(file: string): number | null {
  try {
    const pid = Number(readFileSync(file, 'utf8'));
    return Number.isSafeInteger(pid) && pid > 0 ? pid : null;
  } catch {
    return null;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
