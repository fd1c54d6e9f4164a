import { createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import type { EntryStat } from '../files/entry-stat.js';
import type { Folder } from '../files/folder.js';
import { inFolder, makeFolders } from '../files/locate.js';

/** The id of a content in git, by the length of the repository's ids. */
export function blobId(content: Uint8Array, idLength: number): string {
  const hash = createHash(idLength === 64 ? 'sha256' : 'sha1');
  return hash
    .update(`blob ${String(content.length)}\0`)
    .update(content)
    .digest('hex');
}

/** Stores a content as a loose object of git, without the filters that `git add` executes. @returns its id */
export async function storeBlob(objects: Folder, content: Uint8Array, idLength: number): Promise<string> {
  const id = blobId(content, idLength);
  const [prefix, name] = [id.slice(0, 2), id.slice(2)];
  await makeFolders(objects, [prefix]);
  await inFolder(objects, [prefix], async (folder) => {
    if ((await folder.stat(name)) !== null) return;
    const object = Buffer.concat([Buffer.from(`blob ${String(content.length)}\0`), content]);
    await folder.write(name, deflateSync(object), 0o444);
  });
  return id;
}

/** The content that git keeps of an entry: of a symbolic link, its target. */
export async function contentOfEntry(
  folder: Folder,
  name: string,
  stat: EntryStat,
  most: number,
): Promise<{ readonly content: Buffer; readonly mode: string }> {
  if (stat.kind === 'symlink') return { content: await folder.readSymlink(name), mode: '120000' };
  const { content, mode } = await folder.read(name, most);
  return { content, mode: modeOf(mode) };
}

/** git's mode of an ordinary file. */
export const modeOf = (mode: number): string => ((mode & 0o100) === 0 ? '100644' : '100755');
