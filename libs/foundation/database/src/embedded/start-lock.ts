import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { errorCode } from '#lib/kernel';

import { identityOf, isAlive, type ProcessIdentity } from './processes.js';
import { parseIdentity } from './server-record.js';
import { until } from './until.js';

/**
 * Runs `work` while no other process does, for work on one data directory. The lock is a file that names its holder;
 * the file of a holder that died is taken over.
 */
export async function withStartLock<T>(file: string, deadlineMs: number, work: () => Promise<T>): Promise<T> {
  const self = await identityOf(process.pid);
  const content = JSON.stringify(self);
  await until(`another start on the same data to finish (lock file ${file})`, deadlineMs, async () => {
    if (await createExclusively(file, content)) return true;
    await removeIfAbandoned(file);
    return undefined;
  });
  try {
    return await work();
  } finally {
    await rm(file, { force: true });
  }
}

async function createExclusively(file: string, content: string): Promise<boolean> {
  try {
    // Written aside and linked into place, so that no process ever reads a lock without its holder.
    const aside = `${file}.${String(process.pid)}`;
    const handle = await open(aside, 'w', 0o600);
    await handle.writeFile(content);
    await handle.close();
    try {
      await link(aside, file);
    } finally {
      await rm(aside, { force: true });
    }
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

async function removeIfAbandoned(file: string): Promise<void> {
  const seen = await readFile(file, 'utf8').catch(() => undefined);
  if (seen === undefined) return;
  const holder: ProcessIdentity | undefined = parseIdentity(seen);
  if (holder !== undefined && (await isAlive(holder))) return;
  const aside = `${file}.abandoned.${String(process.pid)}`;
  try {
    await rename(file, aside);
  } catch {
    return; // somebody else took it away
  }
  // Between reading and renaming, the abandoned file may have given way to a live one: then put that back.
  if ((await readFile(aside, 'utf8')) !== seen) await link(aside, file).catch(() => undefined);
  await rm(aside, { force: true });
}
