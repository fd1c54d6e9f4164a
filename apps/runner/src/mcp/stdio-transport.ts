import { spawn, type ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import {
  deserializeMessage,
  serializeMessage,
  type JSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { maskSecrets } from '#lib/kernel';
import type { ProgramGroups } from '#lib/workspace';

/** The longest message that is read, in bytes, and the most of all messages of one start. */
const MAX_MESSAGE = 1_048_576;
const MAX_ALL = 8 * MAX_MESSAGE;
/** The end of its error output that the operator's log gets, in characters. */
const MAX_WORDS = 2_000;
/** A server may take so long to end once its input has ended. */
const END_WITHIN_MS = 2_000;
/** Output that is still on its way after the server is gone is waited for at most this long. */
const LAST_OUTPUT_MS = 100;
const NEWLINE = 0x0a;

/** The server ended, or was ended. */
export class ServerEndedError extends Error {
  readonly code: 'dispatch.connection_lost' | 'dispatch.bad_answer' = 'dispatch.connection_lost';
}

/** The server broke the rules of the transport. */
class BadAnswerError extends ServerEndedError {
  override readonly code = 'dispatch.bad_answer';
}

/** The program is not there, or may not be executed. */
export class ServerNotStartedError extends Error {}

const longestOf = (secrets: readonly string[]): number => Math.max(0, ...secrets.map(({ length }) => length));

type Server = ChildProcessByStdio<Writable, Readable, Readable>;

/** A program that is started without a shell, in an environment of its own. */
export interface StdioProgram {
  readonly program: string;
  readonly arguments: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly folder: string;
  /** Secrets that its error output may repeat. */
  readonly masks: readonly string[];
  /** Notes the program while it runs, by a HOME that no other one has. */
  readonly groups: ProgramGroups;
  readonly home: string;
}

/**
 * The stdio transport of MCP: one message of JSON-RPC a line. A line that is too long or no message ends the whole process group, as
 * does {@link kill}. The error output of the server is read and dropped, but for its end.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** By these two the SDK tells a pipe from HTTP: a server that stays silent speaks the older protocol. */
  readonly stderr = null;
  #server: Server | null = null;
  #gone: Promise<void> = Promise.resolve();
  #failure: Error | null = null;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #allBytes = 0;
  #words = '';
  #isCut = false;

  constructor(private readonly program: StdioProgram) {}

  get pid(): number | null {
    return this.#server?.pid ?? null;
  }

  /** The reason why the server ended, or was ended; null while it works. */
  get failure(): Error | null {
    return this.#failure;
  }

  /** The end of its error output, with secrets masked. */
  get words(): string {
    const { masks } = this.program;
    const masked = maskSecrets(this.#words, masks);
    // The cut may have left the end of a secret, which no mask finds.
    const whole = this.#isCut ? masked.slice(longestOf(masks)) : masked;
    return whole.slice(-MAX_WORDS);
  }

  async start(): Promise<void> {
    const { groups, home, ...order } = this.program;
    const { child, ended } = groups.noted(home, () =>
      spawn(order.program, order.arguments, {
        cwd: order.folder,
        env: { ...order.environment },
        shell: false,
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    );
    this.#server = child;
    this.#gone = new Promise((resolve) => {
      const end = (reason: Error): void => {
        ended();
        this.#fail(reason);
        this.onclose?.();
        resolve();
      };
      child.once('error', ({ message }) => {
        end(new ServerNotStartedError(message));
      });
      child.once('close', () => {
        end(new ServerEndedError('it ended'));
      });
    });
    child.on('exit', () => {
      this.kill(new ServerEndedError('it ended'));
      // A child in a session of its own outlives the group, and would hold the pipes open.
      const late = setTimeout(() => {
        child.stdout.destroy();
        child.stderr.destroy();
      }, LAST_OUTPUT_MS);
      child.once('close', () => {
        clearTimeout(late);
      });
    });
    child.stdin.on('error', () => undefined);
    child.stdout.on('data', (bytes: Buffer) => {
      this.#read(bytes);
    });
    child.stderr.setEncoding('utf8').on('data', (said: string) => {
      const all = this.#words + said;
      this.#words = all.slice(-MAX_WORDS - longestOf(this.program.masks));
      this.#isCut ||= this.#words.length < all.length;
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#server?.stdin;
    if (stdin?.writable !== true) return Promise.reject(this.#failure ?? new ServerEndedError('it is not started'));
    stdin.write(serializeMessage(message));
    return Promise.resolve();
  }

  /** Ends the input of the server, waits for its end, and ends all that it left. */
  async close(): Promise<void> {
    this.#server?.stdin.end();
    const late = setTimeout(() => {
      this.kill(new ServerEndedError('it was ended'));
    }, END_WITHIN_MS);
    await this.#gone;
    clearTimeout(late);
  }

  /** Ends the whole process group. */
  kill(reason: Error): void {
    this.#fail(reason);
    const { pid } = this;
    if (pid === null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // All of it has ended already.
    }
  }

  #fail(reason: Error): void {
    this.#failure ??= reason;
  }

  #read(bytes: Buffer): void {
    if (this.#failure !== null) return;
    this.#allBytes += bytes.length;
    if (this.#allBytes > MAX_ALL) {
      this.kill(new BadAnswerError(`it wrote more than ${String(MAX_ALL)} bytes`));
      return;
    }
    let rest = bytes;
    for (let end = rest.indexOf(NEWLINE); end !== -1; end = rest.indexOf(NEWLINE)) {
      const line = Buffer.concat([...this.#waiting, rest.subarray(0, end)]).toString();
      [this.#waiting, this.#waitingBytes] = [[], 0];
      rest = rest.subarray(end + 1);
      if (line.trim() !== '' && !this.#take(line)) return;
    }
    this.#waiting.push(rest);
    this.#waitingBytes += rest.length;
    if (this.#waitingBytes > MAX_MESSAGE)
      this.kill(new BadAnswerError(`it wrote a message of more than ${String(MAX_MESSAGE)} bytes`));
  }

  /** @returns false if the line is no message. */
  #take(line: string): boolean {
    let message: JSONRPCMessage;
    try {
      if (line.length > MAX_MESSAGE) throw new BadAnswerError();
      message = deserializeMessage(line);
    } catch {
      this.kill(new BadAnswerError('it wrote something that is no message of its protocol'));
      return false;
    }
    this.onmessage?.(message);
    return true;
  }
}
