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
  /** The columns that are read, if not all. */
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

/** The rows of one table, of the transaction's tenant alone: every statement names the tenant, beside row-level security. */
export class TenantTable<Row extends object> {
  constructor(
    private readonly manager: EntityManager,
    private readonly tenantId: TenantId,
    private readonly entity: Entity<Row>,
  ) {}

  /** @throws {SqlError} as every method here. */
  async find<P extends Property<Row> = Property<Row>>(
    where: Where<Row> = {},
    { only, order, limit, lock }: FindOptions<Row, P> = {},
  ): Promise<Pick<Row, P>[]> {
    const rows = await this.manager
      .find<Owned<Row>>(this.entity, {
        where: this.#own(where),
        ...(only === undefined ? {} : { select: selected<Row>(only) }),
        ...(order === undefined ? {} : { order: order as FindOptionsOrder<Owned<Row>> }),
        ...(limit === undefined ? {} : { take: limit }),
        ...(lock === undefined ? {} : { lock: { mode: LOCKS[lock] } }),
      })
      .catch((error: unknown) => {
        throw error instanceof MalformedRecordError && 'id' in where ? error.inRow(where.id) : error;
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
    const conflict = ['tenant_id', ...unique.map(columnName)];
    const inserted = await this.#insertion([row])
      .orUpdate(changes.map(columnName), conflict)
      .returning(['tenantId'])
      .execute();
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
    return { ...where, tenantId: this.tenantId } as Where<Owned<Row>>;
  }

  #insertion(rows: readonly Written<Row>[]) {
    const own = rows.map((row) => ({ ...row, tenantId: this.tenantId }));
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

const selected = <Row>(properties: readonly Property<Row>[]): FindOptionsSelect<Owned<Row>> =>
  Object.fromEntries(properties.map((property) => [property, true])) as FindOptionsSelect<Owned<Row>>;

/** The entity manager of the transaction, for statements that {@link TenantTable} has no word for. */
export const managerOf = (tx: Tx): EntityManager => transactionOf(tx).manager();

/** How an adapter reads and writes one table plainly: the compiler knows its columns. */
export const rowsOf = <Row extends object>(tx: Tx, entity: Entity<Row>): TenantTable<Row> =>
  new TenantTable(managerOf(tx), tx.tenantId, entity);
