import { findProgram } from '../adapters/find-program.js';
import { repositoryPrograms } from '../adapters/repository-programs.js';
import { gitCallOf } from '../domain/git-call.js';
import { Stop } from '../domain/stop.js';
import type { Line } from './line.js';

const WAY_OUT =
  'Have a person approve this line, in a session that asks about every call, or have them remove the settings.';
const MAX_SAID = 5;

/**
 * Refuses a call of git without an approval if the repository makes git execute a program. A filter, a textconv or
 * their like does so. The verdict on the line trusts the configuration of the repository, which an approved write may
 * have changed.
 *
 * @param words the arguments of the program
 * @param folder the absolute path of the current folder
 * @throws Stop `shell.repository_programs`, `shell.repository_unreadable`
 */
export async function checkRepository(
  program: string,
  words: readonly string[],
  folder: string,
  line: Line,
): Promise<void> {
  const moves = gitCallOf(program, words);
  if (moves === null) return;
  if (moves === 'unclear') {
    const message = `${program} may start git in a folder that the runner does not see. Write \`git -C FOLDER\` as a command of its own.`;
    throw new Stop('shell.repository_unclear', message);
  }
  const { environment, signal, programFolders, root } = line;
  const git = findProgram(moves.length > 0 ? program : 'git', programFolders, root, folder).path;
  const settings = await repositoryPrograms({ git, folder, moves, environment, signal });
  if (settings.length === 0) return;
  const named = settings
    .slice(0, MAX_SAID)
    .map((setting) => JSON.stringify(setting.slice(0, 200)))
    .join(', ');
  const message = `The configuration of the repository makes git execute other programs, by ${named}. ${WAY_OUT}`;
  throw new Stop('shell.repository_programs', message);
}
