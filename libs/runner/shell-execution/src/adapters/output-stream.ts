import { Socket } from 'node:net';
import { maskText, OutputMask, withoutHalfSecret } from '../domain/output-mask.js';

/** The output of one stream, as far as it was kept. */
export interface Captured {
  readonly text: string;
  /** True if more came than the cap. The rest was read and dropped. */
  readonly truncated: boolean;
}

/** Reads one output stream of a line: streams it masked, and keeps it up to a cap. */
export class OutputStream {
  readonly #mask: OutputMask;
  readonly #decoder = new TextDecoder();
  readonly #ended: Promise<void>;
  readonly #socket: Socket;
  #text = '';
  #left: number;
  #truncated = false;

  /** @param descriptor the read end of a pipe, which is closed at its end */
  constructor(
    descriptor: number,
    bytes: number,
    readonly secrets: readonly string[],
    readonly show: (text: string) => void,
  ) {
    this.#left = bytes;
    this.#mask = new OutputMask(secrets);
    this.#socket = new Socket({ fd: descriptor, readable: true, writable: false });
    this.#ended = new Promise((resolve) => {
      this.#socket.once('close', () => {
        resolve();
      });
      this.#socket.once('error', () => {
        resolve();
      });
    });
    this.#socket.on('data', (chunk: Buffer) => {
      this.#take(chunk);
    });
  }

  /** Waits for the end of the stream, or for the time. A program that left its group may hold the stream open. */
  async finish(waitMs: number): Promise<Captured> {
    const timer = setTimeout(() => this.#socket.destroy(), waitMs);
    await this.#ended;
    clearTimeout(timer);
    this.#emit(this.#truncated ? '' : this.#decoder.decode());
    this.#push(this.#mask.end(this.#truncated));
    const text = this.#truncated ? withoutHalfSecret(this.#text, this.secrets) : this.#text;
    return { text: maskText(text, this.secrets), truncated: this.#truncated };
  }

  #take(chunk: Buffer): void {
    if (this.#left <= 0) {
      this.#truncated ||= chunk.length > 0;
      return;
    }
    this.#truncated = chunk.length > this.#left;
    this.#emit(this.#decoder.decode(chunk.subarray(0, this.#left), { stream: true }));
    this.#left -= chunk.length;
  }

  #emit(text: string): void {
    this.#text += text;
    this.#push(this.#mask.push(text));
  }

  #push(masked: string): void {
    if (masked !== '') this.show(masked);
  }
}
