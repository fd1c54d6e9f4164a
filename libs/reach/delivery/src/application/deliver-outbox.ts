import { setTimeout as delay } from 'node:timers/promises';
import type { NotifiedRequest } from '#lib/approval';
import { NotNow } from '#lib/database';
import type { EnclosingTransactions, FirstDelivery, TenantId, Tx, UnitOfWork } from '#lib/kernel';
import { inSpan, noteOn } from '#lib/tracing';
import type { RequestMessage } from '../domain/request-message.js';
import { MAX_ATTEMPTS, retryDelayMs } from '../domain/retry-schedule.js';
import type { ChannelRegistry } from './channel-registry.js';
import type {
  AttemptedEntry,
  Channel,
  Delivery,
  OutboxAttempt,
  OutboxRepository,
  Sending,
  Sent,
} from './delivery.ports.js';
import type { FanOutMessage } from './fan-out-message.js';
import type { ReadRequestMessage } from './read-request-message.js';

/** Another worker tries after it. A worker that still sends renews it, so that only a dead one loses it. */
const LEASE_MS = 15_000;
const RENEW_MS = 5_000;
/** Longer than any delivery may take. */
const RENEWED_FOR_MS = 90_000;
/** The wait for an earlier event of the same run. */
const IN_TURN_MS = 500;
/** A process sends about this many messages at a time without a worker. Workers share themselves fairly among tenants. */
const MAX_AT_ONCE = 16;

/** How far the first transaction of a turn came. */
interface Turn {
  /** The message was fanned out, and its first destination's was being taken. */
  fannedOut: boolean;
}

/** A message that this process has taken and will send. */
interface Taken {
  readonly entry: AttemptedEntry;
  readonly channel: Channel;
  readonly send: Sending;
}

/**
 * One turn of one message, in two transactions (ADR 23). The first takes the message and everything that sending needs; then the
 * channel sends it; the second records the result. A message that a stage wrote is fanned out first. Its first
 * destination is delivered to in the same turn, since an approver waits there. Edits of one message collapse into the
 * last. The events of a run reach a destination in their order. A failure is retried with growing pauses, and then
 * stays `failed` for an admin. Waiting for a channel's turn is no failure.
 */
export class DeliverOutbox {
  /** How many messages this process sends without a worker. */
  #atOnce = 0;

  constructor(
    private readonly uow: UnitOfWork,
    private readonly transactions: EnclosingTransactions,
    private readonly outbox: OutboxRepository,
    private readonly fanOut: FanOutMessage,
    private readonly channels: ChannelRegistry,
    private readonly requests: Pick<ReadRequestMessage, 'opened'>,
  ) {}

  /**
   * Does nothing if the message is delivered, not due, or leased by another worker.
   *
   * @returns in how many milliseconds the message is due again; null if it is settled or waits long.
   */
  async execute(tenantId: TenantId, id: string): Promise<number | null> {
    const began = performance.now();
    const taken = await this.#take(tenantId, id);
    if (taken === null) return null;
    return 'send' in taken ? this.#sendTaken(tenantId, taken, began) : dueIn(taken);
  }

  /**
   * The same for the message of a new request: an approver waits, and no worker has to be woken. If Slack asks to wait, or
   * refuses, a worker finds the message at its next look.
   *
   * @param known the facts of the request.
   * @returns undefined if this process sends enough already.
   */
  first(known: NotifiedRequest): FirstDelivery | undefined {
    return this.#atOnce >= MAX_AT_ONCE ? undefined : (tx, id) => this.#begin(tx, id, known);
  }

