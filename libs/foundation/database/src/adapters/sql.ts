import type { Client, QueryResult } from 'pg';
import { QueryFailedError, type DataSource, type EntityManager, type QueryRunner } from 'typeorm';
import { z } from 'zod';
import { errorCode, type Rehearsal, type TenantId, type Tx } from '#lib/kernel';

import type { Unread } from '../application/database.ports.js';
import { NotNow } from '../application/not-now.js';
import { drop } from './database-hosts.js';
import type { Selection } from './entity.js';
import type { PreparedStatements } from './prepared-statements.js';
import { managerOver } from './transaction-runner.js';
import { waitsAs, type Waits } from './waits.js';

/** Plain parameterised SQL inside one transaction. */
export interface Sql {
  /** The rows of a SELECT, or of a RETURNING clause. @throws {SqlError} */
  // The caller names the columns it selects; nothing here could infer them.
  query<Row extends Unread<Row>>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** How many rows the statement changed. @throws {SqlError} */
  execute(text: string, parameters?: readonly unknown[]): Promise<number>;
  /**
   * Sends a statement without waiting for its answer. It runs in its place among the others, and travels with the next of
   * them or with the commit. If it is refused the unit of work fails, with its {@link SqlError}.
   */
  executeAhead(text: string, parameters?: readonly unknown[]): void;
  /**
   * Calls a function without waiting for its answer. Calls that no other statement separates travel as one statement,
   * in their order. It is sent before the next statement, or with the commit. If one is refused the unit of work fails,
   * with its {@link SqlError}.
   */
  callAhead(functionName: string, parameters: readonly unknown[]): void;
  /**
   * Inserts a row without waiting for the answer. It travels with the calls of {@link callAhead}, and is inserted after
   * them. So no call of the same statement may need it. The rows of a table are one INSERT, in their order. PostgreSQL
   * prepares to write to a table once, and a function for each row would cost more than the row.
   *
   * @param columns of an entity of tenants. Every other column gets its default.
   */
  insertAhead<Row>(columns: Selection<Row>, row: Row): void;
  /** Tells the listeners of a channel soon after the commit, once for all that say the same. A hint: it may be lost. */
  announce(channel: string, payload: string): void;
}

/** Calls, or values, of one statement. PostgreSQL takes 65,535 parameters, and 1,664 calls in one SELECT. */
const MAX_GATHERED = 1_000;

/**
 * PostgreSQL refused a statement. Carries the SQLSTATE and the names of constraint and table. Never carries the
 * statement's parameters or the row's values, which may be secret.
 */
export class SqlError extends Error {
  constructor(
    /** SQLSTATE, five characters (PostgreSQL, appendix A); CS001 and CS002 are ours. */
    readonly code: string,
    message: string,
    readonly constraint: string | undefined,
    readonly table: string | undefined,
  ) {
    super(message);
    this.name = 'SqlError';
  }
}

/** Whether `error` is a refusal with this SQLSTATE, and by this constraint if one is named. */
export function isSqlError(error: unknown, code: string, constraint?: string): error is SqlError {
  return (
    error instanceof SqlError && error.code === code && (constraint === undefined || error.constraint === constraint)
  );
}

/** Work at the end of a transaction, which fails alone. */
export interface LastWork {
  /** @returns a step for after the commit. */
  attempt(): Promise<Step>;
  /** Takes the place of an attempt that failed: nothing of it is kept. */
  otherwise(): Promise<void>;
}

/** A step after the commit, in no transaction. */
export type Step = () => Promise<unknown>;

/** Such work is a try, for which the rest of the transaction does not wait long. */
const LAST_WORK: Waits = { statementMs: 1_000, lockMs: 250 };

/** The only implementation of {@link Tx} over a database; closed when its transaction ends. */
export class TypeormTx implements Tx {
  /** Whether the last statement was refused: then PostgreSQL commits nothing, unless a savepoint is gone back to. */
  failed = false;
  #open = true;
  /** The statements sent ahead, in order, and not awaited yet. */
  readonly #ahead: Promise<unknown>[] = [];
  /** Calls that the next statement, or the commit, takes along. */
  #calls: string[] = [];
  #gathered: unknown[] = [];
  /** The rows that travel with these calls, by their table and its columns. */
  #rows = new Map<string, unknown[][]>();
  /** How many values these rows have. */
  #inRows = 0;
  readonly #sql: Sql;
  readonly #announced: { readonly channel: string; readonly payload: string }[] = [];
  #entities: EntityManager | undefined;
  readonly #makeManager: () => EntityManager;
  readonly #lastWork: LastWork[] = [];

