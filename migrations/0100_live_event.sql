-- What changes is told to every replica, by ids only: whoever gets it reads the rows, under its own tenant's security.

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
comment on function countersign_live(regclass, text, name, name) is
  'Has changes of a tenant table''s state told to every replica as changes of this kind of thing.';
revoke execute on function countersign_live(regclass, text, name, name) from public;

select countersign_live('task', 'task');
select countersign_live('plan', 'plan');
select countersign_live('simulation', 'plan', 'state', 'plan_id');
select countersign_live('approval_request', 'approval_request');
select countersign_live('run', 'run');
-- A review moves the quorum though the request stays open; a halt is lifted without a state of its own.
select countersign_live('review', 'approval_request', 'verdict', 'request_id');
select countersign_live('halt', 'halt', 'lifted_at');
create trigger live_request after update on run
  for each row when (old.requested is distinct from new.requested)
  execute function countersign_tell_change('run', 'id', 'requested');
