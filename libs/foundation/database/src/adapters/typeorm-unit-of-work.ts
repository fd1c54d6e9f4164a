import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { escapeLiteral } from 'pg';
import type { DataSource } from 'typeorm';
import {
  type Durability,
  type Enclosed,
  type EnclosingTransactions,
  fail,
  type Failure,
  isUuid,
  type Rehearsal,
  type Rehearsals,
  type TenantId,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { inSpan, noteOn } from '#lib/tracing';

import { FairPlaces } from '../application/fair-places.js';
import { notReplicated } from '../application/server-facts.js';
import { Announcements } from './announcements.js';
import { explainMove } from './held-tenants.js';
import { PreparedStatements } from './prepared-statements.js';
import { connectionOf, isSqlError, runStatement, SqlError, TypeormTx } from './sql.js';
import { wasUnconfirmed } from './unconfirmed-commits.js';

const RETRIES = 3;
const RETRY_SPREAD_MS = 20;

/** Bounds of one transaction, in milliseconds. */
export interface TransactionLimits {
  /** For one statement; more is SQLSTATE 57014. */
  readonly statementMs: number;
  /** Waiting for one lock; more is SQLSTATE 55P03. */
  readonly lockMs: number;
  /** Between two statements; more ends the session (25P03), so that a stuck request holds no locks. */
  readonly idleMs: number;
  /** Transactions that cannot write, as at a replica. */
  readonly readOnly?: true;
}

/** Queries outside any tenant have this part of the connections to themselves. */
const SYSTEM_SHARE = 1 / 5;
/** How long a transaction waits for its place, and how many of one tenant do. */
const PLACE_WITHIN_MS = 10_000;
const WAITING_OF_TENANT = 1_000;

export const DEFAULT_LIMITS: TransactionLimits = { statementMs: 15_000, lockMs: 5_000, idleMs: 30_000 };

/** The work of one transaction, for the units of work that begin inside. */
interface Around {
  /** Present if they join the transaction. */
  readonly joined?: { readonly tx: Tx; broken: boolean };
  /** Whether the transaction still has its place: a unit of work that outlives it takes one of its own. */
  over: boolean;
}

/**
 * Transactions of one tenant each, over TypeORM's connections. The tenant is set inside the transaction and ends with it.
 * Tenants share the connections fairly; a transaction that begins inside another one shares its place, so that no
 * transaction waits for a place while it has one.
 */
export class TypeormUnitOfWork implements UnitOfWork, Rehearsals, EnclosingTransactions {
  private readonly around = new AsyncLocalStorage<Around>();
  private readonly announcements: Announcements;

  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: TransactionLimits = DEFAULT_LIMITS,
    private readonly places: FairPlaces = placesOf(dataSource),
    private readonly mayHold: (tenantId: TenantId) => boolean = () => true,
    private readonly prepared = new PreparedStatements(),
  ) {
    this.announcements = new Announcements(dataSource);
  }

  /** Sends what is still to be announced. */
  close(): Promise<void> {
    return this.announcements.close();
  }

  run<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>, durability?: Durability): Promise<T> {
    return inSpan(nameOfCaller, 'calls', DATABASE_FACTS, () => {
      const { joined } = this.around.getStore() ?? {};
      if (joined !== undefined) return join(joined, tenantId, work);
      return this.attempts(tenantId, work, { losable: durability === 'losable' });
    });
  }

  async enclose<T>(tenantId: TenantId, work: (enclosed: Enclosed) => Promise<T>): Promise<T> {
    if (this.around.getStore()?.joined !== undefined) throw new Error('A transaction encloses no other.');
    return this.attempts(tenantId, async (tx) => {
      const enclosed = { tx, broken: false };
      const result = await this.around.run({ joined: enclosed, over: false }, () => work(enclosed));
      if (enclosed.broken) throw new Error('A unit of work threw inside, and the work around it went on.');
      return result;
    });
  }

  async rehearse<T>(tenantId: TenantId, work: (rehearsal: Rehearsal) => Promise<T>): Promise<T> {
    if (this.around.getStore()?.joined !== undefined) throw new Error('A rehearsal holds no other.');
    const over = new Error('A rehearsal is over.'); // thrown at its end, so that it is rolled back
    const done: { answer?: { readonly value: T } } = {};
    try {
      await this.attempts(
        tenantId,
        async (tx) => {
          const { rehearsal = { loosens: [] } } = tx;
          const joined = { tx, broken: false };
          done.answer = { value: await this.around.run({ joined, over: false }, () => work(rehearsal)) };
          throw over;
        },
        { rehearses: true },
      );
    } catch (error) {
      if (error !== over || done.answer === undefined) throw error;
    }
    if (done.answer === undefined) throw new Error('A rehearsal was committed.');
    return done.answer.value;
  }

  private async attempts<T>(
    tenantId: TenantId,
    work: (tx: Tx) => Promise<T>,
    { rehearses = false, losable = false } = {},
  ): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        // Spelled when it begins: a transaction may wait for its place longer than a move waits for those that don't ask.
        const begin = (): string => beginAs(tenantId, this.limits, losable, this.mayHold(tenantId));
        return await this.inPlace(tenantId, () => this.once(begin, tenantId, work, rehearses));
      } catch (error) {
        const again = isSqlError(error, '40001') || isSqlError(error, '40P01');
        if (!again || attempt === RETRIES) throw explainMove(error);
        noteOn({ 'countersign.retries': attempt + 1 });
        // Those who collided once would collide again if they came back at the same moment.
        await delay(Math.random() * RETRY_SPREAD_MS * (attempt + 1));
      }
    }
  }

  /** Does the work in a place of the tenant, or in the place of the transaction around it. */
  private async inPlace<T>(tenantId: TenantId, work: () => Promise<T>): Promise<T> {
    if (this.around.getStore()?.over === false) return work();
    const leave = (await this.places.take(tenantId)) ?? fail(busy);
    const around = { over: false };
    try {
      return await this.around.run(around, work);
    } finally {
      around.over = true;
      leave();
    }
  }

  private async once<T>(
    begin: () => string,
    tenantId: TenantId,
    work: (tx: Tx) => Promise<T>,
    rehearses: boolean,
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    let waiting: Promise<unknown> | null = null;
    try {
      const connection = await connectionOf(runner);
      const tx = new TypeormTx(
        tenantId,
        this.dataSource,
        connection,
        this.prepared,
        rehearses ? { loosens: [] } : undefined,
      );
      try {
        // Not waited for: it travels with the first statement. If it failed, so does everything after it.
        tx.statements().executeAhead(begin());
        const result = await work(tx);
        if (tx.failed) {
          await tx.settled();
          throw notCommitted();
        }
        tx.sendGathered();
        // Deferred constraints and serialization can refuse even now, and the statements sent ahead are answered only now.
        const committing = Promise.all([tx.settled(), runStatement(connection, 'commit', [], this.prepared)]);
        const committed = await within(this.limits.statementMs, committing);
        if (committed === null) {
          waiting = committing;
          fail(notReplicated);
        }
        const [, { command }] = committed;
        if (command !== 'COMMIT') throw notCommitted();
        if (wasUnconfirmed(connection)) fail(notReplicated);
        this.announcements.add(tx.announcements());
        return result;
      } catch (error) {
        // A connection that cannot even roll back is broken, and the pool drops it.
        if (waiting === null) await runStatement(connection, 'rollback', [], this.prepared).catch(() => undefined);
        throw error;
      } finally {
        tx.close();
      }
    } finally {
      // The connection stays with a commit that waits for a standby: a process has no more of them than its pool.
      if (waiting === null) await runner.release();
      else void waiting.catch(() => undefined).then(() => runner.release());
    }
  }
}

