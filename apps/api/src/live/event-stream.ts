import { once } from 'node:events';
import type { ServerResponse } from 'node:http';

/** How much a client may leave unread. */
export interface StreamBounds {
  readonly unreadBytes: number;
  /** A client that has not taken all after so long is too slow, in milliseconds. */
  readonly drainMs: number;
}

const BOUNDS: StreamBounds = { unreadBytes: 262_144, drainMs: 10_000 };

/**
 * An answer of server-sent events (WHATWG HTML). A client that leaves too much unread is dropped, so that it costs bounded memory. It
 * connects again, and goes on after the last event that it read.
 */
export class EventStream {
  constructor(
    private readonly response: ServerResponse,
    /** Aborts once the client is gone or dropped, or the stream has to end. */
    readonly over: AbortSignal,
    private readonly bounds = BOUNDS,
  ) {
    response.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      // Nothing else comes over this connection: it must not keep a server that is closing waiting.
      connection: 'close',
    });
    // A client knows at once that its stream is open, however long nothing happens.
    response.flushHeaders();
  }

  /**
   * Sends nothing once the stream is over: its caller may no longer be let in.
   *
   * @param text whole events, or a comment.
   */
  send(text: string): void {
    const { response, bounds } = this;
    if (this.over.aborted || response.writableEnded) return;
    if (response.writableLength > bounds.unreadBytes) response.destroy();
    else response.write(text);
  }

  /** Waits until the client has taken all that was sent, or is dropped. */
  async taken(): Promise<void> {
    if (!this.response.writableNeedDrain) return;
    const slow = AbortSignal.timeout(this.bounds.drainMs);
    await once(this.response, 'drain', { signal: AbortSignal.any([this.over, slow]) }).catch(() => {
      if (slow.aborted) this.response.destroy();
    });
  }

  /** Drops a client that reads the rest too slowly. It would count against the limit, and hold up a server that closes. */
  end(): void {
    const { response, bounds } = this;
    if (response.destroyed || response.writableEnded) return;
    const slow = setTimeout(() => response.destroy(), bounds.drainMs);
    response.once('close', () => {
      clearTimeout(slow);
    });
    response.end();
  }
}
