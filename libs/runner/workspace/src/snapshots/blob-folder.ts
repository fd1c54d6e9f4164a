import { createHash, randomBytes } from 'node:crypto';
import { link, open, readdir, readFile, rmdir, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder } from '#lib/folders';
import { codeOf } from '../files/entry-stat.js';

/** The SHA-256 of a file's content, in hexadecimal. */
export const digestOf = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex');

/**
 * Contents by their SHA-256. A snapshot holds each of its contents by a name in its own folder. It is a second name of
 * the shared file. So a shared file with one name left is in no snapshot. Its collection takes nothing from a snapshot
 * that this process or another makes now.
 */
export class BlobFolder {
  readonly #shared: string;

  constructor(shared: string) {
    this.#shared = shared;
  }

  /** Gives a snapshot's own folder the content, durably. */
  async keep(own: string, digest: string, content: Uint8Array): Promise<void> {
    const [mine, shared] = [join(own, digest), this.#pathOf(digest)];
    if (await tookName(shared, mine)) return;
    await writeDurably(mine, content);
    await makeFolder(dirname(shared));
    // Another snapshot may have shared the same content meanwhile; then both keep a file of their own.
    await tookName(mine, shared);
  }

  /** Removes every shared content that no snapshot holds. @returns their number. */
  async collect(): Promise<number> {
    let collected = 0;
    for (const prefix of await namesIn(this.#shared)) {
      const folder = join(this.#shared, prefix);
      for (const name of await namesIn(folder)) {
        const path = join(folder, name);
        if (await removedIfAlone(path)) collected += 1;
      }
      await rmdir(folder).catch(() => undefined);
    }
    return collected;
  }

  #pathOf(digest: string): string {
    return join(this.#shared, digest.slice(0, 2), digest.slice(2));
  }
}

/** Another collection may be at the same file. */
async function removedIfAlone(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).nlink > 1) return false;
    await unlink(path);
    return true;
  } catch (problem) {
    if (codeOf(problem) === 'ENOENT') return false;
    throw problem;
  }
}

/** True if the name now holds a file: this source, or an equal content that came first. */
async function tookName(source: string, name: string): Promise<boolean> {
  try {
    await link(source, name);
    return true;
  } catch (problem) {
    if (['ENOENT', 'EEXIST', 'EMLINK'].includes(codeOf(problem))) return codeOf(problem) === 'EEXIST';
    throw problem;
  }
}

/** Writes a new file, and returns when it is on the disk. */
export async function writeDurably(path: string, content: Uint8Array | string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes the names in a folder durable. */
export async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Reads a content and checks it. @throws {Error} if the disk gave back other bytes. */
export async function readBlob(own: string, digest: string): Promise<Buffer> {
  const content = await readFile(join(own, digest));
  if (digestOf(content) !== digest) throw new Error(`the stored content ${digest} is damaged`);
  return content;
}

/** The names in a folder; none if it does not exist. */
export async function namesIn(path: string): Promise<string[]> {
  try {
    return await readdir(path);
  } catch (problem) {
    if (codeOf(problem) === 'ENOENT') return [];
    throw problem;
  }
}

/** An id that orders by nothing and collides with nothing. */
export const newId = (): string => randomBytes(16).toString('hex');
