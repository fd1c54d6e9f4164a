import { statSync } from 'node:fs';
import { isAbsolute, normalize } from 'node:path';
import { wrongSetting } from '#lib/kernel';

const OTHERS_WRITE = 0o002;

/**
 * A folder in which others can put a program would let them choose what a name means.
 *
 * @throws FailureError `start.wrong_setting` for a relative, missing or world-writable folder
 */
export function checkProgramFolders(folders: readonly string[]): void {
  if (folders.length === 0) throw wrongSetting('A runner needs at least one folder of programs.');
  for (const folder of folders) {
    if (!isAbsolute(folder) || normalize(folder) !== folder || folder.includes(':')) {
      throw wrongSetting(`The folder of programs ${folder} is no plain absolute path.`);
    }
    const stat = statSync(folder, { throwIfNoEntry: false });
    if (stat?.isDirectory() !== true) throw wrongSetting(`The folder of programs ${folder} does not exist.`);
    if ((stat.mode & OTHERS_WRITE) !== 0)
      throw wrongSetting(`Everybody can write to the folder of programs ${folder}.`);
  }
}
