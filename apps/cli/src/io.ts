import type { Replay } from '#lib/verifier';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Ended, EXIT } from './exit-codes.js';

/** The world that a command line runs in. */
export interface Io {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Results. */
  readonly out: (text: string) => void;
  /** Progress, hints, questions and errors. */
  readonly err: (text: string) => void;
  /** The next line that somebody types; null at the end of the input. */
  readLine(): Promise<string | null>;
  /** Everything on standard input. */
  readAll(): Promise<string>;
  /** Standard input as it comes in. */
  pieces(): AsyncIterable<Uint8Array>;
  /** Takes the decisions of an evidence pack again, apart from this thread. */
  readonly replay: Replay;
  /** Ends the process after so many milliseconds, also if something still holds it. Absent without a process of its own. */
  readonly endWithin?: (ms: number) => void;
}

/** The process's own; `replay` needs the path of its thread's program. */
export function processIo(replay: Replay): Io {
  return {
    environment: process.env,
    out: writerTo(process.stdout),
    err: (written) => {
      process.stderr.write(written);
    },
    readLine: lineReader(process.stdin),
    readAll: () => text(process.stdin),
    pieces: () => process.stdin,
    replay,
    endWithin: (ms) => {
      // An exit waits for work on the disk, which a file system that does not answer never ends.
      setTimeout(() => process.kill(process.pid, 'SIGKILL'), ms).unref();
    },
  };
}

/**
 * Writes to a stream as long as somebody reads it. `countersign tasks | head` writes once, and ends as ever. A command that
 * follows something ends at its next line with {@link EXIT.closedPipe}. It has not seen whether that went well.
 */
export function writerTo(stream: Writable): (text: string) => void {
  let heard = true;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    heard = false;
  });
  return (written) => {
    if (!heard) throw new Ended(EXIT.closedPipe);
    stream.write(written);
  };
}

/** Reads a line for each question; further lines of the same piece are kept for the next questions. */
export function lineReader(input: Readable): () => Promise<string | null> {
  let lines: AsyncIterator<string> | undefined;
  return async () => {
    lines ??= createInterface({ input, terminal: false })[Symbol.asyncIterator]();
    const next = await lines.next();
    return next.done === true ? null : next.value;
  };
}
