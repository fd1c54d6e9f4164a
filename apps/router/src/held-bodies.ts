import type { IncomingMessage } from 'node:http';

/** Bodies in memory: in all requests together, so many bytes and so many at once. */
export interface BodyBounds {
  readonly bytes: number;
  readonly atOnce: number;
  /** The part of both that one client may take, above 0 and up to 1. */
  readonly share: number;
  /** How long a body may take to arrive whole, in milliseconds. */
  readonly withinMs: number;
}

/** A body that was read whole, and how to let go of its memory. */
export interface HeldBody {
  readonly body: Buffer;
  release(): void;
}

interface Held {
  bytes: number;
  count: number;
}

/** Reads bodies that name their tenant, within bounds for all of them and for each client. */
export class HeldBodies {
  readonly #all: Held = { bytes: 0, count: 0 };
  readonly #byClient = new Map<string, Held>();

  constructor(private readonly bounds: BodyBounds) {}

  /**
   * The whole body, held until it is released. The connection stays, for the answer to a refusal.
   *
   * @param client the sender, as the bounds count it. Its share has room for one body of `most` bytes in any case.
   * @param most bytes of one body.
   * @returns `too_large`: it has more. `full`: all bodies together have too many, or the client's own. `late`: it did not arrive in time.
   */
  async read(
    request: IncomingMessage,
    client: string,
    most: number,
  ): Promise<HeldBody | 'too_large' | 'full' | 'late'> {
    if (Number(request.headers['content-length'] ?? 0) > most) return 'too_large';
    const { bytes: room, atOnce, share, withinMs } = this.bounds;
    const own = this.#byClient.get(client) ?? { bytes: 0, count: 0 };
    if (this.#all.count >= atOnce || own.count >= atOnce * share) return 'full';
    this.#byClient.set(client, own);
    let bytes = 0;
    const count = (more: Held): void => {
      bytes += more.bytes;
      for (const held of [this.#all, own]) {
        held.bytes += more.bytes;
        held.count += more.count;
      }
      if (own.count === 0) this.#byClient.delete(client);
    };
    const release = (): void => {
      count({ bytes: -bytes, count: -1 });
    };
    count({ bytes: 0, count: 1 });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<'late'>((resolve) => {
      timer = setTimeout(resolve, withinMs, 'late');
    });
    const chunks: Buffer[] = [];
    let refusal: 'too_large' | 'full' | 'late' | null = null;
    try {
      // A request without an encoding gives buffers.
      const parts = request.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
      while (refusal === null) {
        const part = await Promise.race([parts.next(), late]);
        if (part === 'late') refusal = 'late';
        else if (part.done === true) return { body: Buffer.concat(chunks), release };
        else {
          chunks.push(part.value);
          count({ bytes: part.value.length, count: 0 });
          if (bytes > most) refusal = 'too_large';
          else if (this.#all.bytes > room || own.bytes > Math.max(room * share, most)) refusal = 'full';
        }
      }
    } catch (error) {
      release();
      throw error;
    } finally {
      clearTimeout(timer);
    }
    release();
    return refusal;
  }
}
