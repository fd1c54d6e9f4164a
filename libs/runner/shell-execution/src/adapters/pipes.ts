import { execFile } from 'node:child_process';
import { closeSync, constants, openSync, unlinkSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The two ends of a pipe. The one that holds an end closes it. */
export interface Pipe {
  readonly read: number;
  readonly write: number;
}

/**
 * Pipes of the kernel. Node connects processes by sockets, which end otherwise than pipes. A program that writes to an
 * ended reader would get "connection reset" instead of SIGPIPE. No program can open a socket by /dev/stdin. So each
 * pipe is a named one that loses its name as soon as both ends are open.
 */
export class Pipes {
  readonly #names: string[];

  private constructor(names: string[]) {
    this.#names = names;
  }

  /**
   * @param folder a new private folder, which is made
   * @param program the absolute path of mkfifo
   */
  static async create(folder: string, count: number, program: string): Promise<Pipes> {
    await mkdir(folder, { mode: 0o700 });
    const names = Array.from({ length: count }, (_, index) => join(folder, String(index)));
    await promisify(execFile)(program, ['-m', '600', '--', ...names], { env: {} });
    return new Pipes(names);
  }

  take(): Pipe {
    const name = this.#names.pop();
    if (name === undefined) throw new Error('more pipes than were counted');
    // Without a reader, opening to write would wait; without a writer, opening to read would. The first end is non-blocking, and
    // would stay so: a program that inherits it reads "try again".
    const first = openSync(name, constants.O_RDONLY | constants.O_NONBLOCK);
    const write = openSync(name, 'w');
    const read = openSync(name, 'r');
    closeSync(first);
    unlinkSync(name);
    return { read, write };
  }
}
