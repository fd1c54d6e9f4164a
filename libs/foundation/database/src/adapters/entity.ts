import { EntitySchema, type EntitySchemaColumnOptions, type ValueTransformer } from 'typeorm';
import { z } from 'zod';
import { canonicalJson, type Json, ownMember } from '#lib/canonical';
import type { TenantId } from '#lib/kernel';
import { MalformedRecordError, parsedText, parsedValue } from '../application/record-malformed.js';

/** How a table stores one column. `T` is the type of its values in TypeScript. */
export interface ColumnOf<T> extends EntitySchemaColumnOptions {
  /** Never set: it carries `T`. */
  readonly holds?: T;
  /** The shape of a document. {@link entity} makes its transformer, which names table and column. */
  readonly schema?: z.ZodType;
}

type Columns = Readonly<Record<string, ColumnOf<unknown>>>;

type RowWith<C extends Columns> = { readonly [P in keyof C]: C[P] extends ColumnOf<infer T> ? T : never };

/** A row without its tenant: every row that a transaction reads or writes is its own tenant's. */
export type RowOf<E> = E extends Entity<infer Row> ? Row : never;

/** The column of each property, as SQL by hand names it: a property with another name is a compile error. */
export type ColumnNames<Row> = Readonly<Record<Extract<keyof Row, string>, string>>;

/** The columns of an entity, by their types in PostgreSQL. None is null unless {@link nullable} says so. `uuid` and `text` take the brand of an id. */
export const uuid = <T extends string = string>(): ColumnOf<T> => ({ type: 'uuid' });
export const text = <T extends string = string>(): ColumnOf<T> => ({ type: 'text' });
export const integer = (): ColumnOf<number> => ({ type: 'integer' });
export const smallint = (): ColumnOf<number> => ({ type: 'smallint' });
export const real = (): ColumnOf<number> => ({ type: 'real' });
export const double = (): ColumnOf<number> => ({ type: 'double precision' });

/** A `bigint` with values that a number holds exactly. The driver reads it as text. */
export const bigint = (): ColumnOf<number> => ({
  type: 'bigint',
  transformer: {
    from: (stored: string | null) => (stored === null ? null : Number(stored)),
    to: (value: number | null) => value,
  },
});

export const boolean = (): ColumnOf<boolean> => ({ type: 'boolean' });
export const bytes = (): ColumnOf<Uint8Array> => ({ type: 'bytea' });
export const texts = <T extends string = string>(): ColumnOf<readonly T[]> => ({ type: 'text', array: true });

/** A `timestamptz`, in epoch milliseconds. A row that is inserted without one gets the default of its column. */
export const moment = (): ColumnOf<number> => ({
  type: 'timestamptz',
  transformer: {
    from: (stored: Date | null) => stored?.getTime() ?? null,
    to: (value: number | null | undefined) => (value == null ? value : new Date(value)),
  },
});

/** A `jsonb`, parsed when it is read. A value of another shape fails with `record.malformed`. */
export const json = <T>(schema: z.ZodType<T>): ColumnOf<T> => ({ type: 'jsonb', schema });

/** A `text` with canonical JSON, parsed when it is read, as {@link json} is. */
export const jsonText = <T>(schema: z.ZodType<T>): ColumnOf<T> => ({ type: 'text', schema });

/** A column that may be null, and then is null in its row. */
export const nullable = <T>(column: ColumnOf<T>): ColumnOf<T | null> => ({ ...column, nullable: true });

/** Some columns of a table, for adapters with SQL by hand. It has the list for a SELECT, and the mapping of its rows. */
export class Selection<Row> {
  declare readonly holds?: Row;
  readonly #transformed: readonly (readonly [string, ValueTransformer])[];
  readonly #properties: readonly string[];
  /** The names of the columns. */
  readonly names: readonly string[];
  /** The table with the tenant's column and these, as `insert into` takes it. */
  readonly into: string;
  /** A property, and the way of its value into the column. */
  readonly #parameters: readonly (readonly [string, (value: unknown) => unknown])[];
  readonly #document: z.ZodType<Readonly<Record<string, unknown>>>;
  /**
   * V8 keeps the members of its copies in place. An object that gets a dozen by name becomes a dictionary, slow to copy and to read; one
   * that JSON.parse makes does not. Every member of it is null, so that its type is known.
   */
  readonly #empty: Readonly<Record<string, null>>;
  /** A property, its column, and the reader of its value in a document: undefined for a value of another type. */
  readonly #members: readonly (readonly [string, string, (value: unknown) => unknown])[];

