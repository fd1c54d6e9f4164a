import { linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolderSync } from '#lib/folders';
import { errorCode } from '#lib/kernel';

/** Another process holds the claim: its data must not be taken from under it. */
export class ClaimedElsewhere extends Error {
  constructor(
    readonly pid: number,
    file: string,
  ) {
    super(`The process ${String(pid)} holds ${file}.`);
    this.name = 'ClaimedElsewhere';
  }
}

/**
 * Claims the data beside a file for one process of this machine. The claim of a process that has died counts for nothing.
 *
 * @returns the function that gives it back.
 * @throws {ClaimedElsewhere} while another process holds it.
 */
export function claimFile(file: string, pid = process.pid): () => void {
  makeFolderSync(dirname(file));
  const claim = `${file}.${String(pid)}`;
  // The file is written aside and linked into place, so that no reader finds a claim without its process.
  writeFileSync(claim, `${String(pid)}\n`);
  try {
    for (;;) {
      try {
        linkSync(claim, file);
        break;
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      const holder = holderOf(file);
      if (holder !== null && holder !== pid && isAlive(holder)) throw new ClaimedElsewhere(holder, file);
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
    return errorCode(error) === 'EPERM';
  }
}
