import { randomUUID } from 'node:crypto';
import { link, open, readdir, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '#lib/folders';
import type { PublishedCheckpoints, CheckpointPublisher, PublicationAnswer } from '../application/audit.ports.js';
import { isFileError } from './file-error.js';

const NAME = /^(\d{16})\.note$/;
const nameOf = (treeSize: number): string => `${String(treeSize).padStart(16, '0')}.note`;

/**
 * Checkpoints as files in a directory that should lie on another machine: `<origin>/<size>.note`, each written once,
 * and `<origin>/latest.note`. Never overwrites a checkpoint, and refuses one that is smaller than the held one or
 * differs from it.
 */
export class DirectoryCheckpointPublisher implements CheckpointPublisher, PublishedCheckpoints {
  constructor(
    private readonly directory: string,
    readonly elsewhere = true,
  ) {}

  async publish(origin: string, treeSize: number, note: string): Promise<PublicationAnswer> {
    const folder = join(this.directory, ...origin.split('/'));
    await makeFolder(folder, 0o777);
    const largest = await largestIn(folder);
    if (largest !== undefined && largest > nameOf(treeSize)) {
      return { outcome: 'behind', held: await readFile(join(folder, largest), 'utf8') };
    }
    const held = await writeOnce(folder, nameOf(treeSize), note);
    if (held !== null && checkpointText(held) !== checkpointText(note)) return { outcome: 'fork', held };
    await replace(folder, 'latest.note', held ?? note);
    return { outcome: 'published' };
  }

  async held(origin: string): Promise<string | null> {
    const folder = join(this.directory, ...origin.split('/'));
    try {
      const largest = await largestIn(folder);
      return largest === undefined ? null : await readFile(join(folder, largest), 'utf8');
    } catch (error) {
      if (isFileError(error, 'ENOENT')) return null;
      throw error;
    }
  }
}

/** The name of the largest checkpoint in a folder. */
const largestIn = async (folder: string): Promise<string | undefined> =>
  (await readdir(folder))
    .filter((name) => NAME.test(name))
    .sort()
    .at(-1);

/** The signed text, without the signatures: signing the same tree again after a lost answer is no fork. */
const checkpointText = (note: string): string => note.slice(0, note.indexOf('\n\n'));

async function writeTemporary(folder: string, text: string): Promise<string> {
  const path = join(folder, `.${randomUUID()}.tmp`);
  const file = await open(path, 'wx', 0o644);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  return path;
}

/** Writes a whole file or none, and never over another. @returns the text of a file that is there already. */
async function writeOnce(folder: string, name: string, text: string): Promise<string | null> {
  const temporary = await writeTemporary(folder, text);
  try {
    // Unlike rename, link fails if the name is taken.
    await link(temporary, join(folder, name));
    return null;
  } catch (error) {
    if (isFileError(error, 'EEXIST')) return await readFile(join(folder, name), 'utf8');
    throw error;
  } finally {
    await rm(temporary, { force: true });
  }
}

async function replace(folder: string, name: string, text: string): Promise<void> {
  await rename(await writeTemporary(folder, text), join(folder, name));
}