  /** @param name the property that an error names a row by, if the row has no id. */
  constructor(
    private readonly table: string,
    private readonly name: string,
    columns: Readonly<Record<string, EntitySchemaColumnOptions | undefined>>,
  ) {
    this.#properties = Object.keys(columns);
    // oxlint-disable-next-line countersign/no-cast-answer -- the text is written here, and each of its values is null
    this.#empty = JSON.parse(
      JSON.stringify(Object.fromEntries(this.#properties.map((property) => [property, null]))),
    ) as Readonly<Record<string, null>>;
    this.#document = z.object(
      Object.fromEntries(Object.entries(columns).map(([property, column]) => [columnName(property), inJson(column)])),
    );
    this.names = this.#properties.map(columnName);
    this.into = `${table} (${['tenant_id', ...this.names].join(', ')})`;
    this.#parameters = Object.entries(columns).map(([property, column]) => [property, intoColumn(column)]);
    this.#members = Object.entries(columns).map(([property, column]) => [
      property,
      columnName(property),
      outOfJson(column),
    ]);
    this.#transformed = Object.entries(columns).flatMap(([property, column]) =>
      column?.transformer === undefined || Array.isArray(column.transformer)
        ? []
        : [[property, column.transformer] as const],
    );
  }

  /** The columns of `alias`, named like the properties. */
  columns(alias: string): string {
    return this.#properties.map((property) => `${alias}.${columnName(property)} as "${property}"`).join(', ');
  }

  /** The columns of `alias` as a `jsonb`, which {@link parse} reads. */
  document(alias: string): string {
    const members = this.#properties.map(columnName).map((column) => `'${column}', ${alias}.${column}`);
    return `jsonb_build_object(${members.join(', ')})`;
  }

  /** A row that {@link columns} selected. Other members stay as they are. */
  row<Stored extends object>(stored: Stored): Row & Stored {
    // The statement has selected each column, and the catalog confirms the type of each.
    return this.#transform({ ...stored } as Record<string, unknown>) as Row & Stored;
  }

  /** A row that a function returned as the `jsonb` of its columns. Other members are left out. @throws {MalformedRecordError} */
  parse(document: unknown): Row {
    // Each member was checked against the type of its column.
    return this.#transform(this.#plain(document) ?? this.#checked(document)) as Row;
  }

  /** Changes the values of a new row in place. */
  #transform(row: Record<string, unknown>): unknown {
    try {
      for (const [property, transformer] of this.#transformed)
        row[property] = transformer.from(row[property]) as unknown;
    } catch (error) {
      throw error instanceof MalformedRecordError ? error.inRow(row.id ?? row[this.name]) : error;
    }
    return row;
  }

  /** The members, or undefined if one is not of its column's type: {@link #checked} says which. A turn of a run reads five rows so. */
  #plain(document: unknown): Record<string, unknown> | undefined {
    if (typeof document !== 'object' || document === null) return undefined;
    // Any object may be read by name: an absent member is undefined.
    const stored = document as Readonly<Record<string, unknown>>;
    const row: Record<string, unknown> = { ...this.#empty };
    for (const [property, column, out] of this.#members) {
      const value = out(stored[column]);
      if (value === undefined) return undefined;
      row[property] = value;
    }
    return row;
  }

  #checked(document: unknown): Record<string, unknown> {
    const stored = parsedValue(this.#document, document, { table: this.table });
    return Object.fromEntries(this.#members.map(([property, column]) => [property, stored[column]]));
  }

  /** The row as parameters of an INSERT, in the order of {@link into}, which has the tenant's before them. */
  parametersOf(row: Row): unknown[] {
    // The compiler lets no row of an unknown type be read by name.
    const values = row as Readonly<Record<string, unknown>>;
    const parameters: unknown[] = [];
    for (const [property, into] of this.#parameters) parameters.push(into(values[property]));
    return parameters;
  }

  /** The row as a function takes it for `jsonb_populate_record`, which reads an absent member as null. */
  documentOf(row: Row): string {
    // The compiler lets no row of an unknown type be read by name.
    const values = row as Readonly<Record<string, unknown>>;
    const transformers = new Map(this.#transformed);
    return JSON.stringify(
      Object.fromEntries(
        this.#properties.map((property) => [
          columnName(property),
          (transformers.get(property)?.to(values[property]) ?? values[property] ?? undefined) as unknown,
        ]),
      ),
    );
  }
}

