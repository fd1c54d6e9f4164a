-- The helpers by which every later file puts its tables under the same rules. The rules are row-level security, append-only
-- tables, state machines, columns that may change, looks across tenants, and live events.
--
-- Each file is one library's schema, in order of dependency. countersign_owner runs them. The three roles exist already:
-- they belong to the whole cluster, not to one database.

create function countersign_current_tenant() returns uuid
  language sql stable parallel safe
  return nullif(current_setting('app.tenant_id', true), '')::uuid;
comment on function countersign_current_tenant() is
  'The tenant this transaction was set to, or null: then row-level security shows nothing.';

create procedure countersign_require_owner()
  language plpgsql as $$
begin
  if current_user <> 'countersign_owner' then
    raise exception 'only countersign_owner changes the schema, and this is %', current_user using errcode = '42501';
  end if;
end $$;
comment on procedure countersign_require_owner() is 'Refuses (42501) any caller but countersign_owner.';

call countersign_require_owner();

-- Without statistics, the planner takes every row for a tenant of its own. Each index that begins with the tenant then looks as
-- good as the primary key. A plan that a database session keeps may then read a tenant's whole history for one row. Plans of
-- functions and foreign keys are kept from the first rows on. So the statistics stand before there are any. ANALYZE replaces
-- them. PostgreSQL 18 and later take them.
create function countersign_expect_few_tenants(target regclass) returns void
  language plpgsql as $$
declare
  kind text := (select relkind from pg_class where oid = target);
begin
  if kind not in ('r', 'p') or not exists (select from pg_proc where proname = 'pg_restore_attribute_stats') then
    return;
  end if;
  if exists (select from pg_attribute where attrelid = target and attname = 'tenant_id') then
    perform pg_restore_attribute_stats(
      'schemaname', 'public', 'relname', (select relname::text from pg_class where oid = target), 'attname', 'tenant_id',
      'inherited', kind = 'p', 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 5::real);
  end if;
end $$;

comment on function countersign_expect_few_tenants(regclass) is 'Tells the planner that many rows of a table share a tenant. That holds until something analyzes the table.';

create function countersign_protect(target regclass, tenant_column name default 'tenant_id') returns void
  language plpgsql as $$
declare
  base text := (select relname from pg_class where oid = target);
begin
  call countersign_require_owner();
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  -- The subselect is evaluated once a statement, not once a row.
  execute format(
    'create policy %I on %s to countersign_app using (%I = (select countersign_current_tenant())) with check (%I = (select countersign_current_tenant()))',
    base || '_tenant', target, tenant_column, tenant_column);
  execute format('create policy %I on %s to countersign_owner using (true) with check (true)', base || '_owner', target);
  execute format('grant select, insert, update, delete on %s to countersign_app', target);
  perform countersign_expect_few_tenants(target);
end $$;
comment on function countersign_protect(regclass, name) is
  'Puts a tenant table under forced row-level security: countersign_app sees and writes the current tenant only.';

create function countersign_refuse_change() returns trigger
  language plpgsql as $$
begin
  raise exception '% is append-only: % is refused', tg_table_name, tg_op using errcode = 'CS001';
end $$;
comment on function countersign_refuse_change() is 'Trigger of an append-only table; SQLSTATE CS001.';

create function countersign_append_only(target regclass) returns void
  language plpgsql as $$
declare
  base text := (select relname from pg_class where oid = target);
begin
  call countersign_require_owner();
  execute format('revoke update, delete, truncate on %s from countersign_app', target);
  execute format(
    'create trigger %I before update or delete on %s for each row execute function countersign_refuse_change()',
    base || '_append_only', target);
  execute format(
    'create trigger %I before truncate on %s for each statement execute function countersign_refuse_change()',
    base || '_no_truncate', target);
end $$;
comment on function countersign_append_only(regclass) is
  'Makes a table insert-only: no grant to change it, and triggers that refuse a change by anyone (CS001).';

create function countersign_lookup(target regclass) returns void
  language plpgsql as $$
begin
  call countersign_require_owner();
  execute format('grant select on %s to countersign_app, countersign_system', target);
end $$;
comment on function countersign_lookup(regclass) is 'Lets the service read a global table of constants, and nothing else.';

