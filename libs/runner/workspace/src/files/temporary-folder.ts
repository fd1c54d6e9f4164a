import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Folder } from './folder.js';

/** Makes a folder outside every workspace for one use, and removes it afterwards. */
export async function inTemporaryFolder<T>(use: (folder: Folder, path: string) => Promise<T>): Promise<T> {
  const path = await mkdtemp(join(tmpdir(), 'countersign-workspace-'));
  try {
    const folder = await Folder.open(path);
    try {
      return await use(folder, path);
    } finally {
      await folder.close();
    }
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}