/** The answer, or null if it takes longer. PostgreSQL limits statements, but not how long a commit waits for a standby. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, ms, null)));
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** As many places as there are connections, but for those of queries outside any tenant. */
function placesOf({ options }: DataSource): FairPlaces {
  const connections = options.poolSize ?? 1;
  return new FairPlaces({
    places: connections - Math.floor(connections * SYSTEM_SHARE),
    waitingOfTenant: WAITING_OF_TENANT,
    waitMs: PLACE_WITHIN_MS,
    // A tenant keeps its second place: its one transaction may wait for a lock that another process holds.
    busy: () => false,
  });
}

const busy: Failure = {
  kind: 'unavailable',
  code: 'database.busy',
  message: 'Your organisation has too many transactions under way.',
  action: 'Wait as long as Retry-After says, and send fewer requests at the same time.',
  retryAfterSeconds: 1,
};

async function join<T>(
  joined: { readonly tx: Tx; broken: boolean },
  tenantId: TenantId,
  work: (tx: Tx) => Promise<T>,
): Promise<T> {
  if (joined.tx.tenantId !== tenantId) throw new Error('What joins a transaction stays within its tenant.');
  try {
    return await work(joined.tx);
  } catch (error) {
    joined.broken = true;
    throw error;
  }
}

const DATABASE_FACTS = { 'db.system.name': 'postgresql' };
/** `SubmitPlan.execute` of a line of a stack. */
const METHOD = /^\s+at (?:async )?([A-Z]\w+\.#?\w+) /;

const OWN_METHOD = 'TypeormUnitOfWork.run';
const MAX_FRAMES = 6;

/** The use case that opened the transaction, from the stack; called only if there is a trace. */
function nameOfCaller(): string {
  const stack = { stack: '' };
  Error.captureStackTrace(stack, nameOfCaller);
  // The stack names a private method without its class, and its caller with its class.
  const method = stack.stack
    .split('\n', MAX_FRAMES)
    .flatMap((line) => METHOD.exec(line)?.[1] ?? [])
    .find((name) => name !== OWN_METHOD);
  return method === undefined ? 'transaction' : `transaction ${method}`;
}

/** COMMIT would roll back, or has, without a word, and the caller would believe that it was done. */
const notCommitted = (): SqlError =>
  new SqlError(
    '25P02',
    'The work went on after a statement had failed; nothing of it can be committed.',
    undefined,
    undefined,
  );

/**
 * Begins and sets in one message, which takes text without parameters. Every setting is local to the transaction, as
 * with `set_config(…, true)`, but without a query to plan: nothing survives on a connection that is used again.
 *
 * @param mayHold whether the tenant may be moving: then the transaction asks for what it may do.
 */
function beginAs(tenantId: TenantId, limits: TransactionLimits, losable: boolean, mayHold: boolean): string {
  if (!isUuid(tenantId)) throw new Error('A tenant is named by a UUID.');
  const settings = {
    'app.tenant_id': tenantId,
    statement_timeout: String(limits.statementMs),
    lock_timeout: String(limits.lockMs),
    idle_in_transaction_session_timeout: String(limits.idleMs),
    ...(losable ? { synchronous_commit: 'off' } : {}),
  };
  return [
    limits.readOnly === true ? 'begin read only' : 'begin',
    ...Object.entries(settings).map(([name, value]) => `set local ${name} = ${escapeLiteral(value)}`),
    ...(mayHold ? ['select tenant_move_admit()'] : []),
  ].join('; ');
}
