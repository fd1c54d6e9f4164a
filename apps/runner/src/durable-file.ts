import { open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { makeFolder } from '#lib/folders';
import { errorCode } from '#lib/kernel';

/** Writes a file for its owner alone. It is there whole or not at all, also after a crash of the machine. */
export async function writeDurably(path: string, content: string): Promise<void> {
  const folder = dirname(path);
  await makeFolder(folder);
  const making = `${path}.${String(process.pid)}.new`;
  const file = await open(making, 'w', 0o600);
  try {
    await file.writeFile(content);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(making, path);
  await syncFolder(folder);
}

/** Null if there is no such file. */
export async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}

export async function removeDurably(path: string): Promise<void> {
  await rm(path, { force: true });
  await syncFolder(dirname(path));
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
