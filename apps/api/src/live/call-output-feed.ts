import type { SessionMessage } from '#lib/api-schemas';
import { type Principal, type SessionId, type ToolCallId } from '#lib/kernel';
import type { CallOutputs } from '../policy/call-outputs.js';

/** In milliseconds. The output of a call that was allowed earlier than this is told again only if the call still runs. */
const RECENT_MS = 15 * 60_000;

/** The output of calls that are made now, as it arrives. */
export class CallOutputFeed {
  /**
   * Calls that may send more, with the number of the last chunk that was told. Beside them are those that may be over for long.
   */
  readonly #open = new Map<ToolCallId, number>();
  readonly #old = new Set<ToolCallId>();

  constructor(
    private readonly outputs: Pick<CallOutputs, 'read'>,
    private readonly by: Principal,
    private readonly sessionId: SessionId,
  ) {}

  has(id: string): boolean {
    // A text that is no id of a call is not open.
    return this.#open.has(id as ToolCallId);
  }

  /** Hears of a message before it is sent: a call that is allowed may send output. */
  hear(message: SessionMessage, now: number): void {
    if (message.type !== 'audit_entry') return;
    const allowed = ['auto_approved', 'approved', 'trusted'].includes(message.decision ?? '');
    if (!allowed) return;
    // The schema of the message has checked the form of the id.
    const id = message.toolCallId as ToolCallId;
    this.#open.set(id, 0);
    if (Date.parse(message.timestamp) < now - RECENT_MS) this.#old.add(id);
  }

  async *unsent(): AsyncGenerator<SessionMessage> {
    for (const [id, last] of [...this.#open]) {
      const { chunks, open } = await this.outputs.read(this.by, id, last);
      const isOver = !open && this.#old.has(id);
      this.#old.delete(id);
      for (const { seq, stream, text } of isOver ? [] : chunks) {
        this.#open.set(id, seq);
        yield { v: 1, type: 'output', sessionId: this.sessionId, toolCallId: id, seq, stream, text };
      }
      if (!open) this.#open.delete(id);
    }
  }
}