  constructor(
    readonly tenantId: TenantId,
    dataSource: DataSource,
    connection: Connection,
    prepared: PreparedStatements,
    readonly rehearsal?: Rehearsal,
  ) {
    const send = async (text: string, parameters: readonly unknown[]): Promise<StatementResult> => {
      if (!this.#open) throw new Error('This transaction has ended: its Tx was kept beyond the unit of work.');
      this.sendGathered();
      return runStatement(connection, text, parameters, prepared);
    };
    const run = async (text: string, parameters: readonly unknown[]): Promise<StatementResult> => {
      try {
        const result = await send(text, parameters);
        this.failed = false;
        return result;
      } catch (error) {
        this.failed = true;
        // A statement sent ahead had failed before it: its error is the reason to report.
        if (isSqlError(error, '25P02')) await this.settled();
        throw error;
      }
    };
    this.#makeManager = () => managerOver(dataSource, run);
    this.#sql = {
      query: async <Row extends Unread<Row>>(text: string, parameters: readonly unknown[] = []) =>
        // The statement names the columns of a row. The compiler refuses rows with unread documents.
        (await run(text, parameters)).rows as Row[],
      execute: async (text, parameters = []) => (await run(text, parameters)).rowCount ?? 0,
      executeAhead: (text, parameters = []) => {
        cork(connection);
        const sent = send(text, parameters);
        // The awaiting caller, at the latest the unit of work, gets the error.
        sent.catch(() => undefined);
        this.#ahead.push(sent);
      },
      callAhead: (functionName, parameters) => {
        this.#beforeGathering();
        this.#calls.push(`${functionName}(${this.#placeholders(parameters)})`);
      },
      insertAhead: (columns, row) => {
        this.#beforeGathering();
        const parameters = [tenantId, ...columns.parametersOf(row)];
        const rows = this.#rows.get(columns.into);
        if (rows === undefined) this.#rows.set(columns.into, [parameters]);
        else rows.push(parameters);
        this.#inRows += parameters.length;
      },
      announce: (channel, payload) => {
        this.#announced.push({ channel, payload });
      },
    };
  }

