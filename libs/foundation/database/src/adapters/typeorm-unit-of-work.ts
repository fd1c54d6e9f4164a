import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import {
  type Enclosed,
  type EnclosingTransactions,
  fail,
  type Failure,
  type Rehearsal,
  type TenantId,
  type TransactionMode,
  type Tx,
  type UnitOfWork,
} from '#lib/kernel';
import { inSpan, noteOn } from '#lib/tracing';

import { CommitTurns, LATE_COMMIT_MS, type EndCommit } from '../application/commit-turns.js';
import { FairTurns, type EndTurn } from '../application/fair-turns.js';
import type { Rehearsals } from '../application/rehearsals.js';
import { commitsWait, notReplicated } from '../application/server-facts.js';
import { Announcements } from './announcements.js';
import { beginAs, DEFAULT_LIMITS, type TransactionLimits } from './begin-transaction.js';
import { explainMove, type MoveQuestion } from './held-tenants.js';
import { nameOfCaller } from './name-of-caller.js';
import { PreparedStatements } from './prepared-statements.js';
import { connectionOf, isSqlError, runStatement, SqlError, TypeormTx, type Step } from './sql.js';
import { forgetUnconfirmed, wasUnconfirmed } from './unconfirmed-commits.js';

const RETRIES = 3;
const RETRY_SPREAD_MS = 20;

/** Queries outside any tenant have this part of the connections to themselves. */
const SYSTEM_SHARE = 1 / 5;
/** Commits that may wait for a standby leave this part of the connections to other work. */
const FREE_OF_COMMITS = 1 / 4;
/** How long a transaction waits for its turn, and how many of one tenant do. */
const TURN_WITHIN_MS = 10_000;
const WAITING_OF_TENANT = 1_000;

/** The work of one transaction, for the units of work that begin inside. */
interface Around {
  /** Present if they join the transaction. */
  readonly joined?: { readonly tx: Tx; broken: boolean };
  /** Whether the transaction still has its turn: a unit of work that outlives it takes one of its own. */
  over: boolean;
}

/**
 * Transactions of one tenant each, over TypeORM's connections. The tenant is set inside the transaction and ends with it.
 * Tenants share the connections fairly; a transaction inside another one shares its turn. So no transaction waits for a
 * turn while it has one.
 */
