-- The helpers by which every later file puts its tables under the same rules: row-level security, append-only tables,
-- state machines, columns that may change, looks across tenants, and live events.
--
-- Each file is one library's schema, in order of dependency. countersign_owner runs them. The three roles exist already:
-- they belong to the whole cluster, not to one database.

-- Tenants, their environments and secrets, the people and agents in them, and what they sign in with; before that the
-- helpers that every later migration uses to put a table under the rules of the house.
--
-- Run as countersign_owner. The three roles exist already: they belong to the whole cluster, not to one database.
-- Helpers
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
  'Makes a table insert-only: no grant to change it, and triggers that refuse (CS001) whoever has one.';

create function countersign_lookup(target regclass) returns void
  language plpgsql as $$
begin
  call countersign_require_owner();
  execute format('grant select on %s to countersign_app, countersign_system', target);
end $$;
comment on function countersign_lookup(regclass) is 'Lets the service read a global table of constants, and nothing else.';

create function countersign_check_transition() returns trigger
  language plpgsql as $$
declare
  transitions constant text := tg_argv[0];
  state_column constant text := tg_argv[1];
  before text := '';
  after text;
  legal boolean;
begin
  execute format('select ($1).%I', state_column) into after using new;
  if tg_op = 'UPDATE' then
    execute format('select ($1).%I', state_column) into before using old;
    if before = after then
      return new;
    end if;
  end if;
  execute format('select exists (select from %s where from_state = $1 and to_state = $2)', transitions)
    into legal using before, after;
  if not legal then
    raise exception '%: no transition from "%" to "%"', tg_table_name, before, after using errcode = 'CS002';
  end if;
  return new;
end $$;
comment on function countersign_check_transition() is
  'Trigger of a state machine: the change must stand in its transition table; SQLSTATE CS002.';

create function countersign_state_machine(target regclass, transitions regclass, state_column name default 'state')
  returns void language plpgsql as $$
declare
  base text := (select relname from pg_class where oid = target);
begin
  perform countersign_lookup(transitions);
  execute format(
    'create trigger %I before insert on %s for each row execute function countersign_check_transition(%L, %L)',
    base || '_' || state_column || '_initial', target, transitions::text, state_column);
  execute format(
    'create trigger %I before update of %I on %s for each row execute function countersign_check_transition(%L, %L)',
    base || '_' || state_column || '_transition', state_column, target, transitions::text, state_column);
end $$;
comment on function countersign_state_machine(regclass, regclass, name) is
  'Lets a state column change only along the rows (from_state, event, to_state) of a transition table; from_state '''' is creation.';

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
comment on function countersign_refuse_unset() is
  'Trigger: the columns named are set once and keep their value; SQLSTATE CS001.';

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
  'Trigger: tells every listening replica, at commit, that something of a tenant changed. Arguments: what kind of thing, the column of its id, the column of what became of it.';

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
-- Due work
-- ---------------------------------------------------------------------------------------------------------------

-- Later files have a function <library>_<work>_due for each kind of job. It finds due rows of all tenants for the workers.
-- NOTIFY only wakes workers sooner. Each function takes the same arguments: rows due at or before `at`, at most `most`, the
-- longest due first; without the ids that the worker holds, and without tenants of which it holds enough. The decision
-- whether anything is done is taken inside the tenant.
