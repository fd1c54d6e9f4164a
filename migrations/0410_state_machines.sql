-- A transition is checked by a function of its own table, with a statement that the session plans once. An update that leaves the
-- state as it is runs no trigger: a turn of a run writes most rows so.

create or replace function countersign_state_machine(target regclass, transitions regclass, state_column name default 'state')
  returns void language plpgsql as $$
declare
  base text := (select relname from pg_class where oid = target);
  checks text := format('%s_check_%s', base, state_column);
begin
  perform countersign_lookup(transitions);
  execute format(
    $function$
      create function %1$I() returns trigger language plpgsql as $body$
      declare
        before text := '';
      begin
        if tg_op = 'UPDATE' then
          before := old.%2$I;
        end if;
        if not exists (select from %3$s where from_state = before and to_state = new.%2$I) then
          raise exception '%%: no transition from "%%" to "%%"', tg_table_name, before, new.%2$I using errcode = 'CS002';
        end if;
        return new;
      end $body$
    $function$, checks, state_column, transitions);
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

do $$
declare
  machine record;
begin
  for machine in
    select made.tgrelid::regclass as target,
           split_part(encode(made.tgargs, 'escape'), '\000', 1) as transitions,
           split_part(encode(made.tgargs, 'escape'), '\000', 2) as state_column
      from pg_trigger made
     where made.tgfoid = 'countersign_check_transition'::regproc and made.tgname like '%\_initial'
  loop
    execute format('drop trigger %I on %s', (select relname from pg_class where oid = machine.target) || '_' || machine.state_column || '_initial', machine.target);
    execute format('drop trigger %I on %s', (select relname from pg_class where oid = machine.target) || '_' || machine.state_column || '_transition', machine.target);
    perform countersign_state_machine(machine.target, machine.transitions::regclass, machine.state_column);
  end loop;
end $$;

drop function countersign_check_transition();
