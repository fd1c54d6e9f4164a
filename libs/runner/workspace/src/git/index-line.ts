import type { ToolContext } from '../domain/runner-tool.js';
import { ToolRefusal } from '../domain/tool-refusal.js';
import { namesBelowRoot } from '../domain/workspace-path.js';
import type { Folder } from '../files/folder.js';
import { atEntry } from '../files/locate.js';
import { contentOfEntry, storeBlob } from './blob-object.js';

/** A line for `update-index --index-info`: the file as it is now, or its absence. */
export async function indexLine(
  root: Folder,
  objects: Folder,
  path: string,
  idLength: number,
  { limits }: ToolContext,
): Promise<string> {
  const absent = `0 ${'0'.repeat(idLength)}\t${path}\0`;
  try {
    return await atEntry(root, namesBelowRoot(path), async (folder, name) => {
      const stat = await folder.stat(name);
      if (stat === null) return absent;
      const { content, mode } = await contentOfEntry(folder, name, stat, limits.fileBytes);
      return `${mode} ${await storeBlob(objects, content, idLength)}\t${path}\0`;
    });
  } catch (problem) {
    if (problem instanceof ToolRefusal && ABSENT.includes(problem.code)) return absent;
    throw problem;
  }
}

/** A folder on the way is gone, or is something else now. */
const ABSENT = ['workspace.not_found', 'workspace.not_a_folder', 'workspace.not_a_file', 'workspace.symlink'];