export class TypeormUnitOfWork implements UnitOfWork, Rehearsals, EnclosingTransactions {
  readonly #around = new AsyncLocalStorage<Around>();
  readonly #announcements: Announcements;
  readonly #commits: CommitTurns;
  readonly #steps = new Set<Promise<void>>();

  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: TransactionLimits = DEFAULT_LIMITS,
    private readonly turns: FairTurns = turnsOf(dataSource),
    private readonly questionOf: (tenantId: TenantId) => MoveQuestion = () => 'ask',
    private readonly prepared = new PreparedStatements(),
    private readonly onError: (error: Error) => void = () => undefined,
  ) {
    this.#announcements = new Announcements(dataSource);
    const all = turnsIn(dataSource);
    const free = Math.max(1, Math.floor(all * FREE_OF_COMMITS));
    this.#commits = new CommitTurns(Math.max(1, all - free), () => performance.now());
  }

  /** How many commits wait for a standby that is gone. */
  get lateCommits(): number {
    return this.#commits.late;
  }

  /** Waits for the steps after commits, and sends the remaining announcements. */
  async close(): Promise<void> {
    await Promise.all(this.#steps);
    await this.#announcements.close();
  }

  run<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>, mode?: TransactionMode): Promise<T> {
    return inSpan(nameOfCaller, 'calls', DATABASE_FACTS, () => {
      const { joined } = this.#around.getStore() ?? {};
      if (joined !== undefined) return join(joined, tenantId, work);
      return this.#attempts(tenantId, work, { mode });
    });
  }

  async enclose<T>(tenantId: TenantId, work: (enclosed: Enclosed) => Promise<T>, mode?: TransactionMode): Promise<T> {
    if (this.#around.getStore()?.joined !== undefined) throw new Error('A transaction encloses no other.');
    const around = async (tx: Tx): Promise<T> => {
      const enclosed = { tx, broken: false };
      const result = await this.#around.run({ joined: enclosed, over: false }, () => work(enclosed));
      if (enclosed.broken) throw new Error('A unit of work threw inside, and the work around it went on.');
      return result;
    };
    return this.#attempts(tenantId, around, { mode });
  }

  async rehearse<T>(tenantId: TenantId, work: (rehearsal: Rehearsal) => Promise<T>): Promise<T> {
    if (this.#around.getStore()?.joined !== undefined) throw new Error('A rehearsal holds no other.');
    const over = new Error('A rehearsal is over.'); // thrown at its end, so that it is rolled back
    const done: { answer?: { readonly value: T } } = {};
    try {
      await this.#attempts(
        tenantId,
        async (tx) => {
          const { rehearsal = { loosens: [] } } = tx;
          const joined = { tx, broken: false };
          done.answer = { value: await this.#around.run({ joined, over: false }, () => work(rehearsal)) };
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

  async #attempts<T>(
    tenantId: TenantId,
    work: (tx: Tx) => Promise<T>,
    { rehearses = false, mode }: { readonly rehearses?: boolean; readonly mode?: TransactionMode | undefined } = {},
  ): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        // Spelled when it begins: one that has waited long for its turn would have to ask.
        const begin = (): string => beginAs(tenantId, this.limits, mode, this.questionOf(tenantId));
        return await this.#inTurn(tenantId, (endTurn) =>
          this.#once(begin, tenantId, work, { rehearses, mode, endTurn }),
        );
      } catch (error) {
        // Late commits keep their locks, too.
        if (isSqlError(error, '55P03') && this.#commits.late > 0) fail(commitsWait);
        const again = isSqlError(error, '40001') || isSqlError(error, '40P01');
        if (!again || attempt === RETRIES) throw explainMove(error);
        noteOn({ 'countersign.retries': attempt + 1 });
        // Those who collided once would collide again if they came back at the same moment.
        await delay(Math.random() * RETRY_SPREAD_MS * (attempt + 1));
      }
    }
  }

  /** Does the work in a turn of the tenant, or in that of the transaction around it. */
  async #inTurn<T>(tenantId: TenantId, work: (endTurn: EndTurn) => Promise<T>): Promise<T> {
    if (this.#around.getStore()?.over === false) return work(() => undefined);
    const endTurn = (await this.turns.take(tenantId)) ?? fail(busy);
    const around = { over: false };
    try {
      return await this.#around.run(around, () => work(endTurn));
    } finally {
      around.over = true;
      endTurn();
    }
  }

  async #once<T>(
    begin: () => string,
    tenantId: TenantId,
    work: (tx: Tx) => Promise<T>,
    {
      rehearses,
      mode,
      endTurn,
    }: { readonly rehearses: boolean; readonly mode: TransactionMode | undefined; readonly endTurn: EndTurn },
  ): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    let waiting: Promise<unknown> | null = null;
    let endCommit: EndCommit | null = null;
    try {
      const connection = await connectionOf(runner);
      // A late commit of the one who had the connection before.
      forgetUnconfirmed(connection);
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
        const steps = await this.#around.run({ joined: { tx, broken: false }, over: false }, () =>
          tx.finish(this.limits, (cause) => {
            noteOn({ 'countersign.last_work': 'failed' });
            this.#report(tenantId, 'The last work of a transaction failed, and other work took its place', cause);
          }),
        );
        tx.sendGathered();
        if (mode !== 'losable') endCommit = this.#commits.take() ?? (await this.#nextCommit(tx));
        // Deferred constraints and serialization can refuse even now, and the statements sent ahead are answered only now.
        const committing = Promise.all([tx.settled(), runStatement(connection, 'commit', [], this.prepared)]);
        // A late commit has a connection and no use of the tenant's turn: reads take it.
        const committed = await within(this.limits.statementMs, committing, endTurn);
        if (committed === null) {
          waiting = committing;
          fail(notReplicated);
        }
        const [, { command }] = committed;
        if (command !== 'COMMIT') throw notCommitted();
        if (wasUnconfirmed(connection)) fail(notReplicated);
        this.#announcements.add(tx.announcements());
        for (const step of steps) this.#goOn(tenantId, step);
        return result;
      } catch (error) {
        // A connection that cannot even roll back is broken, and the pool drops it.
        if (waiting === null) await runStatement(connection, 'rollback', [], this.prepared).catch(() => undefined);
        throw error;
      } finally {
        tx.close();
      }
    } finally {
      // The connection and the turn stay with a commit that waits for a standby.
      const release = (): Promise<void> => {
        endCommit?.();
        return runner.release();
      };
      if (waiting === null) await release();
      else void waiting.catch(() => undefined).then(release);
    }
  }

  /** Begins a step after a commit. */
  #goOn(tenantId: TenantId, step: Step): void {
    // The transaction before it has its turn for another moment.
    const stepping = this.#around.run({ over: true }, async () => {
      await step().catch((cause: unknown) => {
        this.#report(tenantId, 'A step after a commit failed', cause);
      });
      this.#steps.delete(stepping);
    });
    this.#steps.add(stepping);
  }

  #report(tenantId: TenantId, what: string, cause: unknown): void {
    const why = cause instanceof Error ? `${cause.name}: ${cause.message}` : String(cause);
    this.onError(new Error(`${what}, tenant ${tenantId}: ${why}`, { cause }));
  }

  /**
   * The next free turn for a commit; null for a transaction that changed nothing, since its commit never waits. Each commit takes a turn if there
   * is one, so that a healthy one need not ask for that.
   *
   * @throws {FailureError} `database.commits_wait`
   */
  async #nextCommit(tx: TypeormTx): Promise<EndCommit | null> {
    const [row] = await tx.statements().query<{ changed: boolean }>(CHANGED);
    if (row?.changed !== true) return null;
    return (await this.#commits.wait()) ?? fail(commitsWait);
  }
}

