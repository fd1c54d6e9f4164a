import { openSync } from 'node:fs';
import { Socket } from 'node:net';
import { isSecretPath, type TreeRedirection } from '#lib/shell-safety';
import { CommandFailure } from '../domain/stop.js';
import { argumentsOf, contentOf } from './expand-words.js';
import type { Line, ShellState, RunList } from './line.js';

const NOTHING = '/dev/null';

/** A redirection that failed, and the words of its message. */
export interface RedirectionFailure {
  readonly failure: CommandFailure;
  readonly about: string;
}

/**
 * Opens the redirections of a command in order, and notes each in `mapped`. Files are regular ones inside the workspace, or /dev/null.
 *
 * @param opened takes the descriptors that the caller closes
 * @throws Stop if a path leads outside
 */
export async function openRedirections(
  redirections: readonly TreeRedirection[],
  line: Line,
  state: ShellState,
  mapped: Map<number, number>,
  opened: number[],
  run: RunList,
): Promise<RedirectionFailure | null> {
  for (const redirection of redirections) {
    let about = '';
    try {
      if (redirection.type === 'duplicate') {
        about = String(redirection.source);
        const source = mapped.get(redirection.source);
        if (source === undefined) throw new CommandFailure(1, 'Bad file descriptor');
        mapped.set(redirection.descriptor, source);
      } else if (redirection.type === 'content') {
        const descriptor = contentPipe(await contentOf(redirection.content, line, state, mapped, run), line);
        opened.push(descriptor);
        mapped.set(redirection.descriptor, descriptor);
      } else {
        const paths = await argumentsOf([redirection.target], line, state, mapped, run);
        about = paths.join(' ');
        const [path, another] = paths;
        if (path === undefined || another !== undefined) throw new CommandFailure(1, 'ambiguous redirect');
        const descriptor = openFile(path, redirection.access, line, state);
        opened.push(descriptor);
        mapped.set(redirection.descriptor, descriptor);
      }
    } catch (error) {
      if (error instanceof CommandFailure) return { failure: error, about };
      throw error;
    }
  }
  return null;
}

function openFile(path: string, access: 'read' | 'write' | 'append', line: Line, state: ShellState): number {
  if (path === NOTHING) return openSync(NOTHING, access === 'read' ? 'r' : 'w');
  if (path === '') throw new CommandFailure(1, 'No such file or directory');
  const at = line.folders.locate(state.folder, path);
  if (line.onlyReads && isSecretPath(at.steps.join('/'))) throw new CommandFailure(1, 'Permission denied');
  if (path.endsWith('/')) throw new CommandFailure(1, 'Is a directory');
  if (access !== 'read') line.began();
  return line.folders.openFile(at, access);
}

/** The read end of a pipe that holds a text. A reader that ends early is no error. */
function contentPipe(content: string, { pipes, signal }: Line): number {
  const { read, write } = pipes.take();
  const socket = new Socket({ fd: write, readable: false, writable: true });
  socket.on('error', () => undefined);
  const stop = (): void => {
    socket.destroy();
  };
  signal.addEventListener('abort', stop, { once: true });
  socket.once('close', () => {
    signal.removeEventListener('abort', stop);
  });
  socket.end(content);
  return read;
}
