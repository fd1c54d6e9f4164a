import type { Client } from 'pg';
import { errorCode, FailureError, fail, type Failure } from '#lib/kernel';
import { endOf, firstId, monthOf, startOf, type Month } from '../domain/months-between.js';
import { auditLeafEntity } from './audit.entity.js';

const LEAF = auditLeafEntity.as('leaf');

/** A month of the log that has a table, and whether that is a part of the log now. */
export interface KeptMonth {
  readonly month: Month;
  readonly attached: boolean;
}

const MONTH = /^20\d\d-(0[1-9]|1[0-2])$/;

/**
 * The months of the audit log, for the operator. Each is a table that can be taken out of the log, moved, and brought
 * back. Its leaves stay in the tree.
 */
export class SqlAuditMonths {
  /** @param client as countersign_owner. */
  constructor(private readonly client: Pick<Client, 'query'>) {}

  async list(): Promise<readonly KeptMonth[]> {
    const { rows } = await this.client.query<{ name: string; attached: boolean }>(
      `select relname as name, exists (
                select from pg_inherits where inhrelid = part.oid and inhparent = 'audit_entry'::regclass) as attached
         from pg_class part
        where relnamespace = 'public'::regnamespace and relkind = 'r' and relname ~ '^audit_entry_\\d{4}_\\d{2}$'
        order by relname desc`,
    );
    return rows.map(({ name, attached }) => ({ month: name.slice(-7).replace('_', '-'), attached }));
  }

  /**
   * Takes a month out of the log. Every entry of it has its leaf, so that nothing of the tree depends on it.
   *
   * @throws {FailureError} `audit.wrong_month`, `audit.no_month`, `audit.month_open`, `audit.month_unsigned`, `audit.month_busy`.
   */
  async detach(month: Month): Promise<void> {
    const table = await this.#table(month, true);
    const { rows } = await this.client.query<{ now: Date }>('select clock_timestamp() as now');
    if (month >= monthOf(rows[0]?.now.getTime() ?? 0)) fail(monthOpen(month));
    await this.#change(async () => {
      await this.client.query(`lock table ${table} in share mode`);
      const unsigned = await this.client.query(
        `select from ${table} entry where not exists (
           select from audit_leaf leaf where leaf.tenant_id = entry.tenant_id and ${LEAF.entryId} = entry.id) limit 1`,
      );
      if (unsigned.rowCount !== 0) fail(monthUnsigned(month));
      await this.client.query(`alter table audit_entry detach partition ${table}`);
    }, month);
  }

  /**
   * Brings a month back.
   *
   * @throws {FailureError} `audit.wrong_month`, `audit.no_month`, `audit.month_taken`, `audit.month_busy`.
   */
  async attach(month: Month): Promise<void> {
    const table = await this.#table(month, false);
    const [low, high] = [firstId(startOf(month)), firstId(endOf(month))];
    await this.#change(
      () =>
        this.client.query(
          `alter table audit_entry attach partition ${table} for values from ('${low}') to ('${high}')`,
        ),
      month,
    );
  }

  async #table(month: Month, attached: boolean): Promise<string> {
    if (!MONTH.test(month)) fail(wrongMonth);
    const found = (await this.list()).find((each) => each.month === month);
    if (found?.attached !== attached) fail(noMonth(month, attached));
    return `audit_entry_${month.replace('-', '_')}`;
  }

  async #change(work: () => Promise<unknown>, month: Month): Promise<void> {
    try {
      await this.client.query('begin');
      // Others wait behind this one, so it gives up soon.
      await this.client.query(`set local lock_timeout = '5s'`);
      await work();
      await this.client.query('commit');
    } catch (error) {
      await this.client.query('rollback');
      const failure = explained(errorCode(error), month);
      throw failure === null ? error : new FailureError(failure, { cause: error });
    }
  }
}

function explained(code: string | undefined, month: Month): Failure | null {
  switch (code) {
    case '55P03':
      return {
        kind: 'conflict',
        code: 'audit.month_busy',
        message: 'A transaction uses the audit log and did not end within five seconds.',
        action: 'Try again.',
      };
    case '23514':
      return {
        kind: 'conflict',
        code: 'audit.month_taken',
        message: `The table of ${month} has rows of another month, or the default partition has rows of ${month}.`,
        action: 'Move those rows first, as countersign_owner.',
      };
    default:
      return null;
  }
}

const wrongMonth: Failure = {
  kind: 'invalid',
  code: 'audit.wrong_month',
  message: 'A month is written as 2026-01.',
  action: '`countersign months list` shows those of the log.',
};

const noMonth = (month: Month, attached: boolean): Failure => ({
  kind: 'not_found',
  code: 'audit.no_month',
  message: `The log has no ${attached ? 'attached' : 'detached'} month ${month}.`,
  action:
    '`countersign months list` shows those of the log. A table that was moved away has to be back under its name.',
});

const monthOpen = (month: Month): Failure => ({
  kind: 'conflict',
  code: 'audit.month_open',
  message: `${month} is not over.`,
  action: 'Detach months that are over.',
});

const monthUnsigned = (month: Month): Failure => ({
  kind: 'conflict',
  code: 'audit.month_unsigned',
  message: `Entries of ${month} are not in the Merkle tree yet.`,
  action: 'See that a worker runs, and try again in a moment.',
});