/**
 * The answer, or null if it takes longer. PostgreSQL limits statements, but not how long a commit waits for a standby.
 *
 * @param late called before, if the answer is late.
 */
async function within<T>(ms: number, answer: Promise<T>, late: () => void): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const over = new Promise<null>((resolve) => {
    const lateMs = Math.min(LATE_COMMIT_MS, ms);
    timer = setTimeout(() => {
      late();
      timer = setTimeout(resolve, ms - lateMs, null);
    }, lateMs);
  });
  try {
    return await Promise.race([answer, over]);
  } finally {
    clearTimeout(timer);
  }
}

/** A transaction has an id of its own once it changes a row. */
const CHANGED = 'select pg_current_xact_id_if_assigned() is not null as changed';

/** As many turns as there are connections, but for those of queries outside any tenant. */
function turnsIn({ options }: DataSource): number {
  const connections = options.poolSize ?? 1;
  return connections - Math.floor(connections * SYSTEM_SHARE);
}

function turnsOf(dataSource: DataSource): FairTurns {
  return new FairTurns({
    atOnce: turnsIn(dataSource),
    waitingOfTenant: WAITING_OF_TENANT,
    waitMs: TURN_WITHIN_MS,
    // Two, since one transaction may wait for a lock that another process holds.
    fewest: 2,
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
/** COMMIT would roll back, or has, without a word, and the caller would believe that it was done. */
const notCommitted = (): SqlError =>
  new SqlError(
    '25P02',
    'The work went on after a statement had failed; nothing of it can be committed.',
    undefined,
    undefined,
  );
