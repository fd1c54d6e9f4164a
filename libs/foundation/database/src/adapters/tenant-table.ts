import type { EntityManager, FindOptionsOrder, FindOptionsSelect, FindOptionsWhere } from 'typeorm';
import type { TenantId, Tx } from '#lib/kernel';

import { MalformedRecordError } from '../application/record-malformed.js';
import { columnName, type Entity } from './entity.js';
import { transactionOf } from './sql.js';

/** Conditions on properties, all of which hold. For null, say `IsNull()`. */
export type Where<Row> = FindOptionsWhere<Row>;

/** The database's clock at the statement, for a time that is written. */
export const DATABASE_CLOCK = () => 'clock_timestamp()';

/** A row as it is written: a time may be {@link DATABASE_CLOCK}. */
export type Written<Row> = {
  readonly [P in keyof Row]: number extends Row[P] ? Row[P] | typeof DATABASE_CLOCK : Row[P];
};

export interface FindOptions<Row, P extends Property<Row>> {
  /** The columns that are read beside the key, if not all. */
  readonly only?: readonly P[];
  readonly order?: FindOptionsOrder<Row>;
  readonly limit?: number;
  /** Which lock the rows are read under; another transaction's lock is waited for. */
  readonly lock?: 'update' | 'no key update' | 'share';
}

const LOCKS = {
  update: 'pessimistic_write',
  'no key update': 'for_no_key_update',
  share: 'pessimistic_read',
} as const;

/**
 * The rows of one table, of the transaction's tenant alone: every statement names the tenant, beside row-level security. Of a table without
 * a tenant it is every row.
 */
export class TenantTable<Row extends object> {
  readonly #owner: { readonly tenantId?: TenantId };

  constructor(
    private readonly manager: EntityManager,
    tenantId: TenantId,
    private readonly entity: Entity<Row>,
  ) {
    this.#owner = entity.key[0] === 'tenantId' ? { tenantId } : {};
  }

  /** @throws {SqlError} as every method here. */
  async find<P extends Property<Row> = Property<Row>>(
    where: Where<Row> = {},
    { only, order, limit, lock }: FindOptions<Row, P> = {},
  ): Promise<Pick<Row, P>[]> {
    const rows = await this.manager
      .find<Owned<Row>>(this.entity, {
        where: this.#own(where),
        ...(only === undefined ? {} : { select: this.#selected(only) }),
        // Its properties are those of the row.
        ...(order === undefined ? {} : { order: order as FindOptionsOrder<Owned<Row>> }),
        ...(limit === undefined ? {} : { take: limit }),
        ...(lock === undefined ? {} : { lock: { mode: LOCKS[lock] } }),
      })
      .catch((error: unknown) => {
        throw error instanceof MalformedRecordError ? error.inRow(this.#nameIn(where)) : error;
      });
    // TypeORM reads the whole key, and the holder of the transaction knows the tenant. The cast: the compiler cannot see
    // that a row without the member which `Owned` adds is the row.
    return rows.map(({ tenantId: _, ...row }) => row as unknown as Row);
  }

  async findOne<P extends Property<Row> = Property<Row>>(
    where: Where<Row>,
    options: FindOptions<Row, P> = {},
  ): Promise<Pick<Row, P> | null> {
    const [row] = await this.find(where, options);
    return row ?? null;
  }

  count(where: Where<Row> = {}): Promise<number> {
    return this.manager.countBy<Owned<Row>>(this.entity, this.#own(where));
  }

  /** Inserts one row, or several in one statement. Members that the entity has not are ignored. */
  async insert(rows: Written<Row> | readonly Written<Row>[]): Promise<void> {
    await this.#insertion(rows instanceof Array ? rows : [rows]).execute();
  }

  /** @returns false if a row with the same values of `unique` is there. */
  async insertUnless(unique: readonly Property<Row>[], row: Written<Row>): Promise<boolean> {
    return this.insertOrUpdate(unique, [], row);
  }

  /** Inserts the row, or sets `changes` in the row with the same values of `unique`. */
  async insertOrUpdate(
    unique: readonly Property<Row>[],
    changes: readonly Property<Row>[],
    row: Written<Row>,
  ): Promise<boolean> {
    const conflict = [...Object.keys(this.#owner), ...unique];
    const inserted = await this.#insertion([row])
      .orUpdate(changes.map(columnName), conflict.map(columnName))
      .returning(conflict)
      .execute();
    // TypeORM gives the rows of RETURNING here, and types them as any.
    return (inserted.raw as unknown[]).length === 1;
  }

  /** @returns how many rows were changed. */
  async update(where: Where<Row>, changes: Partial<Written<Row>>): Promise<number> {
    // TypeORM's type of a part cannot be resolved while the row is a type parameter.
    const { affected } = await this.manager.update(this.entity, this.#own(where), changes as never);
    return affected ?? 0;
  }

  /** @returns how many rows were deleted. */
  async delete(where: Where<Row>): Promise<number> {
    const { affected } = await this.manager.delete(this.entity, this.#own(where));
    return affected ?? 0;
  }

  #own(where: Where<Row>): Where<Owned<Row>> {
    // The compiler does not spread a condition on rows of an unknown type.
    return { ...where, ...this.#owner } as Where<Owned<Row>>;
  }

  /** With the key. TypeORM merges rows that are alike in the selected part of it, and drops a row of nulls alone. */
  #selected(only: readonly string[]): FindOptionsSelect<Owned<Row>> {
    const properties = [...this.entity.key, ...only];
    // The properties are those of the row, and of its key.
    return Object.fromEntries(properties.map((property) => [property, true])) as FindOptionsSelect<Owned<Row>>;
  }

  /** The id of the row, or the first part of its key, if the condition says it. */
  #nameIn(where: Where<Row>): unknown {
    const said: Readonly<Record<string, unknown>> = where;
    return said.id ?? said[this.entity.named];
  }

  #insertion(rows: readonly Written<Row>[]) {
    const own = rows.map((row) => ({ ...row, ...this.#owner }));
    // As in `update`, the type cannot be resolved here.
    return this.manager
      .createQueryBuilder()
      .insert()
      .into(this.entity)
      .values(own as never)
      .updateEntity(false);
  }
}

type Owned<Row> = Row & { readonly tenantId: TenantId };

type Property<Row> = Extract<keyof Row, string>;

/** The entity manager of the transaction, for statements that {@link TenantTable} has no word for. */
export const managerOf = (tx: Tx): EntityManager => transactionOf(tx).manager();

/** How an adapter reads and writes one table plainly: the compiler knows its columns. */
export const rowsOf = <Row extends object>(tx: Tx, entity: Entity<Row>): TenantTable<Row> =>
  new TenantTable(managerOf(tx), tx.tenantId, entity);
