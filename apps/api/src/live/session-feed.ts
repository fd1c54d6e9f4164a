import type { SessionMessage } from '#lib/api-schemas';
import type { AuditEntryView, EntryCursor } from '#lib/audit';
import { type AuditEntryId, type Principal } from '#lib/kernel';
import type { Session } from '#lib/session';
import type { CallOutputFeed } from './call-output-feed.js';
import type { SessionMessages } from './session-messages.js';

/** How many entries are read at a time. */
const AT_ONCE = 100;
/** An entry's transaction may commit so long after the entry was written: a look goes back so far, in milliseconds. */
const MAX_COMMIT_MS = 60_000;

/** Everything that a client of a session has not been sent. That is entries, and the output of calls that are made now. */
export class SessionFeed {
  readonly #sent = new Map<AuditEntryId, number>();
  #latest: number;

  /** @param after the place of the last entry that the client was sent. It may be sent entries of the last minute before again. */
  constructor(
    private readonly messages: SessionMessages,
    private readonly by: Principal,
    private readonly session: Pick<Session, 'id' | 'approvalSeconds'>,
    private readonly output: CallOutputFeed,
    after: EntryCursor | null,
  ) {
    this.#latest = after?.occurredAt ?? 0;
    if (after !== null) this.#sent.set(after.id, after.occurredAt);
  }

  /** Messages about entries that are new since the last look, oldest first, and then new output. */
  async *unsent(): AsyncGenerator<SessionMessage> {
    let from: EntryCursor | number = Math.max(0, this.#latest - MAX_COMMIT_MS);
    for (;;) {
      const page = await this.messages.entriesOf(this.by, this.session.id, from, AT_ONCE);
      const fresh = page.filter(({ header }) => !this.#sent.has(header.id));
      for (const message of await this.messages.of(this.by, this.session, fresh)) {
        this.output.hear(message, Date.now());
        yield message;
      }
      for (const entry of fresh) this.#mark(entry);
      const last = page.at(-1);
      if (last === undefined || page.length < AT_ONCE) break;
      from = { occurredAt: Date.parse(last.header.occurred_at), id: last.header.id };
    }
    yield* this.output.unsent();
    for (const [id, at] of this.#sent) if (at < this.#latest - MAX_COMMIT_MS) this.#sent.delete(id);
  }

  #mark({ header }: AuditEntryView): void {
    const at = Date.parse(header.occurred_at);
    this.#sent.set(header.id, at);
    this.#latest = Math.max(this.#latest, at);
  }
}