-- A transition is checked by a function of its own table. The function has the rows of the transition table in its text, so that it
-- reads no table. A look costs four times as much, and no table of the same name can stand in for the rules. An update that
-- leaves the state as it is runs no trigger. A turn of a run writes most rows so.
create function countersign_state_machine(target regclass, transitions regclass, state_column name default 'state')
  returns void language plpgsql as $$
declare
  base text := (select relname from pg_class where oid = target);
  checks text := format('%s_check_%s', base, state_column);
  legal text;
begin
  perform countersign_lookup(transitions);
  execute format(
    'select string_agg(distinct format(''(%%L, %%L)'', from_state, to_state), '', '') from %s', transitions) into strict legal;
  if legal is null then
    raise exception '% has no rows', transitions;
  end if;
  execute format(
    $function$
      create function %1$I() returns trigger language plpgsql as $body$
      declare
        before text := '';
      begin
        if tg_op = 'UPDATE' then
          before := old.%2$I;
        end if;
        if ((before, new.%2$I) in (%3$s)) is not true then
          raise exception '%%: no transition from "%%" to "%%"', tg_table_name, before, new.%2$I using errcode = 'CS002';
        end if;
        return new;
      end $body$
    $function$, checks, state_column, legal);
  execute format(
    'comment on function %I() is %L', checks,
    format('Trigger: a change of %s must stand in %s; SQLSTATE CS002.', state_column, transitions));
  execute format(
    'create trigger %I before insert on %s for each row execute function %I()',
    base || '_' || state_column || '_initial', target, checks);
  execute format(
    'create trigger %I before update of %I on %s for each row when (old.%I is distinct from new.%I) execute function %I()',
    base || '_' || state_column || '_transition', state_column, target, state_column, state_column, checks);
end $$;

