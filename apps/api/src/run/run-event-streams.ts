import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Database } from '#lib/database';
import type { RunId, TenantId } from '#lib/kernel';
import { ReadRuns } from '#lib/run';
import { Callers, DATABASE, Doorbell, untilGone } from '../http/index.js';
import { runEventView } from './run-views.js';

const CHANNEL = 'countersign_run_event';
/** Notifications are hints: rows are read at least this often, and the connection is kept alive by it. */
const LOOK_AGAIN_MS = 5_000;
/** A stream ends after this long; clients go on with Last-Event-ID. */
const LONGEST_MS = 15 * 60_000;
const AT_ONCE = 200;

/** Sends a run's events as they happen, in any process (WHATWG HTML, server-sent events). */
@Injectable()
export class RunEventStreams implements OnModuleDestroy {
  readonly #closing = new AbortController();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly reading: ReadRuns,
    private readonly callers: Callers,
  ) {}

  onModuleDestroy(): void {
    this.#closing.abort();
  }

  /**
   * Until the run has ended, the client has gone or would no longer be let in, or the stream has lasted its longest.
   * Begins after `afterSeq`.
   */
  async send(
    { raw: response, request }: FastifyReply,
    tenantId: TenantId,
    runId: RunId,
    afterSeq: number,
  ): Promise<void> {
    const over = this.callers.whileLetIn(
      request,
      AbortSignal.any([untilGone(response), this.#closing.signal, AbortSignal.timeout(LONGEST_MS)]),
    );
    const doorbell = new Doorbell(over);
    const stop = this.database.notifications.subscribe(CHANNEL, (payload) => {
      if (payload === null || payload === `${tenantId}:${runId}`) doorbell.ring();
    });
    try {
      response.writeHead(200, {
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      let last = afterSeq;
      while (!over.aborted) {
        const page = await this.reading.events(tenantId, runId, last, AT_ONCE);
        if (!page.ok) break;
        for (const event of page.value.events) {
          response.write(
            `id: ${String(event.seq)}\nevent: ${event.type}\ndata: ${JSON.stringify(runEventView(event))}\n\n`,
          );
          last = event.seq;
        }
        if (page.value.ended) {
          response.write('event: end\ndata: {}\n\n');
          break;
        }
        if (page.value.events.length < AT_ONCE && !(await doorbell.wait(LOOK_AGAIN_MS)))
          response.write(': nothing new\n\n');
      }
    } finally {
      stop();
      response.end();
    }
  }
}
