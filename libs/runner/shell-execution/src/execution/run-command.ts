import { closeSync, write } from 'node:fs';
import type { TreeCommand } from '#lib/shell-safety';
import { sandboxArguments } from '#lib/workspace';
import { checkHidden } from '../adapters/check-hidden.js';
import { findProgram } from '../adapters/find-program.js';
import { isGit } from '../domain/git-call.js';
import { outside } from '../domain/folder-path.js';
import { CommandFailure, Stop } from '../domain/stop.js';
import { checkRepository } from './check-repository.js';
import { argumentsOf } from './expand-words.js';
import { folderOf, type Descriptors, type Line, type ShellState, type RunList } from './line.js';
import { openRedirections } from './open-redirections.js';

/**
 * Runs one command: expands its words, opens its redirections in order, and starts its program.
 *
 * @param owned descriptors that are closed as soon as the program has them
 * @returns its exit status: 1 if a file cannot be opened, 126 or 127 if there is no such program
 * @throws Stop
 */
export async function runCommand(
  command: TreeCommand,
  line: Line,
  state: ShellState,
  descriptors: Descriptors,
  owned: readonly number[],
  run: RunList,
): Promise<number> {
  const opened = [...owned];
  const mapped = new Map(descriptors);
  // As bash does, a failure is told to descriptor 2 as the redirections leave it.
  const tell = async (failure: CommandFailure, about: string): Promise<number> => {
    await say(mapped.get(2), `${about}: ${failure.message}\n`);
    return failure.status;
  };
  try {
    line.signal.throwIfAborted();
    const words = await argumentsOf(command.arguments, line, state, descriptors, run);
    checkSize(words, line);
    const failure = await openRedirections(command.redirections, line, state, mapped, opened, run);
    if (failure !== null) return await tell(failure.failure, failure.about);
    if (command.program === null) return substitutes(command) ? state.status : 0;
    line.signal.throwIfAborted();
    try {
      if (command.program === 'cd') {
        changeFolder(words, line, state);
        return 0;
      }
      if (line.checksRepository) await checkRepository(command.program, words, folderOf(line, state), line);
      const ended = start(command.program, words, command, line, state, mapped);
      closeAll(opened);
      return await ended;
    } catch (error) {
      if (!(error instanceof CommandFailure)) throw error;
      return await tell(error, command.program === 'cd' ? `cd: ${words[0] ?? ''}` : command.program);
    }
  } finally {
    closeAll(opened);
  }
}

const substitutes = ({ redirections }: TreeCommand): boolean =>
  redirections.some(
    ({ type, ...rest }) => type !== 'duplicate' && JSON.stringify(rest).includes('"type":"substitution"'),
  );

/** The runner's own `cd`: commands behind it in the same list start in the folder. */
function changeFolder(words: readonly string[], { root, folders }: Line, state: ShellState): void {
  const [path, another] = words;
  if (another !== undefined) throw new CommandFailure(1, 'too many arguments');
  const at = folders.locate(state.folder, path ?? '/');
  if (at.base !== root) throw outside(path ?? '');
  state.folder = folders.enter(at);
}

function start(
  name: string,
  words: readonly string[],
  { assignments }: TreeCommand,
  line: Line,
  state: ShellState,
  mapped: Descriptors,
): Promise<number> {
  const folder = folderOf(line, state);
  const program = findProgram(name, line.programFolders, line.root, folder);
  const { sandbox, network, view, secrets } = line;
  const sandboxed = sandbox.kind === 'bubblewrap';
  if (!sandboxed) checkHidden([...words, ...assignments.map(({ value }) => value)], folder, sandbox);
  // A bare name stays one inside the sandbox, so that the program sees itself called so.
  const inner = name.includes('/') ? program.path : name;
  const hiddenFiles = [...sandbox.hiddenFiles, ...secrets.paths, ...(isGit(name, words) ? [] : secrets.ofGit)];
  const at = line.folders.openFolder({ base: line.root, steps: state.folder });
  try {
    line.began();
    return line.processes.start({
      path: sandboxed ? sandbox.path : program.path,
      name: sandboxed ? 'bwrap' : name,
      arguments: sandboxed
        ? sandboxArguments({ ...sandbox, ...view, hiddenFiles, folder, network }, [inner, ...words])
        : words,
      environment: {
        ...line.environment,
        PWD: folder,
        ...Object.fromEntries(assignments.map((assigned) => [assigned.name, assigned.value])),
      },
      folder: at,
      descriptors: new Map([...line.inherited.map((inherited) => [inherited, line.nothing] as const), ...mapped]),
    });
  } finally {
    closeSync(at);
  }
}

function checkSize(words: readonly string[], { limits }: Line): void {
  const size = words.reduce((sum, word) => sum + Buffer.byteLength(word) + 1, 0);
  if (size <= limits.argumentBytes) return;
  const message = `A command has more than ${String(limits.argumentBytes)} bytes of arguments. Name fewer files.`;
  throw new Stop('shell.arguments_too_large', message);
}

function closeAll(descriptors: number[]): void {
  for (const descriptor of descriptors.splice(0)) closeSync(descriptor);
}

/** Writes a message of the runner's own. The reader may be gone: then no one reads it. */
async function say(descriptor: number | undefined, message: string): Promise<void> {
  if (descriptor === undefined) return;
  await new Promise<void>((resolve) => {
    write(descriptor, message, () => {
      resolve();
    });
  });
}
