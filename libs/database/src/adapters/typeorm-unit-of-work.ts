import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { TenantId, Tx, UnitOfWork } from '#lib/kernel';

import { asSqlError, isSqlError, runStatement, TypeormTx } from './sql.js';

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
}

export const DEFAULT_LIMITS: TransactionLimits = { statementMs: 15_000, lockMs: 5_000, idleMs: 30_000 };

/** Transactions of one tenant each, over TypeORM. The tenant is set inside the transaction and ends with it. */
export class TypeormUnitOfWork implements UnitOfWork {
  constructor(
    private readonly dataSource: DataSource,
    private readonly limits: TransactionLimits = DEFAULT_LIMITS,
  ) {}

  async run<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 0; ; attempt += 1) {
      try {
        return await this.once(tenantId, work);
      } catch (error) {
        const again = isSqlError(error, '40001') || isSqlError(error, '40P01');
        if (!again || attempt === RETRIES) throw error;
        // Those who collided once would collide again if they came back at the same moment.
        await delay(Math.random() * RETRY_SPREAD_MS * (attempt + 1));
      }
    }
  }

  private async once<T>(tenantId: TenantId, work: (tx: Tx) => Promise<T>): Promise<T> {
    try {
      return await this.dataSource.transaction(async ({ queryRunner }) => {
        if (queryRunner === undefined) throw new Error('TypeORM opened a transaction without a connection.');
        await runStatement(queryRunner, beginAs, [
          tenantId,
          String(this.limits.statementMs),
          String(this.limits.lockMs),
          String(this.limits.idleMs),
        ]);
        const tx = new TypeormTx(tenantId, queryRunner);
        try {
          return await work(tx);
        } finally {
          tx.close();
        }
      });
    } catch (error) {
      throw asSqlError(error); // COMMIT itself can be refused: a deferred constraint, a serialization failure
    }
  }
}

// Every setting is local to the transaction (the third argument): nothing survives on a connection that is used again.
const beginAs = `select set_config('app.tenant_id', $1, true), set_config('statement_timeout', $2, true),
  set_config('lock_timeout', $3, true), set_config('idle_in_transaction_session_timeout', $4, true)`;