  #beforeGathering(): void {
    if (!this.#open) throw new Error('This transaction has ended: its Tx was kept beyond the unit of work.');
    if (Math.max(this.#calls.length, this.#gathered.length + this.#inRows) > MAX_GATHERED) this.sendGathered();
  }

  /** Sends the calls and rows that no statement has taken along yet. PostgreSQL evaluates calls from left to right. */
  sendGathered(): void {
    if (this.#calls.length === 0 && this.#rows.size === 0) return;
    const [text, parameters] = [this.#gatheredText(), this.#gathered];
    this.#dropGathered();
    this.#sql.executeAhead(text, parameters);
  }

  #dropGathered(): void {
    this.#calls = [];
    this.#rows = new Map();
    this.#inRows = 0;
    this.#gathered = [];
  }

  /** An INSERT in a WITH clause runs after the calls of its SELECT. */
  #gatheredText(): string {
    const inserts = [...this.#rows].map(
      ([into, rows]) => `insert into ${into} values ${rows.map((row) => `(${this.#placeholders(row)})`).join(', ')}`,
    );
    const main = this.#calls.length === 0 ? inserts.pop() : `select ${this.#calls.join(', ')}`;
    if (main === undefined) throw new Error('There is nothing to send.');
    const added = inserts.map((insert, index) => `added_${String(index)} as (${insert})`);
    return added.length === 0 ? main : `with ${added.join(', ')} ${main}`;
  }

  /** Takes values as parameters of the next statement. @returns their placeholders. */
  #placeholders(values: readonly unknown[]): string {
    return values.map((value) => `$${String(this.#gathered.push(value))}`).join(', ');
  }

  async now(): Promise<number> {
    const [row] = await this.#sql.query<{ now: string }>(
      'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now',
    );
    return Number(row?.now);
  }

  /** Waits for the statements sent ahead. @throws {SqlError} the first refusal of one. */
  async settled(): Promise<void> {
    await Promise.all(this.#ahead);
  }

  /** Adds work for the end of the transaction. */
  lastly(work: LastWork): void {
    this.#lastWork.push(work);
  }

  /**
   * Does the work for the end of the transaction, in the order in which it was added.
   *
   * @param waits of the transaction, for its commit.
   * @param report takes the failure of an attempt, unless it is a usual one.
   * @returns the steps for after the commit.
   */
  async finish(waits: Waits, report: (cause: unknown) => void): Promise<readonly Step[]> {
    const steps: Step[] = [];
    for (const work of this.#lastWork) {
      const step = await this.#tried(work, waits, report);
      if (step !== null) steps.push(step);
    }
    return steps;
  }

  async #tried(work: LastWork, waits: Waits, report: (cause: unknown) => void): Promise<Step | null> {
    this.#sql.executeAhead(`savepoint last_work; ${waitsAs(LAST_WORK)}`);
    const before = this.#ahead.length;
    try {
      const step = await work.attempt();
      // It follows everything that the attempt has sent, and is refused if any of that was.
      await this.#sql.execute(`release savepoint last_work; ${waitsAs(waits)}`);
      return step;
    } catch (error) {
      this.#dropGathered();
      this.#ahead.length = before;
      // Without a savepoint everything fails, for the reason of a statement before it.
      await this.settled();
      await this.#sql.execute('rollback to savepoint last_work');
      if (!isUsual(error)) report(error);
      await work.otherwise();
      return null;
    }
  }

  /** The announcements for after the commit. */
  announcements(): readonly { readonly channel: string; readonly payload: string }[] {
    return this.#announced;
  }

  close(): void {
    this.#open = false;
  }

  statements(): Sql {
    return this.#sql;
  }

  manager(): EntityManager {
    return (this.#entities ??= this.#makeManager());
  }
}

/** @throws {Error} if a fake was passed to a real adapter. */
export function transactionOf(tx: Tx): TypeormTx {
  if (tx instanceof TypeormTx) return tx;
  throw new Error('This Tx does not belong to a database: a fake was passed to a real adapter.');
}

/** How an adapter sends SQL by hand: through the transaction that its use case opened. */
export const sqlOf = (tx: Tx): Sql => transactionOf(tx).statements();

/** It cannot be done now, or would take longer than the transaction waits for it. */
const isUsual = (error: unknown): boolean =>
  error instanceof NotNow || isSqlError(error, '55P03') || isSqlError(error, '57014');

/** Adds work for the end of the transaction. It sees everything that the transaction wrote. */
export const lastly = (tx: Tx, work: LastWork): void => {
  transactionOf(tx).lastly(work);
};

/** As much of pg's connection as is used; it sends statements on without waiting for the answers to earlier ones. */
export type Connection = Pick<Client, 'query' | 'connection'>;

/** A connection of the pool, for as long as the runner is not released. */
export async function connectionOf(runner: QueryRunner): Promise<Connection> {
  // oxlint-disable-next-line countersign/no-cast-answer -- TypeORM leaves the type of the driver's connection out
  return (await runner.connect()) as Connection;
}

/**
 * Holds the connection's packets back until the end of this turn of the event loop. All its statements leave in one. An awaited
 * statement alone leaves at once: PostgreSQL works on it while the turn goes on.
 */
function cork({ connection: { stream } }: Connection): void {
  stream.cork();
  process.nextTick(() => {
    stream.uncork();
  });
}

type StatementResult = Pick<QueryResult<object>, 'rows' | 'rowCount' | 'command'>;

/** SQLSTATE read_only_sql_transaction. */
const READ_ONLY = '25006';

/** @throws {SqlError} */
export async function runStatement(
  connection: Connection,
  text: string,
  parameters: readonly unknown[],
  prepared: PreparedStatements,
): Promise<StatementResult> {
  // Only a text without parameters may hold several statements, which cannot be prepared.
  const name = parameters.length === 0 ? undefined : prepared.nameOf(text);
  try {
    return await connection.query({ text, values: [...parameters], ...(name === undefined ? {} : { name }) });
  } catch (error) {
    // The server of this connection writes no more: the pool's next connection goes to the one that does.
    if (errorCode(error) === READ_ONLY) drop(connection);
    throw asSqlError(error);
  }
}

/** PostgreSQL's error holds the row's values, TypeORM's the parameters; the returned error has neither. Other errors pass. */
function asSqlError(error: unknown): unknown {
  const refusal: unknown = error instanceof QueryFailedError ? error.driverError : error;
  const cause = postgresError.safeParse(refusal);
  if (!cause.success) return refusal;
  const { code, message, constraint, table } = cause.data;
  return new SqlError(code, withoutValues(code, message), constraint, table);
}

const postgresError = z.object({
  severity: z.string(),
  code: z.string().length(5),
  message: z.string(),
  constraint: z.string().optional(),
  table: z.string().optional(),
});

/** Of PostgreSQL's messages those of class 22, data exceptions, quote the value that was wrong. */
const withoutValues = (code: string, message: string): string =>
  code.startsWith('22') ? message.replaceAll(/"[^"]*"/g, '"..."') : message;
