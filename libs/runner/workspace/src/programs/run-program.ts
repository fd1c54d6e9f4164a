import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { OutputChunk } from '../domain/runner-tool.js';
import type { ProgramGroups } from './program-groups.js';

/** Output that is still on its way after the program is gone is waited for at most this long. */
const LAST_OUTPUT_MS = 1_000;
/** The same if the time of the program is over. */
const LATE_OUTPUT_MS = 100;

export interface ProgramOrder {
  readonly program: string;
  readonly args: readonly string[];
  /** The working directory: {@link Folder.path} of an open folder, so that no swap of names moves it. */
  readonly cwd: string;
  /** The whole environment: nothing of the runner's own comes with it. */
  readonly env: Readonly<Record<string, string>>;
  readonly input?: Uint8Array | string;
  readonly signal: AbortSignal;
  /** Most bytes of each stream that are kept; the rest is read and dropped. */
  readonly outputBytes: number;
  readonly output?: (chunk: OutputChunk) => void;
  /** Notes the program while it runs. `home` as {@link ProgramGroups.noted} takes it. */
  readonly note?: { readonly groups: ProgramGroups; readonly home: string | null };
}

export interface ProgramEnd {
  /** Null if a signal ended it. */
  readonly exitCode: number | null;
  readonly stdout: Buffer;
  readonly stderr: Buffer;
  readonly truncated: boolean;
}

/**
 * Executes a program without a shell. Its whole process group ends when it ends or the signal aborts: nothing that it
 * started stays behind.
 *
 * @throws the signal's reason if it aborts, {@link Error} if the program cannot be started.
 */
export async function runProgram(order: ProgramOrder): Promise<ProgramEnd> {
  order.signal.throwIfAborted();
  const { note } = order;
  const start = (): ChildProcessWithoutNullStreams =>
    spawn(order.program, order.args, {
      cwd: order.cwd,
      env: { ...order.env },
      shell: false,
      detached: true,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  const { child, ended } =
    note === undefined ? { child: start(), ended: undefined } : note.groups.noted(note.home, start);
  const endGroup = (): void => {
    if (child.pid === undefined) return;
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // All of it has ended already.
    }
  };
  order.signal.addEventListener('abort', endGroup, { once: true });
  try {
    const [stdout, stderr] = [new Capture('stdout', order), new Capture('stderr', order)];
    child.stdout.on('data', (bytes: Buffer) => {
      stdout.take(bytes);
    });
    child.stderr.on('data', (bytes: Buffer) => {
      stderr.take(bytes);
    });
    // A program that does not read its input to the end closes the pipe.
    child.stdin.on('error', () => undefined);
    child.stdin.end(order.input);
    const exitCode = await endOf(child, endGroup, order.signal);
    order.signal.throwIfAborted();
    return {
      exitCode,
      stdout: stdout.bytes(),
      stderr: stderr.bytes(),
      truncated: stdout.truncated || stderr.truncated,
    };
  } finally {
    ended?.();
    order.signal.removeEventListener('abort', endGroup);
  }
}

/** Waits for the end of a program and of its output. */
function endOf(
  child: ChildProcessWithoutNullStreams,
  endGroup: () => void,
  signal: AbortSignal,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => {
      // A grandchild may hold the pipes open after the program itself has ended. In a group of its own, it outlives the signal.
      endGroup();
      const late = setTimeout(
        () => {
          child.stdout.destroy();
          child.stderr.destroy();
        },
        signal.aborted ? LATE_OUTPUT_MS : LAST_OUTPUT_MS,
      );
      child.on('close', () => {
        clearTimeout(late);
      });
    });
    child.on('close', resolve);
  });
}

/** Keeps the beginning of a stream, and passes it on as text. */
class Capture {
  readonly #parts: Buffer[] = [];
  readonly #decoder = new TextDecoder();
  #kept = 0;
  truncated = false;

  constructor(
    private readonly stream: OutputChunk['stream'],
    private readonly order: ProgramOrder,
  ) {}

  take(bytes: Buffer): void {
    const kept = bytes.subarray(0, Math.max(this.order.outputBytes - this.#kept, 0));
    this.truncated ||= kept.length < bytes.length;
    if (kept.length === 0) return;
    this.#kept += kept.length;
    this.#parts.push(kept);
    this.order.output?.({ stream: this.stream, text: this.#decoder.decode(kept, { stream: true }) });
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }
}