comment on function countersign_state_machine(regclass, regclass, name) is
  'Lets a state column change only along the rows (from_state, event, to_state) that a transition table has now; from_state '''' is creation.';

-- The service may change some columns of a row and no others. Its role cannot rewrite a request, an approval, an execution or
-- a grant. The statements of the service itself need no more than this.
create function countersign_changes_only(target regclass, variadic changing name[]) returns void
  language plpgsql as $$
begin
  call countersign_require_owner();
  execute format('revoke update, delete on %s from countersign_app', target);
  execute format('grant update (%s) on %s to countersign_app',
    (select string_agg(format('%I', name), ', ') from unnest(changing) name), target);
end $$;
comment on function countersign_changes_only(regclass, name[]) is
  'Leaves countersign_app the right to update these columns of a tenant table, and none to delete its rows.';

-- PostgreSQL reads and compiles each check constraint anew for each statement. One function over the same conditions, planned once
-- a database session, costs a fifth of them. A condition that is null holds, as in a check constraint. A partitioned table comes here
-- before its partitions.
create function countersign_check_at_once(target regclass) returns void
  language plpgsql
  -- Names in the conditions are written out in full.
  set search_path = pg_catalog, pg_temp
  as $$
declare
  base text := (select relname from pg_class where oid = target);
  parameters text;
  arguments text;
  types text;
  broken text;
  dropped text;
begin
  call public.countersign_require_owner();
  select string_agg(format('%I %s', a.attname, format_type(a.atttypid, a.atttypmod)), ', ' order by a.attnum),
         string_agg(format('%I', a.attname), ', ' order by a.attnum),
         string_agg(format_type(a.atttypid, a.atttypmod), ', ' order by a.attnum)
    into strict parameters, arguments, types
    from pg_attribute a
   where a.attrelid = target
     and exists (select from pg_constraint k where k.conrelid = target and k.contype = 'c' and a.attnum = any (k.conkey));
  select string_agg(format('when (%s) is false then %L', pg_get_expr(k.conbin, k.conrelid), k.conname), ' ' order by k.conname),
         string_agg(format('drop constraint %I', k.conname), ', ')
    into strict broken, dropped
    from pg_constraint k where k.conrelid = target and k.contype = 'c';
  execute format(
    $function$
      create function public.%1$I(%2$s) returns boolean language plpgsql immutable as $body$
      declare
        broken text := case %3$s end;
      begin
        if broken is not null then
          raise exception 'new row for relation "%%" violates check constraint "%%"', %4$L, broken
            using errcode = 'check_violation', schema = 'public', table = %4$L, constraint = broken;
        end if;
        return true;
      end $body$
    $function$, base || '_is_sound', parameters, broken, base);
  execute format('comment on function public.%I(%s) is %L', base || '_is_sound', types,
    format('Whether the columns of a row of %s fit together; refuses it (23514) by the name of the broken rule.', base));
  execute format('alter table %s %s, add constraint %I check (public.%I(%s))',
    target, dropped, base || '_sound', base || '_is_sound', arguments);
end $$;
comment on function countersign_check_at_once(regclass) is 'Replaces the check constraints of a table that is often written to. One function then checks all of them.';

create function countersign_refuse_unset() returns trigger
  language plpgsql as $$
declare
  before jsonb := to_jsonb(old);
  after jsonb := to_jsonb(new);
  place integer;
begin
  for place in 0 .. tg_nargs - 1 loop
    if before -> tg_argv[place] <> 'null' and before -> tg_argv[place] <> after -> tg_argv[place] then
      raise exception '%: % is set once', tg_table_name, tg_argv[place] using errcode = 'CS001';
    end if;
  end loop;
  return new;
end $$;
comment on function countersign_refuse_unset() is 'Trigger: the columns named are set once and keep their value; SQLSTATE CS001.';

create function countersign_system_reads(target regclass) returns void
  language plpgsql as $$
declare
  base text := (select relname from pg_class where oid = target);
begin
  call countersign_require_owner();
  execute format('create policy %I on %s for select to countersign_system using (true)', base || '_system', target);
  execute format('grant select on %s to countersign_system', target);
end $$;
comment on function countersign_system_reads(regclass) is
  'Lets the SECURITY DEFINER functions of countersign_system look into a tenant table across tenants.';

create function countersign_system_function(target regprocedure) returns void
  language plpgsql as $$
begin
  call countersign_require_owner();
  -- Only for the moment of the transfer may the new owner create in the schema.
  grant create on schema public to countersign_system;
  execute format('revoke all on function %s from public', target);
  execute format('grant execute on function %s to countersign_app', target);
  execute format('alter function %s owner to countersign_system', target);
  revoke create on schema public from countersign_system;
end $$;
comment on function countersign_system_function(regprocedure) is
  'Hands a SECURITY DEFINER function to countersign_system, callable by countersign_app alone. It must pin search_path and return (tenant_id, id) only.';

-- Every replica hears of a change by ids alone. It reads the rows itself, under row-level security of their tenant.
create function countersign_tell_change() returns trigger
  language plpgsql as $$
declare
  about text;
  what text;
begin
  execute format('select ($1).%I::text, ($1).%I::text', tg_argv[1], tg_argv[2]) into about, what using new;
  perform pg_notify('countersign_change', concat_ws(':', new.tenant_id, tg_argv[0], about, what));
  return null;
end $$;
comment on function countersign_tell_change() is
  'Trigger: tells every listening replica, at commit, that something of a tenant changed. Arguments: the kind of thing, the column of its id, the column of its new state.';

create function countersign_live(target regclass, kind text, state_column name default 'state', id_column name default 'id')
  returns void
  language plpgsql as $$
begin
  call countersign_require_owner();
  execute format(
    'create trigger live_insert after insert on %s for each row execute function countersign_tell_change(%L, %L, %L)',
    target, kind, id_column, state_column);
  execute format(
    'create trigger live_update after update on %s for each row when (old.%I is distinct from new.%I) execute function countersign_tell_change(%L, %L, %L)',
    target, state_column, state_column, kind, id_column, state_column);
end $$;
revoke execute on function countersign_live(regclass, text, name, name) from public;
comment on function countersign_live(regclass, text, name, name) is
  'Has changes of a tenant table''s state told to every replica as changes of this kind of thing.';

-- ---------------------------------------------------------------------------------------------------------------
-- Months
-- ---------------------------------------------------------------------------------------------------------------

-- A table that only grows is partitioned by the month of its rows' UUIDv7 id (ADR 22). Rows of a month without a partition go
-- to the default partition, so that no insert is refused.

create function countersign_first_id(moment timestamptz) returns uuid
  language sql stable parallel safe
  return (lpad(to_hex(floor(extract(epoch from moment) * 1000)::bigint), 12, '0') || repeat('0', 20))::uuid;

comment on function countersign_first_id(timestamptz) is 'No UUIDv7 of this moment or a later one is smaller.';

create function countersign_add_partition(target regclass, suffix text, bounds text) returns void
  language plpgsql as $$
declare
  part text := (select relname from pg_class where oid = target) || '_' || suffix;
begin
  call countersign_require_owner();
  execute format('create table public.%I (like %s including defaults including generated including constraints)', part, target);
  execute format('comment on table public.%I is %L', part, 'Partition: rows of ' || target || ' ' || bounds || '.');
  -- The rights and policies of the table count for its partitions too. A partition has none of its own.
  execute format('alter table public.%I enable row level security, force row level security', part);
  execute format('create policy %I on public.%I to countersign_owner using (true) with check (true)', part || '_owner', part);
  -- Attaching copies triggers for each row. Those for each statement stay with the table.
  if exists (select from pg_trigger where tgrelid = target and tgfoid = 'countersign_refuse_change'::regproc) then
    execute format(
      'create trigger %I before truncate on public.%I for each statement execute function countersign_refuse_change()',
      part || '_no_truncate', part);
  end if;
  perform countersign_expect_few_tenants(part::regclass);
  execute format('alter table %s attach partition public.%I %s', target, part, bounds);
end $$;

comment on function countersign_add_partition(regclass, text, text) is
  'Adds a partition, which is read and written through its table alone. `create table ... partition of` would lock readers out.';

create function countersign_add_months() returns table (month text)
  language plpgsql security definer
  set search_path = pg_catalog, public, pg_temp
  -- Attaching waits for those who use the default partition. It gives up before others wait long for it.
  set lock_timeout = '500ms'
  as $$
declare
  this_month constant timestamp := date_trunc('month', clock_timestamp() at time zone 'UTC');
  parent record;
  starts timestamp;
  low uuid;
  high uuid;
  taken boolean;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('countersign.months', 0)) then
    return;
  end if;
  for parent in
    select c.oid::regclass as name, c.relname, key.attname
      from pg_partitioned_table p
      join pg_class c on c.oid = p.partrelid and c.relnamespace = 'public'::regnamespace
      join pg_attribute key on key.attrelid = p.partrelid and key.attnum = p.partattrs[0]
     where p.partdefid <> 0
     order by c.relname
  loop
    for ahead in 0 .. 2 loop
      starts := this_month + ahead * interval '1 month';
      continue when to_regclass(format('%I', parent.relname || to_char(starts, '_YYYY_MM'))) is not null;
      low := countersign_first_id(starts at time zone 'UTC');
      high := countersign_first_id((starts + interval '1 month') at time zone 'UTC');
      execute format('select exists (select from %I where %I >= $1 and %I < $2)',
        parent.relname || '_default', parent.attname, parent.attname) into taken using low, high;
      if taken then
        month := parent.relname || to_char(starts, '_YYYY_MM');
        return next;
        continue;
      end if;
      perform countersign_add_partition(
        parent.name, to_char(starts, 'YYYY_MM'), format('for values from (%L) to (%L)', low, high));
    end loop;
  end loop;
end $$;
revoke all on function countersign_add_months() from public;
grant execute on function countersign_add_months() to countersign_app;

comment on function countersign_add_months() is
  'Adds the partitions of this month and the next two to each partitioned table. Returns those that it cannot add, since the default partition has rows of that month.';

create function countersign_partition_by_month(target regclass) returns void
  language plpgsql as $$
declare
  late text;
begin
  perform countersign_add_partition(target, 'default', 'default');
  select string_agg(added.month, ', ') into late from countersign_add_months() added;
  if late is not null then
    raise exception 'cannot add %', late;
  end if;
end $$;

comment on function countersign_partition_by_month(regclass) is
  'Gives a partitioned table its default partition and those of this month and the next two. It comes after the triggers for each statement.';

-- ---------------------------------------------------------------------------------------------------------------
-- Due work
-- ---------------------------------------------------------------------------------------------------------------

-- Later files have a function <library>_<work>_due for each kind of job. It finds due rows of all tenants for the workers.
-- NOTIFY only wakes workers sooner. Each function takes the same arguments: rows due at or before `at`, at most `most`, the
-- longest due first; without the ids that the worker holds, and without tenants of which it holds enough. The decision
-- whether anything is done is taken inside the tenant.
