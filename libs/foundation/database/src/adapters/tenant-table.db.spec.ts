import { In, IsNull, LessThan, MoreThan, Or, type DataSource } from 'typeorm';
import { z } from 'zod';
import { newId, type TenantId, type Tx } from '#lib/kernel';
import { somebodyWaits, testDatabase, type TestDatabase } from '../../../../../test/support/database.js';
import {
  bigint,
  boolean,
  bytes,
  entity,
  globalEntity,
  integer,
  json,
  moment,
  nullable,
  text,
  texts,
  uuid,
} from './entity.js';
import { openDataSource } from './open-data-source.js';
import { isSqlError, sqlOf } from './sql.js';
import { DATABASE_CLOCK, managerOf, rowsOf, type TenantTable } from './tenant-table.js';
import { TypeormUnitOfWork } from './typeorm-unit-of-work.js';

/** One column of each kind. */
const sampleEntity = entity(
  'sample',
  { id: uuid() },
  {
    name: text(),
    size: integer(),
    counter: nullable(bigint()),
    open: boolean(),
    sealed: bytes(),
    wordsNamed: texts(),
    document: json(z.strictObject({ a: z.number() })),
    createdAt: moment(),
    endedAt: nullable(moment()),
  },
);
type Row = NonNullable<typeof sampleEntity.holds>;

const pairEntity = entity('pair', { one: text(), two: text() }, {});
const pair = (one: string, two: string) => ({ one, two });
const globalSampleEntity = globalEntity('global_sample', { code: text() }, { document: json(z.array(z.string())) });
type GlobalRow = NonNullable<typeof globalSampleEntity.holds>;

