import type { Replay } from '#lib/verifier';
import { createInterface, type Interface } from 'node:readline';
import { text } from 'node:stream/consumers';

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
  /** Takes the decisions of an evidence pack again, apart from this thread. */
  readonly replay: Replay;
}

/** The process's own; `replay` needs to know where its thread's program is. */
export function processIo(replay: Replay): Io {
  return {
    environment: process.env,
    out: (written) => {
      process.stdout.write(written);
    },
    err: (written) => {
      process.stderr.write(written);
    },
    readLine: () => nextLine(createInterface({ input: process.stdin, terminal: false })),
    readAll: () => text(process.stdin),
    replay,
  };
}

function nextLine(lines: Interface): Promise<string | null> {
  return new Promise((resolve) => {
    lines.once('line', (line) => {
      resolve(line);
      lines.close();
    });
    lines.once('close', () => {
      resolve(null);
    });
  });
}
