import type { OutputChunk, Plane } from './plane.js';

/** Output is gathered for so long, so that a program that writes often sends few requests. */
const GATHER_MS = 250;
/** Countersign keeps no more of one call. */
const MAX_BYTES = 262_144;
const MAX_TEXT = 16_000;
const MAX_CHUNKS = 64;

/**
 * Sends the output of one call while it runs, in order. Output that could not be sent is sent again with the next. Without Countersign
 * the call goes on, and its output waits up to a cap.
 */
export class OutputSender {
  readonly #waiting: OutputChunk[] = [];
  #nextSeq = 1;
  #bytes = 0;
  #timer: NodeJS.Timeout | null = null;
  #sending: Promise<void> = Promise.resolve();

  constructor(
    private readonly id: string,
    private readonly plane: Pick<Plane, 'output'>,
  ) {}

  take({ stream, text }: OutputChunk): void {
    // PostgreSQL keeps no NUL.
    const clean = text.replaceAll('\0', '\uFFFD').toWellFormed();
    for (let at = 0; at < clean.length; at += MAX_TEXT) {
      const part = clean.slice(at, at + MAX_TEXT).toWellFormed();
      this.#bytes += Buffer.byteLength(part);
      if (this.#bytes > MAX_BYTES) return;
      this.#waiting.push({ stream, text: part });
    }
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      void this.#send();
    }, GATHER_MS);
  }

  /** Sends the waiting output. It tries once, since the answer of the call matters more. */
  async end(): Promise<void> {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    await this.#send();
  }

  #send(): Promise<void> {
    this.#sending = this.#sending.then(async () => {
      try {
        while (this.#waiting.length > 0) {
          const chunks = this.#waiting.slice(0, MAX_CHUNKS);
          await this.plane.output(this.id, this.#nextSeq, chunks);
          this.#nextSeq += chunks.length;
          this.#waiting.splice(0, chunks.length);
        }
      } catch {
        // The chunks stay, under the same numbers.
      }
    });
    return this.#sending;
  }
}
