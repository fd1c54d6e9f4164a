import type { SessionMessage } from '#lib/api-schemas';
import { fromTimestamp, type Principal, type SessionId, type ToolCallId } from '#lib/kernel';
import type { CallOutputs } from '../policy/call-outputs.js';

/** A call that was allowed earlier than this sends no output any more, in milliseconds. */
const LONGEST_CALL_MS = 15 * 60_000;

/** The output of calls that are made now, as it arrives. */
export class CallOutputFeed {
  /** Calls that may send more, with the number of the last chunk that was told. */
  readonly #open = new Map<ToolCallId, number>();

  constructor(
    private readonly outputs: CallOutputs,
    private readonly by: Principal,
    private readonly sessionId: SessionId,
  ) {}

  has(id: string): boolean {
    return this.#open.has(id as ToolCallId);
  }

  /** Hears of a message before it is sent: a call that is allowed may send output. */
  hear(message: SessionMessage, now: number): void {
    if (message.type !== 'audit_entry' || fromTimestamp(message.timestamp) < now - LONGEST_CALL_MS) return;
    const allowed = ['auto_approved', 'approved', 'trusted'].includes(message.decision ?? '');
    if (allowed) this.#open.set(message.toolCallId as ToolCallId, 0);
  }

  async *unsent(): AsyncGenerator<SessionMessage> {
    for (const [id, last] of [...this.#open]) {
      const { chunks, open } = await this.outputs.read(this.by, id, last);
      for (const { seq, stream, text } of chunks) {
        this.#open.set(id, seq);
        yield { v: 1, type: 'output', sessionId: this.sessionId, toolCallId: id, seq, stream, text };
      }
      if (!open) this.#open.delete(id);
    }
  }
}
