import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Principal } from '#lib/kernel';
import { Callers, endTurn, untilGone } from '../http/index.js';
import { EventStream } from './event-stream.js';
import { OpenStreams } from './open-streams.js';

/** A stream ends after this long; clients connect again by themselves. */
const MAX_MS = 15 * 60_000;

/** Opens the streams of events of this process. */
@Injectable()
export class EventStreams implements OnModuleDestroy {
  readonly #closing = new AbortController();

  constructor(
    private readonly callers: Callers,
    private readonly streams: OpenStreams,
  ) {}

  onModuleDestroy(): void {
    this.#closing.abort();
  }

  /**
   * Begins the answer. It is over when the client has gone or would no longer be let in. A stream is also over after its longest
   * time.
   *
   * @throws {FailureError} `events.too_many_streams`, `events.too_many_tenant_streams`.
   */
  open(reply: FastifyReply, by: Principal): EventStream {
    const { raw: response, request } = reply;
    const leave = this.streams.take(by);
    endTurn(request);
    reply.hijack();
    const gone = untilGone(response);
    if (gone.aborted) leave();
    else gone.addEventListener('abort', leave, { once: true });
    const ends = AbortSignal.any([gone, this.#closing.signal, AbortSignal.timeout(MAX_MS)]);
    return new EventStream(response, this.callers.whileLetIn(request, ends));
  }
}