/** How a value becomes a parameter of an INSERT. The driver would send a list as an array of PostgreSQL, and not as JSON. */
function intoColumn(column: EntitySchemaColumnOptions | undefined): (value: unknown) => unknown {
  if (column?.type === 'jsonb') return (value) => (value == null ? null : JSON.stringify(value));
  const transformer = column?.transformer;
  if (transformer === undefined || Array.isArray(transformer)) return (value) => value ?? null;
  return (value) => transformer.to(value) as unknown;
}

/** How PostgreSQL writes a column into `jsonb`. Bytes have no place in such a document. */
function inJson(column: EntitySchemaColumnOptions | undefined): z.ZodType {
  const one = ownMember(JSON_TYPES, String(column?.type)) ?? z.never();
  const value = column?.array === true ? z.array(one) : one;
  return column?.nullable === true ? value.nullable() : value;
}

/** The same as {@link inJson} without a copy and without an error; undefined stands for a value that it refuses. */
function outOfJson(column: EntitySchemaColumnOptions | undefined): (value: unknown) => unknown {
  const one = ownMember(PLAIN_TYPES, String(column?.type)) ?? (() => undefined);
  const value = column?.array === true ? (list: unknown) => allOf(list, one) : one;
  return column?.nullable === true ? (stored) => (stored === null ? null : value(stored)) : value;
}

function allOf(list: unknown, one: (value: unknown) => unknown): readonly unknown[] | undefined {
  if (!Array.isArray(list)) return undefined;
  const values = list.map(one);
  return values.includes(undefined) ? undefined : values;
}

