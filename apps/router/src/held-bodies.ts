import type { IncomingMessage } from 'node:http';

/** Bodies in memory: in all requests together, so many bytes and so many at once. */
export interface BodyBounds {
  readonly bytes: number;
  readonly atOnce: number;
}

/** A body that was read whole, and how to let go of its memory. */
export interface HeldBody {
  readonly body: Buffer;
  release(): void;
}

/** Reads bodies that name their tenant, within bounds for all of them. */
export class HeldBodies {
  #bytes = 0;
  #count = 0;

  constructor(private readonly bounds: BodyBounds) {}

  /**
   * The whole body, held until it is released. The connection stays, for the answer to a refusal.
   *
   * @param most bytes of one body.
   * @returns `too_large`: it has more. `full`: all bodies together have too many.
   */
  async read(request: IncomingMessage, most: number): Promise<HeldBody | 'too_large' | 'full'> {
    if (Number(request.headers['content-length'] ?? 0) > most) return 'too_large';
    if (this.#count >= this.bounds.atOnce) return 'full';
    this.#count += 1;
    const chunks: Buffer[] = [];
    let bytes = 0;
    const release = (): void => {
      this.#bytes -= bytes;
      this.#count -= 1;
    };
    try {
      for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        this.#bytes += chunk.length;
        if (bytes > most || this.#bytes > this.bounds.bytes) {
          release();
          return bytes > most ? 'too_large' : 'full';
        }
        chunks.push(chunk);
      }
    } catch (error) {
      release();
      throw error;
    }
    return { body: Buffer.concat(chunks), release };
  }
}
