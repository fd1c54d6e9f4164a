import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { fail, FailureError } from '#lib/kernel';
import { bodyTooLarge, malformed } from './failure-of-http-error.js';

/**
 * The longest body of a caller who is not known, in bytes. A longer one costs more CPU time and memory than anything else they
 * send. Slack alone may send a longer one, since its signature is over all of it.
 */
export const MAX_OF_UNKNOWN = 65_536;

/** A body, read as far as somebody asks. */
export class IncomingBody {
  readonly #stream: Readable;
  readonly #pieces: AsyncIterator<Buffer>;
  readonly #read: Buffer[] = [];
  #length = 0;
  #ended = false;

  constructor(stream: Readable) {
    this.#stream = stream;
    // The connection stays, for the refusal.
    this.#pieces = stream.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer>;
  }

  /**
   * @returns whether it ended within so many bytes.
   * @throws {FailureError} `request.malformed` if the client went before.
   */
  async endsWithin(most: number): Promise<boolean> {
    while (!this.#ended && this.#length <= most) {
      const piece = await this.#pieces.next().catch((cause: unknown) => {
        throw new FailureError(malformed, { cause });
      });
      if (piece.done === true) {
        this.#ended = true;
      } else {
        this.#read.push(piece.value);
        this.#length += piece.value.length;
      }
    }
    return this.#length <= most;
  }

  /**
   * All of it.
   *
   * @throws {FailureError} `request.too_large`, and those of {@link endsWithin}.
   */
  async within(most: number): Promise<Buffer> {
    if (!(await this.endsWithin(most))) fail(bodyTooLarge);
    return Buffer.concat(this.#read);
  }

  /**
   * Reads no further, so that the rest passes unkept. The next request on the connection stands behind it, and may be of another
   * person.
   */
  async leave(): Promise<void> {
    await this.#pieces.return?.();
    this.#stream.resume();
  }
}

const unread = new WeakMap<FastifyRequest, () => Promise<unknown>>();

/** Leaves the rest of a long body where it is until the caller is known. */
export const leaveUnread = (request: FastifyRequest, rest: () => Promise<unknown>): void => {
  unread.set(request, rest);
};

/** Whether the rest of a body beyond {@link MAX_OF_UNKNOWN} is not read. */
export const isLongBody = (request: FastifyRequest): boolean => unread.has(request);

/**
 * Reads the rest of a long body once its caller is known. Other bodies were read before.
 *
 * @throws {FailureError} `request.too_large`.
 */
export async function readLongBody(request: FastifyRequest): Promise<void> {
  const rest = unread.get(request);
  if (rest === undefined) return;
  unread.delete(request);
  request.body = await rest();
}
