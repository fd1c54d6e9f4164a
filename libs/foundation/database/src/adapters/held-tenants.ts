import { FailureError, type Failure, type TenantId } from '#lib/kernel';

import { isSqlError } from './sql.js';

const READ_EVERY_MS = 500;
/** Older knowledge counts for nothing: then every transaction asks the database. */
export const HELD_STALE_MS = 1_500;

/**
 * Names the tenants that move, and the time of the server until which that counts. Its clock is read before the rows are. It is sent
 * twice a second, by itself.
 */
export const ASK_HELD = `select (statement_timestamp() + interval '${String(HELD_STALE_MS)} milliseconds')::text as "knownUntil",
  array(select tenant_id from tenant_move_held()) as held`;

/** An answer to {@link ASK_HELD}. */
export interface HeldAnswer {
  readonly held: readonly TenantId[];
  /** As PostgreSQL writes it; only the same server reads it. */
  readonly knownUntil: string;
}

/** A transaction asks what it may do, or it asks only if the server begins it after this time. */
export type MoveQuestion = 'ask' | Pick<HeldAnswer, 'knownUntil'>;

/**
 * The tenants that this installation does not, or not fully, work for, since they are moving (ADR 33). A transaction of any
 * other tenant need not ask the database, as long as the last answer is fresh.
 */
export class HeldTenants {
  #held: ReadonlySet<TenantId> = new Set();
  #knownUntil = '-infinity';
  /** From before the question, so that the answer is never older than it says. */
  #askedAt = -Infinity;
  #next: NodeJS.Timeout | undefined;
  #closed = false;

  /** @param read the tenants that are held now. */
  constructor(
    private readonly read: () => Promise<HeldAnswer>,
    private readonly monotonicMs: () => number = () => performance.now(),
  ) {}

  /** Asks now and twice a second, until closed. */
  async start(): Promise<void> {
    // Without an answer nothing is known, and every transaction asks for itself.
    await this.refresh().catch(() => undefined);
    if (!this.#closed) this.#next = setTimeout(() => void this.start(), READ_EVERY_MS).unref();
  }

  async refresh(): Promise<void> {
    const askedAt = this.monotonicMs();
    const { held, knownUntil } = await this.read();
    this.#held = new Set(held);
    this.#knownUntil = knownUntil;
    this.#askedAt = askedAt;
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#next);
  }

  /** Whether a transaction of the tenant that begins now has to ask. */
  questionOf(tenantId: TenantId): MoveQuestion {
    const mayHold = this.#held.has(tenantId) || this.monotonicMs() - this.#askedAt > HELD_STALE_MS;
    return mayHold ? 'ask' : { knownUntil: this.#knownUntil };
  }

  /** As last heard: for work that can wait. */
  get known(): ReadonlySet<TenantId> {
    return this.#held;
  }
}

/** The error in words if it is the refusal of a move, `tenant.moving` or `tenant.moved`; otherwise the error itself. */
export function explainMove(error: unknown): unknown {
  if (isSqlError(error, 'CS003')) return new FailureError(moved, { cause: error });
  if (isSqlError(error, 'CS004') || isSqlError(error, READ_ONLY)) return new FailureError(moving, { cause: error });
  return error;
}

/** SQLSTATE: the transaction only reads. */
const READ_ONLY = '25006';

const moving: Failure = {
  kind: 'unavailable',
  code: 'tenant.moving',
  message: 'Your organisation is moving to another installation, and nothing of it changes meanwhile.',
  action: 'Wait as long as Retry-After says, and try again.',
  retryAfterSeconds: 5,
};

const moved: Failure = {
  kind: 'unavailable',
  code: 'tenant.moved',
  message: 'This installation does not serve your organisation: it moved, or is about to arrive.',
  action: 'Wait as long as Retry-After says, and try again at your usual address.',
  retryAfterSeconds: 5,
};
