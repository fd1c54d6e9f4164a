import { PAGE_STATES, PLAN_STATUSES, VERDICTS } from '#lib/formats';
import { newId } from '#lib/kernel';
import { hasStateWords, stateInWords } from '#lib/words';
import { testDatabase, type TestDatabase } from '../support/database.js';
import { refusalOf } from './arrange.js';

describe('state machines in the database', () => {
  let db: TestDatabase;
  const tenant = newId();
  const id = newId();

  beforeAll(async () => {
    db = await testDatabase();
    await db.owner.query(`
      create table lamp_state (state text not null, constraint lamp_state_pk primary key (state));
      insert into lamp_state values ('off'), ('on'), ('broken');
      create table lamp_transition (from_state text not null, event text not null, to_state text not null,
        constraint lamp_transition_pk primary key (from_state, event),
        constraint lamp_transition_to_fk foreign key (to_state) references lamp_state (state));
      insert into lamp_transition values ('', 'build', 'off'), ('off', 'press', 'on'), ('on', 'press', 'off'), ('on', 'fall', 'broken');
      create table lamp (tenant_id uuid not null, id uuid not null, state text not null, note text,
        constraint lamp_pk primary key (tenant_id, id),
        constraint lamp_state_fk foreign key (state) references lamp_state (state));
      select countersign_protect('lamp');
      select countersign_state_machine('lamp', 'lamp_transition')`);
    await db.owner.query("insert into lamp (tenant_id, id, state) values ($1, $2, 'off')", [tenant, id]);
  });
  afterAll(async () => {
    await db.close();
  });

  const become = (state: string): Promise<unknown> =>
    db.owner.query('update lamp set state = $1 where id = $2', [state, id]);

  it('let a row be created only in a state that creation leads to (CS002)', async () => {
    const create = db.owner.query("insert into lamp (tenant_id, id, state) values ($1, $2, 'on')", [tenant, newId()]);
    expect(await refusalOf(create)).toBe('CS002');
  });

  it('let it change along the transitions alone (CS002)', async () => {
    expect(await refusalOf(become('broken'))).toBe('CS002');
    await become('on');
    await become('off');
    await become('on');
    await become('broken');
    expect(await refusalOf(become('on'))).toBe('CS002');
    expect(await refusalOf(become('off'))).toBe('CS002');
    expect(await refusalOf(become('melted'))).toBe('CS002');
  });

  it('leave other columns alone, and a state that stays', async () => {
    await db.owner.query("update lamp set note = 'x', state = state where id = $1", [id]);
    await db.owner.query("update lamp set note = 'y' where id = $1", [id]);
    expect((await db.owner.query('select state, note from lamp')).rows).toEqual([{ state: 'broken', note: 'y' }]);
  });

  it('hold the service too, which cannot change the rules (42501)', async () => {
    expect(await refusalOf(db.app.query("insert into lamp_transition values ('broken', 'fix', 'off')"))).toBe('42501');
    const client = await db.app.connect();
    try {
      await client.query("select set_config('app.tenant_id', $1, false)", [tenant]);
      expect(await refusalOf(client.query("update lamp set state = 'off'"))).toBe('CS002');
    } finally {
      client.release(true);
    }
  });

  it('have the rows of their transition table, each and no other', async () => {
    const { rows } = await db.owner.query<{ source: string; said: string }>(
      `select prosrc as source, obj_description(oid, 'pg_proc') as said from pg_proc
        where obj_description(oid, 'pg_proc') like 'Trigger: a change of % must stand in %; SQLSTATE CS002.'`,
    );
    expect(rows.length).toBeGreaterThan(10);
    for (const { source, said } of rows) {
      const table = /stand in (\w+);/.exec(said)?.[1] ?? '';
      const kept = await db.owner.query<{ from_state: string; to_state: string }>(
        `select distinct from_state, to_state from ${table}`,
      );
      const checked = [...source.matchAll(/\('(\w*)', '(\w+)'\)/g)].map(([, from, to]) => [from, to]);
      expect([table, checked.sort()]).toEqual([table, kept.rows.map((row) => [row.from_state, row.to_state]).sort()]);
    }
  });

  it('read no table, so that a temporary one of the same name changes nothing (CS002)', async () => {
    const client = await db.owner.connect();
    try {
      await client.query(
        "create temporary table lamp_transition as select 'broken' as from_state, 'fix' as event, 'on' as to_state",
      );
      expect(await refusalOf(client.query("update lamp set state = 'on' where id = $1", [id]))).toBe('CS002');
    } finally {
      client.release(true);
    }
  });

  it('cannot be made of a table without rows', async () => {
    await db.owner.query('create table bulb_transition (from_state text, event text, to_state text)');
    await expect(db.owner.query("select countersign_state_machine('lamp', 'bulb_transition', 'note')")).rejects.toThrow(
      'bulb_transition has no rows',
    );
    await db.owner.query('drop table bulb_transition');
  });

  it('stand behind every column that names a state', async () => {
    // A table with a lookup table of states has the triggers too; no state is left to convention.
    const { rows } = await db.owner.query<{ unguarded: string }>(`
      select k.conrelid::regclass || '.' || a.attname as unguarded
      from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[1]
      where k.contype = 'f' and k.confrelid::regclass::text like '%\\_state' and k.conrelid::regclass::text not like '%\\_transition'
        and 2 <> (select count(*) from pg_trigger t
          where t.tgrelid = k.conrelid and t.tgfoid = to_regproc(k.conrelid::regclass || '_check_' || a.attname))
      order by 1`);
    expect(rows.map((row) => row.unguarded)).toEqual([]);
  });

  it('name only states that there are', async () => {
    const { rows: tables } = await db.owner.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like '%\\_transition'",
    );
    expect(tables.length).toBeGreaterThan(5);
    for (const { name } of tables) {
      const states = name.replace(/_transition$/, '_state');
      const { rows } = await db.owner.query<{ state: string }>(
        `select state from (select from_state as state from ${name} union select to_state from ${name}) named
          where state <> '' and state not in (select state from ${states})`,
      );
      expect([name, rows]).toEqual([name, []]);
    }
  });

  it('are told to people in words, without an underscore', async () => {
    const { rows: tables } = await db.owner.query<{ name: string }>(
      "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relname like '%\\_transition' and relname <> 'lamp_transition'",
    );
    expect(tables.length).toBeGreaterThan(5);
    const states = new Set<string>([...PLAN_STATUSES, ...PAGE_STATES, ...VERDICTS]);
    for (const { name } of tables) {
      const { rows } = await db.owner.query<{ state: string }>(`select distinct to_state as state from ${name}`);
      for (const { state } of rows) states.add(state);
    }
    expect([...states].filter((state) => !hasStateWords(state))).toEqual([]);
    expect([...states].map(stateInWords).filter((words) => words.includes('_'))).toEqual([]);
    expect(stateInWords('consumed')).toBe('approved and started');
  });
});
