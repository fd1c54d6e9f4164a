import { Inject, Injectable, type OnModuleDestroy } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import type { Database } from '#lib/database';
import type { Principal } from '#lib/kernel';
import { GetToolCall, type ToolCallAnswer } from '#lib/tool-call';
import { Callers, DATABASE, WakeSignal, endTurn, untilGone, unwrap } from '../http/index.js';
import { OpenStreams } from '../live/open-streams.js';

const CHANNEL = 'countersign_change';
/** Notifications are hints: a call is read at least this often. */
const LOOK_AGAIN_MS = 5_000;

/** Whether people are asked, or Countersign sends the call. An agent that makes the call itself is answered at once. */
const isWaiting = ({ state, answeredBy }: ToolCallAnswer): boolean =>
  state === 'pending' || (answeredBy === 'executor' && (state === 'allowed' || state === 'executing'));

/** Holds the answer about a call while it waits for people or for its outcome, in whichever process that comes. */
@Injectable()
export class ToolCallWaits implements OnModuleDestroy {
  readonly #closing = new AbortController();

  constructor(
    @Inject(DATABASE) private readonly database: Database,
    private readonly reading: GetToolCall,
    private readonly callers: Callers,
    private readonly streams: OpenStreams,
  ) {}

  onModuleDestroy(): void {
    this.#closing.abort();
  }

  /**
   * Until the call has its answer or the time is over. It also ends if the client has gone or would no longer be let in. A wait
   * counts among the caller's event streams, before anything is done for it.
   *
   * @param first answers at once; it is asked for once.
   */
  async hold(
    { raw: response, request }: FastifyReply,
    by: Principal,
    seconds: number,
    first: () => Promise<ToolCallAnswer>,
  ): Promise<ToolCallAnswer> {
    if (seconds === 0) return first();
    const leave = this.streams.take(by);
    try {
      const answer = await first();
      if (!isWaiting(answer)) return answer;
      endTurn(request);
      const ends = [untilGone(response), this.#closing.signal, AbortSignal.timeout(seconds * 1_000)];
      return await this.#untilAnswered(by, answer, this.callers.whileLetIn(request, AbortSignal.any(ends)));
    } finally {
      leave();
    }
  }

  async #untilAnswered(by: Principal, first: ToolCallAnswer, over: AbortSignal): Promise<ToolCallAnswer> {
    const wakeSignal = new WakeSignal(over);
    const mine = `${by.tenantId}:tool_call:${first.id}:`;
    const stop = this.database.notifications.subscribe(CHANNEL, (payload) => {
      if (payload?.startsWith(mine) !== false) wakeSignal.wake();
    });
    try {
      for (;;) {
        // Read before the wait: it may have changed before somebody listened.
        const answer = unwrap(await this.reading.execute(by, first.id));
        if (!isWaiting(answer) || over.aborted) return answer;
        await wakeSignal.wait(LOOK_AGAIN_MS);
      }
    } finally {
      stop();
    }
  }
}
