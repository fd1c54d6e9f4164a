import { v7 } from 'uuid';
import type { Tx } from '#lib/kernel';
import { FakeTable, type FakeUnitOfWork } from '../../../../foundation/kernel/src/fake-unit-of-work.js';
import type {
  HeldMessage,
  MessageAbout,
  SlackInstallations,
  SlackMessages,
  SlackPace,
  WaitingPost,
  WaitingReply,
} from './slack.ports.js';

interface Row extends Omit<HeldMessage, 'thread'> {
  readonly subject: string;
  readonly target: string;
  readonly createdAt: number;
  readonly leaseUntil: number | null;
}

/** Keeps our messages in Slack in memory. */
export class FakeSlackMessages implements SlackMessages {
  readonly #rows: FakeTable<Row>;

  constructor(
    private readonly database: FakeUnitOfWork,
    private readonly pace: Pick<SlackPace, 'take'>,
    private readonly installations: Pick<SlackInstallations, 'workspace'>,
  ) {
    this.#rows = new FakeTable(database);
  }

  async take(
    tx: Tx,
    { subject, target, threadOf }: MessageAbout,
    leaseMs: number,
  ): Promise<HeldMessage | WaitingReply | WaitingPost | 'busy'> {
    const { now } = this.database;
    const row = this.#at(tx, subject, target) ?? {
      id: v7(),
      subject,
      target,
      posted: null,
      renderedDigest: null,
      triedAt: null,
      createdAt: now,
      leaseUntil: null,
    };
    this.#rows.of(tx).set(row.id, row);
    if ((row.leaseUntil ?? 0) > now) return 'busy';
    const thread = threadOf === null ? null : (this.#at(tx, threadOf, target)?.posted ?? null);
    if (threadOf !== null && thread === null) return { waitedMs: now - row.createdAt };
    const { id, posted, renderedDigest, triedAt } = row;
    if (posted === null) {
      if ((await this.installations.workspace(tx)) === null) return 'busy';
      const delayMs = await this.pace.take(tx, { kind: threadOf === null ? 'message' : 'reply', target });
      if (delayMs > 0) return { delayMs };
      this.#change(tx, id, () => ({ leaseUntil: now + leaseMs, triedAt: triedAt ?? now }));
    }
    return { id, posted, renderedDigest, triedAt, thread };
  }

  lease(tx: Tx, id: string, leaseMs: number): void {
    this.#change(tx, id, () => ({ leaseUntil: this.database.now + leaseMs }));
  }

  posted(tx: Tx, id: string, posted: { channel: string; ts: string }, renderedDigest: string): Promise<void> {
    this.#change(tx, id, () => ({ posted, renderedDigest, leaseUntil: null }));
    return Promise.resolve();
  }

  lost(tx: Tx, id: string): Promise<void> {
    this.#change(tx, id, () => ({ posted: null, renderedDigest: null, triedAt: null, leaseUntil: null }));
    return Promise.resolve();
  }

  release(tx: Tx, id: string): Promise<void> {
    this.#change(tx, id, () => ({ leaseUntil: null }));
    return Promise.resolve();
  }

  postedAt(tx: Tx, subject: string, target: string): Promise<{ readonly channel: string | null } | null> {
    const row = this.#at(tx, subject, target);
    return Promise.resolve(row === undefined ? null : { channel: row.posted?.channel ?? null });
  }

  subjectAt(tx: Tx, { channel, ts }: { channel: string; ts: string }): Promise<string | null> {
    const found = this.#of(tx).find(({ posted }) => posted?.channel === channel && posted.ts === ts);
    return Promise.resolve(found?.subject ?? null);
  }

  #of(tx: Tx): readonly Row[] {
    return [...this.#rows.of(tx).values()];
  }

  #at(tx: Tx, subject: string, target: string): Row | undefined {
    return this.#of(tx).find((row) => row.subject === subject && row.target === target);
  }

  #change(tx: Tx, id: string, change: (row: Row) => Partial<Row>): void {
    const row = this.#rows.of(tx).get(id);
    if (row !== undefined) this.#rows.of(tx).set(id, { ...row, ...change(row) });
  }
}