describe('the rows of a table', () => {
  let db: TestDatabase;
  let dataSource: DataSource;
  let uow: TypeormUnitOfWork;
  const [home, other] = [newId<TenantId>(), newId<TenantId>()];

  beforeAll(async () => {
    db = await testDatabase();
    await db.owner.query(`
      create table sample (
        tenant_id uuid not null, id uuid not null, name text not null, size integer not null, counter bigint, open boolean not null,
        sealed bytea not null, words_named text[] not null, document jsonb not null, created_at timestamptz not null,
        ended_at timestamptz, primary key (tenant_id, id), constraint sample_name_key unique (tenant_id, name));
      create table pair (tenant_id uuid, one text, two text, primary key (tenant_id, one, two));
      create table global_sample (code text primary key, document jsonb not null);
      grant select, insert, update, delete on sample, pair, global_sample to countersign_app`);
    dataSource = await openDataSource({
      url: db.url,
      poolSize: 3,
      applicationName: 'rows-test',
      entities: [sampleEntity, pairEntity, globalSampleEntity],
    });
    uow = new TypeormUnitOfWork(dataSource);
  });
  afterAll(async () => {
    await dataSource.destroy();
    await db.close();
  });
  beforeEach(() => db.owner.query('delete from sample'));

  const sample = (name: string, changes: Partial<Row> = {}): Row => ({
    id: newId(),
    name,
    size: 3,
    counter: 5_000_000_000,
    open: true,
    sealed: Buffer.from('sealed'),
    wordsNamed: ['one', 'two, "three"'],
    document: { a: 1 },
    createdAt: Date.UTC(2026, 0, 5),
    endedAt: null,
    ...changes,
  });
  const at = <T>(tenantId: TenantId, work: (rows: TenantTable<Row>, tx: Tx) => Promise<T>): Promise<T> =>
    uow.run(tenantId, (tx) => work(rowsOf(tx, sampleEntity), tx));
  const inserted = async (...rows: readonly Row[]): Promise<readonly Row[]> => {
    await at(home, (table) => table.insert(rows));
    return rows;
  };

  it('reads back its own rows, with every kind of column', async () => {
    const [row] = await inserted(sample('whole', { endedAt: 1_000 }));
    expect(await at(home, (table) => table.find())).toEqual([row]);
  });

  it('reads and writes rows as documents, for functions', async () => {
    const columns = sampleEntity.pick(
      'id',
      'name',
      'size',
      'counter',
      'open',
      'wordsNamed',
      'document',
      'createdAt',
      'endedAt',
    );
    const [row = sample('')] = await inserted(sample('whole', { createdAt: 1_234, endedAt: null }));
    const { sealed: _, ...expected } = row;
    const [stored, again] = await at(home, async (_table, tx) => {
      const read = (text: string, parameters: readonly unknown[]) =>
        sqlOf(tx).query<{ row: unknown }>(text, parameters);
      return [
        ...(await read(`select ${columns.document('sample')} as row from sample`, [])),
        ...(await read('select to_jsonb(r) as row from jsonb_populate_record(null::sample, $1) r', [
          columns.documentOf(expected),
        ])),
      ];
    });
    expect(columns.parse(stored?.row)).toEqual(expected);
    expect(columns.parse(again?.row)).toEqual(expected);
    const whole = Object(stored?.row) as object;
    for (const wrong of [
      { size: 'three' },
      { size: null },
      { counter: 2 ** 53 },
      { name: 4 },
      { open: 'yes' },
      { words_named: ['one', 2] },
      { created_at: 5 },
    ]) {
      expect(() => columns.parse({ ...whole, ...wrong })).toThrow(Object.keys(wrong)[0]);
    }
    expect(() => sampleEntity.all.parse({ ...whole, sealed: '' })).toThrow('sealed');
  });

  it('reads and changes its own tenant alone, without row-level security too', async () => {
    const [row = sample('')] = await inserted(sample('mine'));
    await at(other, async (table) => {
      expect(await table.find()).toEqual([]);
      expect(await table.findOne({ id: row.id })).toBeNull();
      expect(await table.update({ id: row.id }, { size: 9 })).toBe(0);
      expect(await table.delete({ id: row.id })).toBe(0);
      await table.insert({ ...row, size: 5 });
      expect(await table.insertUnless(['name'], { ...row, id: newId() })).toBe(false);
    });
    expect(await at(home, (table) => table.find())).toEqual([row]);
  });

  it('takes the tenant from the transaction, never from a condition or a row', async () => {
    const [row = sample('')] = await inserted(sample('mine'));
    const foreign: object = { tenantId: home };
    await at(other, async (table) => {
      expect(await table.find({ ...foreign })).toEqual([]);
      await table.insert({ ...row, ...foreign });
    });
    const { rows } = await db.owner.query<{ tenant_id: string }>('select tenant_id from sample order by tenant_id');
    expect(rows.map((kept) => kept.tenant_id)).toEqual([home, other].sort());
  });

  it('finds by values, operators, times and nulls, in order and up to a limit', async () => {
    const early = sample('a', { createdAt: 1_000 });
    const late = sample('b', { createdAt: 2_000, endedAt: 3_000, counter: null });
    await inserted(late, early);
    await at(home, async (table) => {
      expect(await table.find({}, { order: { name: 'asc' } })).toEqual([early, late]);
      expect(await table.find({}, { order: { name: 'desc' }, limit: 1 })).toEqual([late]);
      expect(await table.find({ createdAt: 1_000 })).toEqual([early]);
      expect(await table.find({ createdAt: MoreThan(1_000) })).toEqual([late]);
      expect(await table.find({ name: In(['a', 'c']) })).toEqual([early]);
      expect(await table.find({ endedAt: IsNull() })).toEqual([early]);
      expect(await table.update({ counter: Or(IsNull(), LessThan(9)) }, { size: 4 })).toBe(1);
      expect(await table.delete({ endedAt: IsNull(), createdAt: LessThan(2_000) })).toBe(1);
    });
  });

  it('counts its own rows', async () => {
    await inserted(sample('a'), sample('b', { size: 4 }));
    expect(await at(home, (table) => table.count())).toBe(2);
    expect(await at(home, (table) => table.count({ size: 4 }))).toBe(1);
    expect(await at(other, (table) => table.count())).toBe(0);
  });

  it('reads and writes a table without a tenant from every tenant, and names an unreadable row by its key', async () => {
    const rows = <T>(tenantId: TenantId, work: (table: TenantTable<GlobalRow>) => Promise<T>): Promise<T> =>
      uow.run(tenantId, (tx) => work(rowsOf(tx, globalSampleEntity)));
    const row = { code: 'a', document: ['one'] };
    expect(await rows(home, (table) => table.insertUnless(['code'], row))).toBe(true);
    expect(await rows(other, (table) => table.insertUnless(['code'], row))).toBe(false);
    expect(await rows(other, (table) => table.find())).toEqual([row]);
    await db.owner.query(`update global_sample set document = '{}'`);
    await expect(rows(home, (table) => table.findOne({ code: 'a' }))).rejects.toMatchObject({
      failure: { details: { table: 'global_sample', column: 'document', id: 'a' } },
    });
  });

  it('sets the given columns of the matching rows, and counts the rows', async () => {
    const [row = sample('')] = await inserted(sample('a'), sample('b'));
    expect(await at(home, (table) => table.update({ name: 'a' }, { endedAt: 7, document: { a: 2 } }))).toBe(1);
    expect(await at(home, (table) => table.findOne({ name: 'a' }))).toEqual({
      ...row,
      endedAt: 7,
      document: { a: 2 },
    });
    expect(await at(home, (table) => table.delete({ size: 3 }))).toBe(2);
  });

  it('inserts unless, and inserts or updates only the given columns', async () => {
    const [row = sample('')] = await inserted(sample('a'));
    expect(await at(home, (table) => table.insertUnless(['name'], sample('a', { size: 9 })))).toBe(false);
    expect(await at(home, (table) => table.insertUnless(['name'], sample('b')))).toBe(true);
    await at(home, (table) => table.insertOrUpdate(['name'], ['size'], sample('a', { size: 9, open: false })));
    expect(await at(home, (table) => table.findOne({ name: 'a' }))).toEqual({ ...row, size: 9 });
    // Another unique key that is taken is no answer, but an error.
    await expect(at(home, (table) => table.insertUnless(['name'], { ...row, name: 'c' }))).rejects.toMatchObject({
      code: '23505',
    });
  });

  it('writes the time of the database, in the statement that needs it', async () => {
    const [row = sample('')] = await inserted(sample('a'));
    const [before, after] = await at(home, async (table, tx) => {
      const now = await tx.now();
      await table.insert({ ...sample('b'), createdAt: DATABASE_CLOCK });
      await table.insertOrUpdate(['name'], ['endedAt'], { ...sample('b'), endedAt: DATABASE_CLOCK });
      await table.update({ id: row.id }, { endedAt: DATABASE_CLOCK });
      return [now, await tx.now()];
    });
    const [first, second] = await at(home, (table) => table.find({}, { order: { name: 'asc' } }));
    const times = [before, second?.createdAt, second?.endedAt, first?.endedAt, after].map(Number);
    expect(times).toEqual([...times].sort((one, other) => one - other));
  });

  it('reads the given columns and the key alone', async () => {
    const [{ id } = sample('')] = await inserted(sample('a'), sample('b', { size: 4 }));
    await db.owner.query(`update sample set document = '{"b": 1}'`);
    expect(await at(home, (table) => table.find({ size: 3 }, { only: ['name'] }))).toEqual([{ id, name: 'a' }]);
    expect(await at(home, (table) => table.findOne({ name: 'a' }, { only: ['size'] }))).toEqual({ id, size: 3 });
  });

  it('finds a row whose given columns are all null', async () => {
    await inserted(sample('a'), sample('b', { endedAt: 7 }));
    const found = await at(home, (table) => table.find({}, { only: ['endedAt'], order: { name: 'asc' } }));
    expect(found.map(({ endedAt }) => endedAt)).toEqual([null, 7]);
  });

  it('tells rows apart that are alike in the given part of their key', async () => {
    const rows = [pair('1', '1'), pair('1', '2')];
    await uow.run(home, (tx) => rowsOf(tx, pairEntity).insert(rows));
    const found = await uow.run(home, (tx) => rowsOf(tx, pairEntity).find({}, { only: ['one'] }));
    expect(found.map(({ one }) => one)).toEqual(['1', '1']);
  });

  it('locks the rows it finds', async () => {
    const [row = sample('')] = await inserted(sample('a'));
    await at(home, async (table) => {
      await table.findOne({ id: row.id }, { lock: 'update' });
      const waiting = at(home, (behind) => behind.findOne({ id: row.id }, { lock: 'share' }));
      await somebodyWaits(db.owner);
      await table.update({ id: row.id }, { size: 4 });
      return { waiting };
    }).then(async ({ waiting }) => {
      expect(await waiting).toMatchObject({ size: 4 });
    });
  });

  it('shares its transaction with SQL by hand, in the order sent, without waiting between', async () => {
    const [row = sample('')] = await inserted(sample('a'));
    await at(home, async (table, tx) => {
      sqlOf(tx).executeAhead('update sample set size = 8 where tenant_id = $1', [home]);
      const [found, [raw]] = await Promise.all([
        table.findOne({ id: row.id }),
        sqlOf(tx).query(`select ${sampleEntity.pick('createdAt').columns('s')} from sample s where tenant_id = $1`, [
          home,
        ]),
        managerOf(tx).countBy(sampleEntity, { tenantId: home }),
      ]);
      expect(found).toEqual({ ...row, size: 8 });
      expect(sampleEntity.pick('createdAt').row(raw as object)).toEqual({ createdAt: row.createdAt });
    });
  });

  it('rolls back if the work throws', async () => {
    const run = at(home, async (table) => {
      await table.insert(sample('a'));
      throw new Error('thrown by the work');
    });
    await expect(run).rejects.toThrow('thrown by the work');
    expect(await at(home, (table) => table.find())).toEqual([]);
  });

  it('fails with the SQLSTATE and the constraint, and without a value', async () => {
    const [row = sample('')] = await inserted(sample('very secret'));
    const refused: unknown = await at(home, (table) => table.insert({ ...row, id: newId() })).catch(
      (error: unknown) => error,
    );
    expect(isSqlError(refused, '23505', 'sample_name_key')).toBe(true);
    expect(JSON.stringify(refused) + String(refused)).not.toContain('very secret');
  });

  it('commits nothing if a refusal was swallowed', async () => {
    const [row = sample('')] = await inserted(sample('a'));
    const run = at(home, async (table) => {
      await table.insert(row).catch(() => undefined);
    });
    await expect(run).rejects.toMatchObject({ code: '25P02' });
  });

  it('refuses a stored document that the schema does not know', async () => {
    await inserted(sample('a'));
    await db.owner.query(`update sample set document = '{"b": 1}'`);
    await expect(at(home, (table) => table.find())).rejects.toThrow('unrecognized_keys');
  });

  it('refuses a condition without a value, which would find everything', async () => {
    // The compiler refuses it too; a cast elsewhere may still bring it here.
    const id = undefined as unknown as string;
    await expect(at(home, (table) => table.update({ id }, { size: 1 }))).rejects.toThrow('undefined');
    await expect(at(home, (table) => table.find({ id }))).rejects.toThrow('Undefined');
  });

  it('prepares its statements like SQL by hand', async () => {
    for (let time = 0; time < 25; time += 1) await at(home, (table) => table.findOne({ name: 'a' }));
    const [prepared] = await at(home, (_, tx) =>
      sqlOf(tx).query<{ count: number }>(
        `select count(*)::integer from pg_prepared_statements where statement like '%FROM "sample"%'`,
      ),
    );
    expect(prepared?.count).toBeGreaterThan(0);
  });
});
