import type { TreeCommand, TreeList, TreeWord } from '#lib/shell-safety';
import type { ConfinedFolders } from '../adapters/confined-folders.js';
import { findProgram } from '../adapters/find-program.js';
import { CommandFailure } from '../domain/stop.js';

/** All commands of a list, those of substitutions included. */
function commandsOf(list: TreeList): readonly TreeCommand[] {
  return list.flatMap(({ commands }) => commands.flatMap((command) => [command, ...wordsOf(command).flatMap(innerOf)]));
}

const innerOf = (word: TreeWord): readonly TreeCommand[] =>
  word.flatMap((piece) => (piece.type === 'substitution' ? commandsOf(piece.list) : []));

function wordsOf(command: TreeCommand): readonly TreeWord[] {
  const opened = command.redirections.flatMap((redirection) => {
    if (redirection.type === 'file') return [redirection.target];
    return redirection.type === 'content' ? [redirection.content] : [];
  });
  return [...command.arguments, ...opened];
}

/** The pipes that a list takes: one between two commands, one for each substitution and each text. */
export function countPipes(list: TreeList): number {
  let count = list.reduce((sum, { commands }) => sum + commands.length - 1, 0);
  for (const { commands } of list) {
    for (const command of commands) {
      count += command.redirections.filter(({ type }) => type === 'content').length;
      for (const piece of wordsOf(command).flat()) {
        if (piece.type === 'substitution') count += 1 + countPipes(piece.list);
      }
    }
  }
  return count;
}

/**
 * Refuses a line before anything of it starts, as far as its spelling shows. It refuses a file, a pattern or a program
 * outside the workspace.
 *
 * @throws Stop
 */
export function checkPaths(
  list: TreeList,
  folders: ConfinedFolders,
  programFolders: readonly string[],
  root: string,
): void {
  const commands = commandsOf(list);
  const stays = commands.every(({ program }) => program !== 'cd');
  const check = (path: string): void => {
    if (path !== '/dev/null' && (stays || path.startsWith('/'))) folders.locate([], path);
  };
  for (const command of commands) {
    for (const word of command.arguments) {
      const glob = word.findIndex(({ type }) => type === 'glob');
      if (glob >= 0) check(spelled(word.slice(0, glob)).replace(/[^/]*$/, ''));
    }
    for (const redirection of command.redirections) {
      if (redirection.type === 'file') check(spelled(redirection.target));
    }
    if (command.program?.includes('/') === true && (stays || command.program.startsWith('/'))) {
      checkProgram(command.program, programFolders, root);
    }
  }
}

/** The text of a word up to its first expansion. */
function spelled(word: TreeWord): string {
  const first = word.findIndex(({ type }) => type !== 'text');
  return word
    .slice(0, first < 0 ? word.length : first)
    .reduce((text, piece) => text + (piece.type === 'text' ? piece.text : ''), '');
}

/** A program that is missing now may exist when its turn comes. */
function checkProgram(program: string, programFolders: readonly string[], root: string): void {
  try {
    findProgram(program, programFolders, root, root);
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
  }
}