const PLAIN_TYPES: Readonly<Record<string, (value: unknown) => unknown>> = {
  uuid: (value) => (typeof value === 'string' ? value : undefined),
  text: (value) => (typeof value === 'string' ? value : undefined),
  smallint: (value) => (Number.isSafeInteger(value) ? value : undefined),
  integer: (value) => (Number.isSafeInteger(value) ? value : undefined),
  bigint: (value) => (Number.isSafeInteger(value) ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  timestamptz: (value) => (typeof value === 'string' ? new Date(value) : undefined),
  jsonb: (value) => value,
};

const JSON_TYPES: Readonly<Record<string, z.ZodType>> = {
  uuid: z.string(),
  text: z.string(),
  smallint: z.int(),
  integer: z.int(),
  bigint: z.int(),
  boolean: z.boolean(),
  timestamptz: z.string().transform((at) => new Date(at)),
  // The column's own schema parses it.
  jsonb: z.unknown(),
};

/**
 * The typed map of one table. Its columns give the type of a row; a test holds them equal to the catalog.
 * TypeORM reads and writes through it with `rowsOf(tx, entity)`. SQL by hand takes the columns of a row from a {@link Selection}
 * of it. It takes any other column by its property.
 */
export class Entity<Row> extends EntitySchema<Row & { readonly tenantId: TenantId }> {
  declare readonly holds?: Row;

  /** The properties of the primary key. The tenant is the first, unless the rows belong to the installation. */
  readonly key = Object.entries<EntitySchemaColumnOptions | undefined>(this.options.columns)
    .filter(([, column]) => column?.primary === true)
    .map(([property]) => property);

  /** The first property of the key beside the tenant: an error names a row by it. */
  readonly named = this.key.find((property) => property !== 'tenantId') ?? 'tenantId';

  /** The bare columns, without an alias. They go to the left side of a SET, and to the lists of INSERT and ON CONFLICT. */
  readonly column = this.#namesAfter('');

  /** The columns of `alias`: `runEntity.as('run').planId` is `run.plan_id`. */
  as(alias: string): ColumnNames<Row> {
    return this.#namesAfter(`${alias}.`);
  }

  #namesAfter(prefix: string): ColumnNames<Row> {
    const properties = Object.keys(this.options.columns);
    // The options have each property of the row.
    return Object.fromEntries(
      properties.map((property) => [property, prefix + columnName(property)]),
    ) as ColumnNames<Row>;
  }

  get #columns(): Readonly<Record<string, EntitySchemaColumnOptions>> {
    // TypeORM types each as optional, and those that are there are options.
    return this.options.columns as Readonly<Record<string, EntitySchemaColumnOptions>>;
  }

  /** Every column but the tenant's. */
  get all(): Selection<Row> {
    const { tenantId: _, ...columns } = this.#columns;
    return new Selection(this.options.name, this.named, columns);
  }

  /** Every column but the tenant's and these. */
  without<P extends keyof Row & string>(...properties: readonly P[]): Selection<Omit<Row, P>> {
    const { tenantId: _, ...columns } = this.#columns;
    const left = Object.entries(columns).filter(([property]) => !properties.some((one) => one === property));
    return new Selection(this.options.name, this.named, Object.fromEntries(left));
  }

  pick<P extends keyof Row & string>(...properties: readonly P[]): Selection<Pick<Row, P>> {
    return new Selection(
      this.options.name,
      this.named,
      Object.fromEntries(properties.map((property) => [property, this.#columns[property]])),
    );
  }
}

/** The snake_case name of a property's column: `sourceSha256` is stored as `source_sha256`. */
export const columnName = (property: string): string =>
  property.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** The entity of a table of tenants. Its primary key is the tenant and the columns of `key`, in this order. */
export const entity = <K extends Columns, C extends Columns>(
  table: string,
  key: K,
  columns: C,
): Entity<RowWith<K & C>> => mapped(table, { tenantId: { type: 'uuid', primary: true } }, key, columns);

/** The entity of a table without a tenant, as its comment in the migration says. Its primary key is the columns of `key`. */
export const globalEntity = <K extends Columns, C extends Columns>(
  table: string,
  key: K,
  columns: C,
): Entity<RowWith<K & C>> => mapped(table, {}, key, columns);

function mapped<K extends Columns, C extends Columns>(
  table: string,
  owner: Columns,
  key: K,
  columns: C,
): Entity<RowWith<K & C>> {
  const keyed = Object.entries(key).map(([property, column]) => [property, { ...column, primary: true }] as const);
  const read = Object.entries(columns).map(
    ([property, column]) => [property, parsed(table, property, column)] as const,
  );
  const all = { ...owner, ...Object.fromEntries<ColumnOf<unknown>>([...keyed, ...read]) };
  // The cast: the compiler cannot see that the names of the columns are those of the row.
  return new Entity<RowWith<K & C>>({ name: table, columns: all as Entity<RowWith<K & C>>['options']['columns'] });
}

/** The column with a transformer that reads by its schema, if it has one. */
function parsed(table: string, property: string, { schema, ...column }: ColumnOf<unknown>): ColumnOf<unknown> {
  if (schema === undefined) return column;
  const at = { table, column: columnName(property) };
  const transformer: ValueTransformer =
    column.type === 'jsonb'
      ? {
          from: (stored: unknown) => (stored === null ? null : parsedValue(schema, stored, at)),
          to: (value: unknown) => value,
        }
      : {
          from: (stored: string | null) => (stored === null ? null : parsedText(schema, stored, at)),
          to: (value: Json | null) => (value === null ? null : canonicalJson(value)),
        };
  return { ...column, transformer };
}
