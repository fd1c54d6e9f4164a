import { QueryFailedError, type QueryRunner } from 'typeorm';
import { z } from 'zod';
import type { TenantId, Tx } from '#lib/kernel';

/** Plain parameterised SQL inside one transaction. */
export interface Sql {
  /** The rows of a SELECT, or of whatever RETURNING returns. @throws {SqlError} */
  // The caller names the columns it selects; nothing here could infer them.

  query<Row>(text: string, parameters?: readonly unknown[]): Promise<Row[]>;
  /** How many rows the statement changed. @throws {SqlError} */
  execute(text: string, parameters?: readonly unknown[]): Promise<number>;
}

/**
 * PostgreSQL refused a statement. Carries the SQLSTATE and the names of what refused, never the statement's parameters
 * or the row's values, which may be secret.
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

/** Whether `error` is a refusal with this SQLSTATE, and by this constraint where one is named. */
export function isSqlError(error: unknown, code: string, constraint?: string): error is SqlError {
  return (
    error instanceof SqlError && error.code === code && (constraint === undefined || error.constraint === constraint)
  );
}

/** The only implementation of {@link Tx} over a database; closed when its transaction ends. */
export class TypeormTx implements Tx {
  /** Whether the last statement was refused: then PostgreSQL commits nothing, unless a savepoint is gone back to. */
  failed = false;
  private open = true;
  private readonly sql: Sql;

  constructor(
    readonly tenantId: TenantId,
    runner: QueryRunner,
  ) {
    const run = async (text: string, parameters: readonly unknown[]): Promise<StatementResult> => {
      if (!this.open) throw new Error('This transaction has ended: its Tx was kept beyond the unit of work.');
      try {
        const result = await runStatement(runner, text, parameters);
        this.failed = false;
        return result;
      } catch (error) {
        this.failed = true;
        throw error;
      }
    };
    this.sql = {
      query: async <Row>(text: string, parameters: readonly unknown[] = []) =>
        (await run(text, parameters)).records as Row[],
      execute: async (text, parameters = []) => (await run(text, parameters)).affected ?? 0,
    };
  }

  async now(): Promise<number> {
    const [row] = await this.sql.query<{ now: string }>(
      'select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now',
    );
    return Number(row?.now);
  }

  close(): void {
    this.open = false;
  }

  statements(): Sql {
    return this.sql;
  }
}

/** How an adapter reaches the database: through the transaction that its use case opened. */
export function sqlOf(tx: Tx): Sql {
  if (!(tx instanceof TypeormTx))
    throw new Error('This Tx does not belong to a database: a fake was passed to a real adapter.');
  return tx.statements();
}

interface StatementResult {
  readonly records: unknown[];
  readonly affected?: number;
}

/** @throws {SqlError} */
export async function runStatement(
  runner: QueryRunner,
  text: string,
  parameters?: readonly unknown[],
): Promise<StatementResult> {
  try {
    return await runner.query(text, parameters === undefined ? undefined : [...parameters], true);
  } catch (error) {
    throw asSqlError(error);
  }
}

/** TypeORM's error holds the parameters; what leaves here does not. Other errors pass. */
export function asSqlError(error: unknown): unknown {
  if (!(error instanceof QueryFailedError)) return error;
  const cause = postgresError.safeParse(error.driverError);
  if (!cause.success) return error.driverError;
  const { code, message, constraint, table } = cause.data;
  return new SqlError(code, withoutValues(code, message), constraint, table);
}

const postgresError = z.object({
  code: z.string().length(5),
  message: z.string(),
  constraint: z.string().optional(),
  table: z.string().optional(),
});

/** Of PostgreSQL's messages those of class 22, data exceptions, quote the value that was wrong. */
const withoutValues = (code: string, message: string): string =>
  code.startsWith('22') ? message.replaceAll(/"[^"]*"/g, '"..."') : message;
