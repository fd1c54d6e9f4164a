import { testDatabase, type TestDatabase } from '../support/database.js';
import { catalogProblems, CROSS_TENANT_INDEXES, GLOBAL_TABLES } from './catalog-rules.js';

const exceptions = { globalTables: Object.keys(GLOBAL_TABLES), crossTenantIndexes: Object.keys(CROSS_TENANT_INDEXES) };

describe('the catalog', () => {
  let db: TestDatabase;
  let before: readonly string[];
  beforeAll(async () => {
    db = await testDatabase();
    before = await catalogProblems(db.owner, exceptions);
  });
  afterAll(async () => {
    await db.close();
  });

  it('keeps every rule', () => {
    expect(before).toEqual([]);
  });

  it('has no unneeded exception', async () => {
    const { rows } = await db.owner.query<{ relname: string }>(
      `select relname from pg_class where relnamespace = 'public'::regnamespace and relname = any($1)`,
      [[...exceptions.globalTables, ...exceptions.crossTenantIndexes]],
    );
    expect(rows.map((row) => row.relname).sort()).toEqual(
      [...exceptions.globalTables, ...exceptions.crossTenantIndexes].sort(),
    );
  });

  const good = `
    create table bad (
      tenant_id uuid not null, id uuid not null, other_id uuid,
      constraint bad_pk primary key (tenant_id, id),
      constraint bad_other_fk foreign key (tenant_id, other_id) references person (tenant_id, id));
    comment on table bad is 'x'; comment on column bad.tenant_id is 'x'; comment on column bad.id is 'x'; comment on column bad.other_id is 'x';
    select countersign_protect('bad');`;
  const lookup = (body: string): string => `
    create function bad_lookup() returns ${body};
    comment on function bad_lookup() is 'x';
    select countersign_system_function('bad_lookup()')`;

  // Each breaks one rule in a transaction that is rolled back. The walk has to say so in these words.
  it.each([
    ['nothing', good, []],
    [
      'no tenant',
      `create table bad (id int constraint bad_pk primary key); comment on table bad is 'x'; comment on column bad.id is 'x'`,
      ['bad: has no tenant_id and is not a known global table'],
    ],
    [
      'no row-level security',
      `${good} alter table bad disable row level security`,
      ['bad: row-level security is not enabled'],
    ],
    [
      'row-level security that spares the owner',
      `${good} alter table bad no force row level security`,
      ['bad: row-level security is not forced'],
    ],
    [
      'a policy that shows everything',
      `${good} drop policy bad_tenant on bad; create policy bad_tenant on bad to countersign_app using (true)`,
      ['bad: the policy bad_tenant does not hold countersign_app to the current tenant'],
    ],
    [
      'a policy that writes anywhere',
      `${good} alter policy bad_tenant on bad with check (true)`,
      ['bad: the policy bad_tenant does not hold countersign_app to the current tenant'],
    ],
    [
      'a second policy',
      `${good} create policy bad_more on bad to countersign_app using (true)`,
      [
        'bad: 2 policies for countersign_app, not one',
        'bad: the policy bad_more does not hold countersign_app to the current tenant',
      ],
    ],
    ['no policy', `${good} drop policy bad_tenant on bad`, ['bad: 0 policies for countersign_app, not one']],
    [
      'a policy for everybody',
      `${good} create policy bad_public on bad using (true)`,
      ['bad: the policy bad_public is for everybody'],
    ],
    [
      'a system role that writes',
      `${good} create policy bad_system on bad to countersign_system using (true)`,
      ['bad: the policy bad_system lets countersign_system write anywhere'],
    ],
    [
      'a key without the tenant first',
      `${good} alter table bad drop constraint bad_pk, add constraint bad_pk primary key (id, tenant_id)`,
      ['bad: the index bad_pk does not lead with the tenant'],
    ],
    ['no primary key', `${good} alter table bad drop constraint bad_pk`, ['bad: has no primary key']],
    [
      'a unique constraint across tenants',
      `${good} alter table bad add constraint bad_other_key unique (other_id)`,
      ['bad: the index bad_other_key does not lead with the tenant'],
    ],
    [
      'an index over an expression',
      `${good} create index bad_idx on bad (tenant_id, (other_id::text))`,
      ['bad: the index bad_idx is over an expression, and serves no query under row-level security'],
    ],
    [
      'an index across tenants',
      `${good} create index bad_idx on bad (other_id, tenant_id)`,
      ['bad: the index bad_idx does not lead with the tenant'],
    ],
    [
      'a foreign key without the tenant',
      `${good} alter table bad add constraint bad_id_fk foreign key (id) references tenant (id)`,
      ['bad: the foreign key bad_id_fk does not carry the tenant'],
    ],
    [
      'a constraint without a name of ours',
      `${good} alter table bad drop constraint bad_pk, add primary key (tenant_id, id)`,
      ["bad: the constraint bad_pkey has PostgreSQL's name, not ours"],
    ],
    ['a table without a comment', `${good} comment on table bad is null`, ['bad: has no comment']],
    ['a column without a comment', `${good} comment on column bad.id is null`, ['bad: the column id has no comment']],
    [
      'a comment that lists some of the values',
      `${good} alter table bad add other_kind text constraint bad_other_kind_check check (other_kind in ('new', 'half_old', 'late'));
      comment on column bad.other_kind is 'new or half old'`,
      ['bad: the comment of other_kind leaves out late'],
    ],
    ['a grant to everybody', `${good} grant select on bad to public`, ['bad: PUBLIC may SELECT']],
    [
      'a grant that empties the table',
      `${good} grant truncate on bad to countersign_app`,
      ['bad: countersign_app may TRUNCATE'],
    ],
    [
      'a view with its owner’s eyes',
      `create view bad_view as select id from person; comment on view bad_view is 'x'; comment on column bad_view.id is 'x'`,
      ["bad_view: the view looks with its owner's eyes; it needs security_invoker"],
    ],
    [
      'a view with the caller’s eyes',
      `create view bad_view with (security_invoker = true) as select id from person; comment on view bad_view is 'x'; comment on column bad_view.id is 'x'`,
      [],
    ],
    [
      'a lookup as it should be',
      lookup(`table (tenant_id uuid, id uuid) language sql stable security definer
      set search_path = pg_catalog, public, pg_temp begin atomic select tenant_id, id from credential; end`),
      [],
    ],
    [
      'a lookup that returns more than ids',
      lookup(`table (tenant_id uuid, id uuid, name text) language sql stable security definer
      set search_path = pg_catalog, public, pg_temp begin atomic select tenant_id, id, name from credential; end`),
      ['bad_lookup(): returns TABLE(tenant_id uuid, id uuid, name text), not ids only'],
    ],
    [
      'a lookup that trusts the caller’s search_path',
      lookup(`table (tenant_id uuid, id uuid) language sql stable security definer
      begin atomic select tenant_id, id from credential; end`),
      ['bad_lookup(): does not pin its search_path'],
    ],
    [
      'a lookup with the owner’s rights',
      `create function bad_lookup() returns table (tenant_id uuid, id uuid) language sql stable security definer
      set search_path = pg_catalog, public, pg_temp begin atomic select tenant_id, id from credential; end;
      comment on function bad_lookup() is 'x'`,
      [
        'bad_lookup(): a SECURITY DEFINER function belongs to countersign_owner',
        'bad_lookup(): may be called by everybody',
      ],
    ],
  ])('catches %s', async (_what, sql, problems) => {
    const client = await db.owner.connect();
    try {
      await client.query('begin');
      await client.query(sql);
      const after = await catalogProblems(client, exceptions);
      expect(after.filter((problem) => !before.includes(problem))).toEqual(problems);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });
});
