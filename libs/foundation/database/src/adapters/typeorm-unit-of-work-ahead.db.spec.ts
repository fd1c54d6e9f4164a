import { z } from 'zod';
import { newId, type TenantId, type Tx } from '#lib/kernel';
import { countedStatements } from '../../../../../test/support/counted-statements.js';
import { entity, integer, json, moment, text } from './entity.js';
import { sqlOf } from './sql.js';
import { insertTenant, raise, UNTOUCHED, unitOfWorkWorld } from '../../../../../test/support/unit-of-work-world.js';

describe('statements sent ahead', () => {
  const world = unitOfWorkWorld();

  it('runs a statement sent ahead in its place, and commits it', async () => {
    const id = newId<TenantId>();
    const seen = await world.uow.run(id, async (tx) => {
      const sql = sqlOf(tx);
      sql.executeAhead(insertTenant, [id, 'a']);
      const rows = await sql.query<{ slug: string }>('select slug from tenant where id = $1', [id]);
      sql.executeAhead('update tenant set name = $2 where id = $1', [id, 'renamed']);
      return rows;
    });
    expect(seen).toEqual([{ slug: 'a' }]);
    expect((await world.db.owner.query('select name from tenant')).rows).toEqual([{ name: 'renamed' }]);
  });

  it('fails with the statement sent ahead, at any point of the work', async () => {
    const id = newId<TenantId>();
    const twice = (tx: Tx): void => {
      sqlOf(tx).executeAhead(insertTenant, [id, 'a']);
      sqlOf(tx).executeAhead(insertTenant, [id, 'a']);
    };
    const refused = { code: '23505', constraint: 'tenant_pk' };
    const atCommit = world.uow.run(id, (tx) => {
      twice(tx);
      return Promise.resolve();
    });
    await expect(atCommit).rejects.toMatchObject(refused);
    const atTheNext = world.uow.run(id, (tx) => {
      twice(tx);
      return sqlOf(tx).query('select 1');
    });
    await expect(atTheNext).rejects.toMatchObject(refused);
    const swallowed = world.uow.run(id, async (tx) => {
      twice(tx);
      await sqlOf(tx)
        .query('select 1')
        .catch(() => undefined);
    });
    await expect(swallowed).rejects.toMatchObject(refused);
    expect(await world.tenants()).toBe(0);
    expect(await world.settings()).toMatchObject([UNTOUCHED]);
  });

  it('sends the calls that nothing separates as one statement, in their place and order', async () => {
    const counted = await countedStatements(() =>
      world.uow.run(newId<TenantId>(), async (tx) => {
        const sql = sqlOf(tx);
        sql.callAhead('set_config', ['test.said', 'a', true]);
        sql.callAhead('set_config', ['test.said', 'b', true]);
        const rows = await sql.query<{ said: string }>("select current_setting('test.said') as said");
        expect(rows).toEqual([{ said: 'b' }]);
        sql.callAhead('pg_notify', ['test_said', 'c']);
        sql.callAhead('set_config', ['test.said', 'd', true]);
      }),
    );
    expect(counted.statements.slice(1)).toEqual([
      'select set_config($1, $2, $3), set_config($4, $5, $6)',
      "select current_setting('test.said') as said",
      'select pg_notify($1, $2), set_config($3, $4, $5)',
      'commit',
    ]);
  });

  it('sends more calls than PostgreSQL takes in one SELECT by several, with values or without', async () => {
    const calls = 2_000;
    await world.db.owner.query(`
      create sequence noted_call;
      create function note_call() returns bigint language sql return nextval('noted_call');
      grant usage on sequence noted_call to countersign_app`);
    const counted = await countedStatements(() =>
      world.uow.run(newId<TenantId>(), (tx) => {
        for (let call = 0; call < calls; call += 1) sqlOf(tx).callAhead('nextval', ['noted_call']);
        for (let call = 0; call < calls; call += 1) sqlOf(tx).callAhead('note_call', []);
        return Promise.resolve();
      }),
    );
    const { rows } = await world.db.owner.query('select last_value::int as calls from noted_call');
    expect(rows).toEqual([{ calls: 2 * calls }]);
    expect(counted.statements.filter((text) => text.startsWith('select '))).toHaveLength(4);
  });

  it('inserts the rows of a table by one INSERT, in their order, after the calls of the same statement', async () => {
    const id = newId<TenantId>();
    await world.db.owner.query(`
      create table noted (tenant_id uuid, text text, number int generated always as identity,
        said text default current_setting('test.said', true));
      create table unique_note (tenant_id uuid, at timestamptz, document jsonb, primary key (tenant_id, at));
      grant select, insert on noted, unique_note to countersign_app`);
    const noted = entity('noted', { number: integer() }, { text: text() }).pick('text');
    const unique = entity('unique_note', { at: moment() }, { document: json(z.array(z.string())) }).all;
    const only = { at: 0, document: ['one'] };
    const counted = await countedStatements(async () => {
      await world.uow.run(id, async (tx) => {
        const sql = sqlOf(tx);
        sql.insertAhead(noted, { text: 'one' });
        sql.callAhead('set_config', ['test.said', 'a', true]);
        sql.insertAhead(unique, only);
        sql.insertAhead(noted, { text: 'two' });
        expect(await sql.query('select said, text from noted order by number')).toEqual([
          { said: 'a', text: 'one' },
          { said: 'a', text: 'two' },
        ]);
        sql.insertAhead(noted, { text: 'three' });
      });
      await world.uow
        .run(id, (tx) => {
          sqlOf(tx).insertAhead(unique, only);
          return Promise.resolve();
        })
        .catch((error: unknown) => {
          expect(error).toMatchObject({ code: '23505' });
        });
    });
    expect(counted.statements.filter((text) => !/^(?:begin|commit|rollback)/.test(text))).toEqual([
      'with added_0 as (insert into noted (tenant_id, text) values ($4, $5), ($6, $7)), ' +
        'added_1 as (insert into unique_note (tenant_id, at, document) values ($8, $9, $10)) select set_config($1, $2, $3)',
      'select said, text from noted order by number',
      'insert into noted (tenant_id, text) values ($1, $2)',
      'insert into unique_note (tenant_id, at, document) values ($1, $2, $3)',
    ]);
    const { rows } = await world.db.owner.query('select * from unique_note');
    expect(rows).toEqual([{ tenant_id: id, ...only, at: new Date(0) }]);
  });

  it('fails with a refused call, and commits nothing', async () => {
    const id = newId<TenantId>();
    const refused = world.uow.run(id, async (tx) => {
      await sqlOf(tx).execute(insertTenant, [id, 'a']);
      sqlOf(tx).callAhead('set_config', ['test.said', 'a', true]);
      sqlOf(tx).callAhead('set_config', ['role', 'nobody_at_all', true]);
    });
    await expect(refused).rejects.toMatchObject({ code: '22023' });
    expect(await world.tenants()).toBe(0);
  });

  it('refuses a call after its transaction', async () => {
    const kept = await world.uow.run(newId<TenantId>(), (tx) => Promise.resolve(tx));
    expect(() => {
      sqlOf(kept).callAhead('set_config', ['test.said', 'a', true]);
    }).toThrow('This transaction has ended');
  });

  it('tries again if a statement sent ahead met another transaction', async () => {
    let attempts = 0;
    await world.uow.run(newId<TenantId>(), (tx) => {
      attempts += 1;
      if (attempts === 1) sqlOf(tx).executeAhead(raise('40001'));
      return Promise.resolve();
    });
    expect(attempts).toBe(2);
  });
});
