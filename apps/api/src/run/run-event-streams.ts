import { Inject, Injectable } from '@nestjs/common';
import type { Database } from '#lib/database';
import type { RunId, TenantId } from '#lib/kernel';
import { ReadRuns } from '#lib/run';
import { DATABASE, WakeSignal } from '../http/index.js';
import type { EventStream } from '../live/event-stream.js';
import { runEventView } from './run-views.js';

const CHANNEL = 'countersign_run_event';
/** Notifications are hints: rows are read at least this often, and the connection is kept alive by it. */
const LOOK_AGAIN_MS = 5_000;
const AT_ONCE = 200;

/** Sends a run's events as they happen, in any process. */
@Injectable()
export class RunEventStreams {
  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly reading: ReadRuns,
  ) {}

  /** Until the run has ended, or the stream is over. Begins after `afterSeq`. */
  async send(stream: EventStream, tenantId: TenantId, runId: RunId, afterSeq: number): Promise<void> {
    const { over } = stream;
    const wakeSignal = new WakeSignal(over);
    const stop = this.database.notifications.subscribe(CHANNEL, (payload) => {
      if (payload === null || payload === `${tenantId}:${runId}`) wakeSignal.wake();
    });
    try {
      let last = afterSeq;
      while (!over.aborted) {
        const page = await this.reading.events(tenantId, runId, last, AT_ONCE);
        if (!page.ok) break;
        for (const event of page.value.events) {
          stream.send(
            `id: ${String(event.seq)}\nevent: ${event.type}\ndata: ${JSON.stringify(runEventView(event))}\n\n`,
          );
          await stream.taken();
          last = event.seq;
        }
        if (page.value.ended) {
          stream.send('event: end\ndata: {}\n\n');
          break;
        }
        if (page.value.events.length < AT_ONCE && !(await wakeSignal.wait(LOOK_AGAIN_MS)))
          stream.send(': nothing new\n\n');
      }
    } finally {
      stop();
      stream.end();
    }
  }
}