  async #begin(tx: Tx, id: string, known: NotifiedRequest): Promise<() => Promise<unknown>> {
    const began = performance.now();
    const taken = await this.#takeIn(tx, id, { fannedOut: false }, known);
    // A worker waits, tries again, and counts the attempts.
    if (taken === null || ('kind' in taken && taken.kind !== 'delivered')) throw new NotNow('The message has to wait.');
    return async () => {
      if ('kind' in taken) return;
      this.#atOnce += 1;
      try {
        await this.#sendTaken(tx.tenantId, taken, began);
      } finally {
        this.#atOnce -= 1;
      }
    };
  }

  async #sendTaken(tenantId: TenantId, { entry, channel, send }: Taken, began: number): Promise<number | null> {
    // The commit came late, and the lease may be another worker's.
    if (performance.now() - began >= RENEW_MS && !(await this.#renew(tenantId, entry))) return null;
    const facts = {
      'countersign.topic': entry.topic,
      'countersign.outbox_id': entry.id,
      'countersign.attempt': entry.attempts,
    };
    const sent = await inSpan(`deliver to ${channel.name}`, 'calls', facts, async () => {
      const result = await this.#renewed(tenantId, entry, send).catch((error: unknown): Sent => ({
        delivery: failureOf(error),
      }));
      noteOn({ 'countersign.outcome': result.delivery.kind });
      return result;
    });
    try {
      await this.uow.run(tenantId, async (tx) => {
        await sent.record?.(tx);
        this.#settle(tx, entry, sent.delivery);
      });
    } catch (error) {
      await this.#giveBack(tenantId, entry, sent, error);
      throw error;
    }
    return dueIn(sent.delivery);
  }

  /** Sends the message. Most are sent before the first renewal. */
  async #renewed(tenantId: TenantId, entry: AttemptedEntry, send: Sending): Promise<Sent> {
    const sent = new AbortController();
    let renewOwn: (tx: Tx) => void = () => undefined;
    const renewal = async (): Promise<void> => {
      for (let ms = 0; ms < RENEWED_FOR_MS; ms += RENEW_MS) {
        await delay(RENEW_MS, undefined, { signal: sent.signal });
        // If a renewal fails, the next one may be in time.
        await this.#renew(tenantId, entry, renewOwn).catch(() => undefined);
      }
    };
    const renewing = renewal().catch(() => undefined);
    try {
      return await send((renew) => (renewOwn = renew));
    } finally {
      sent.abort();
      // One that is under way would replace the recorded time of the next attempt.
      await renewing;
    }
  }

  /** @returns false if the lease is lost. */
  #renew(tenantId: TenantId, entry: AttemptedEntry, renewOwn?: (tx: Tx) => void): Promise<boolean> {
    return this.uow.run(tenantId, async (tx) => {
      const renewed = await this.outbox.renew(tx, entry, LEASE_MS);
      if (renewed) renewOwn?.(tx);
      return renewed;
    });
  }

  /**
   * The result could not be recorded. A delivery whose channel records where it is becomes a failed attempt, so that the next turn finds it.
   * Any other result stands: nothing is sent twice. Leases that cannot be given back end by themselves.
   */
  async #giveBack(
    tenantId: TenantId,
    entry: AttemptedEntry,
    { delivery, record, release }: Sent,
    cause: unknown,
  ): Promise<void> {
    const stands = record === undefined || delivery.kind !== 'delivered';
    const giveBack = async (tx: Tx): Promise<void> => {
      await release?.(tx);
      this.#settle(tx, entry, stands ? delivery : failureOf(cause));
    };
    await this.uow.run(tenantId, giveBack).catch(() => undefined);
  }

  async #take(tenantId: TenantId, id: string): Promise<Taken | Delivery | null> {
    const turn: Turn = { fannedOut: false };
    try {
      return await this.transactions.enclose(tenantId, ({ tx }) => this.#takeIn(tx, id, turn));
    } catch (error) {
      // The transaction kept nothing, not even the attempt.
      const failed = (cause: unknown): Promise<void> => this.#fail(tenantId, id, cause);
      await (turn.fannedOut ? this.#fanOutAlone(tenantId, id).catch(failed) : failed(error));
      return null;
    }
  }

  /**
   * @param known the request that the message is about, if this transaction opened it.
   * @returns null if the message is not due, or another worker has it.
   */
  async #takeIn(tx: Tx, id: string, turn: Turn, known?: NotifiedRequest): Promise<Taken | Delivery | null> {
    const claiming = this.outbox.claimToDeliver(tx, id, LEASE_MS);
    // The recipients travel with the claim.
    const telling = this.fanOut.recipientsOf(tx, id, known === undefined ? 'claimed' : 'written');
    telling.catch(() => undefined);
    const entry = await claiming;
    if (entry === null) return null;
    if (entry.destination !== null) return this.#prepare(tx, entry, entry.destination, { fresh: false });
    const told = await telling;
    // The message also tells of earlier approvals of the task, which this transaction has not read.
    if (known !== undefined && told?.asOpened !== true) throw new NotNow('The records have to be read.');
    const first = await this.fanOut.execute(tx, entry, told, LEASE_MS);
    turn.fannedOut = true;
    if (first?.destination == null) return { kind: 'delivered' };
    const opened = known === undefined || told === null ? null : await this.requests.opened(tx, known, told);
    return this.#prepare(tx, first, first.destination, { fresh: true, opened });
  }

  /** One destination must not hold up the others: each message gets its own job, and fails alone. */
  #fanOutAlone(tenantId: TenantId, id: string): Promise<void> {
    return this.uow.run(tenantId, async (tx) => {
      const entry = await this.outbox.claimToDeliver(tx, id, LEASE_MS);
      if (entry !== null) await this.fanOut.execute(tx, entry, await this.fanOut.recipientsOf(tx, id), null);
    });
  }

  /** Counts the attempt. It does not read the message, since that may have failed. */
  #fail(tenantId: TenantId, id: string, cause: unknown): Promise<void> {
    return this.uow.run(tenantId, async (tx) => {
      const attempt = await this.outbox.claim(tx, id, LEASE_MS);
      if (attempt !== null) this.#settle(tx, attempt, failureOf(cause));
    });
  }

  /** @param how whether the message was fanned out in this transaction, and the request that this transaction opened. */
  async #prepare(
    tx: Tx,
    entry: AttemptedEntry,
    destination: string,
    how: { readonly fresh: boolean; readonly opened?: RequestMessage | null },
  ): Promise<Taken | Delivery> {
    const { channel, to } = this.channels.read(destination);
    const prepared = await this.#turnOf(tx, entry, to.showing, channel, how.fresh);
    const ready = prepared ?? (await channel.prepare(tx, entry, to, how.opened));
    if (typeof ready === 'function') return { entry, channel, send: ready };
    this.#settle(tx, entry, ready);
    return ready;
  }

  /** @returns the result if the message is not sent now; null if it is its turn. */
  async #turnOf(
    tx: Tx,
    entry: AttemptedEntry,
    showing: string,
    { edits }: Channel,
    fresh: boolean,
  ): Promise<Delivery | null> {
    if (showing !== 'subject') {
      return (await this.outbox.comesAfterPending(tx, entry)) ? { kind: 'later', delayMs: IN_TURN_MS } : null;
    }
    // The last of several edits shows all of them.
    return edits && !fresh && (await this.outbox.comesBeforeSame(tx, entry)) ? { kind: 'delivered' } : null;
  }

  #settle(tx: Tx, attempt: OutboxAttempt, delivery: Delivery): void {
    switch (delivery.kind) {
      case 'delivered':
        this.outbox.delivered(tx, attempt);
        return;
      case 'later':
        this.outbox.postpone(tx, attempt, delivery.delayMs);
        return;
      case 'failed':
        if (delivery.final || attempt.attempts >= MAX_ATTEMPTS) this.outbox.giveUp(tx, attempt, delivery.error);
        else this.outbox.failedOnce(tx, attempt, delivery.error, retryDelayMs(attempt.attempts));
    }
  }
}

const dueIn = (delivery: Delivery): number | null => (delivery.kind === 'later' ? delivery.delayMs : null);

const failureOf = (error: unknown): Delivery => ({
  kind: 'failed',
  error: error instanceof Error ? `${error.name}: ${error.message}` : String(error),
  final: false,
});
