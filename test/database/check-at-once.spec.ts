import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { newId } from '#lib/kernel';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { refusalOf } from './arrange.js';

describe('the check constraints of a table, checked at once', () => {
  let db: TestDatabase;

  beforeAll(async () => {
    db = await testDatabase();
    await db.owner.query(`
      create table parcel (
        tenant_id uuid not null, id uuid not null,
        weight integer constraint parcel_weight_check check (weight between 1 and 30),
        "order" text constraint parcel_order_check check ("order" ~ '^[a-z]+$'),
        sent_at timestamptz, arrived_at timestamptz,
        constraint parcel_pk primary key (tenant_id, id),
        constraint parcel_arrived_check check (arrived_at is null or arrived_at >= sent_at));
      select countersign_check_at_once('parcel')`);
  });
  afterAll(() => db.close());

  const send = (weight: number | null, order: string | null, sent: string | null, arrived: string | null) =>
    db.owner.query('insert into parcel values ($1, $2, $3, $4, $5, $6)', [
      ...[newId(), newId(), weight, order],
      ...[sent, arrived],
    ]);

  it.each([
    ['parcel_weight_check', 31, 'abc', '2026-01-01', null],
    ['parcel_order_check', 30, 'ABC', '2026-01-01', null],
    ['parcel_arrived_check', 30, 'abc', '2026-01-02', '2026-01-01'],
  ])('refuse a row by the name of the broken rule: %s', async (constraint, weight, order, sent, arrived) => {
    await expect(send(weight, order, sent, arrived)).rejects.toMatchObject({
      code: '23514',
      constraint,
      table: 'parcel',
    });
  });

  it('refuse an update, too', async () => {
    await send(2, 'update', '2026-01-01', null);
    await expect(db.owner.query(`update parcel set weight = 0 where "order" = 'update'`)).rejects.toMatchObject({
      code: '23514',
      constraint: 'parcel_weight_check',
    });
  });

  it('hold if a condition is null, as each constraint does', async () => {
    await send(null, null, null, null);
    await send(30, 'abc', null, '2026-01-01');
    const { rows } = await db.owner.query('select weight from parcel where arrived_at is not null');
    expect(rows).toEqual([{ weight: 30 }]);
  });

  it('are one constraint', async () => {
    const { rows } = await db.owner.query(
      "select conname from pg_constraint where conrelid = 'parcel'::regclass and contype = 'c'",
    );
    expect(rows).toEqual([{ conname: 'parcel_sound' }]);
  });

  const tail = 'aZ0_-'.repeat(9).slice(0, 43);
  const hex = '0123456789abcdef'.repeat(4);
  it.each([
    ['call_grant', 'seal', [`k.${tail}`, `${'k'.repeat(64)}.${tail}`]],
    ['run', 'seal', [`k.${tail}`, `${'k'.repeat(64)}.${tail}`]],
    ['decision', 'input_digest', [`sha256:${hex}`]],
  ])('hold the form and the length of a text: %s, %s', async (table, column, sound) => {
    const { rows: known } = await db.owner.query<{ proargnames: string[] }>(
      'select proargnames from pg_proc where proname = $1',
      [`${table}_is_sound`],
    );
    const given = known[0]?.proargnames.map((name) => `${name} => ${name === column ? '$1' : 'null'}`).join();
    const checked = (text: string) => db.owner.query(`select ${table}_is_sound(${String(given)}) as sound`, [text]);
    const broken = sound.flatMap((text) => [
      text.slice(0, -1),
      `${text}0`,
      `${text}\n`,
      `${text.slice(0, -1)}!`,
      text.replace(/^k+|^sha256/, ''),
      text.replace(/[.:]/, ''),
      text.replace(/[.:]/, '..'),
    ]);
    const tooLong = column === 'seal' ? [`${'k'.repeat(65)}.${tail}`, `k.k.${tail.slice(2)}`] : [];
    for (const text of [...broken, ...tooLong]) expect([text, await refusalOf(checked(text))]).toEqual([text, '23514']);
    for (const text of sound) expect((await checked(text)).rows).toEqual([{ sound: true }]);
  });

  it('hold the form of a seal apart from its length in every table', () => {
    const folder = join(__dirname, '../../migrations');
    const files = readdirSync(folder).filter((name) => name.endsWith('.sql'));
    const checks = files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/(?<= )\w*seal ~ '.*/g)].map(([check]) => check),
    );
    expect(checks.length).toBeGreaterThan(20);
    expect([...new Set(checks)]).toEqual([
      "seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),",
    ]);
  });

  it('are replaced by the owner alone (42501)', async () => {
    expect(await refusalOf(db.app.query("select countersign_check_at_once('parcel')"))).toBe('42501');
  });
});
