-- What the service may change of a row, column by column. Whoever holds its role cannot rewrite what was asked, approved,
-- executed or granted; the statements of the service itself need no more than this.

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

comment on function countersign_refuse_unset() is 'Trigger: the columns named are set once and keep their value; SQLSTATE CS001.';

select countersign_changes_only('task', 'state', 'updated_at');
select countersign_changes_only('plan', 'state', 'updated_at');
revoke update, delete on plan_tool, plan_target from countersign_app;
select countersign_changes_only('simulation', 'state', 'result', 'digest', 'failure', 'stale_reason', 'fence', 'next_at',
  'started_at', 'finished_at');
select countersign_changes_only('run', 'state', 'requested', 'requested_by', 'reason', 'rollback_reason', 'waiting_on',
  'wait_until', 'health_round', 'event_count', 'outcome', 'next_at', 'started_at', 'finished_at', 'updated_at');
select countersign_changes_only('run_step', 'state', 'attempts', 'compensations', 'failures', 'fence', 'lease_until',
  'retry_at', 'unknown_of', 'resolved_as', 'error', 'finished_at');
select countersign_changes_only('step_attempt', 'finished_at', 'outcome', 'effect', 'result', 'error', 'late_result', 'late_at');
select countersign_changes_only('call_grant', 'redeemed_at', 'revoked_at', 'revoked_reason');
select countersign_changes_only('role_grant', 'revoked_at', 'revoked_by');
select countersign_changes_only('credential', 'revoked_at', 'last_used_at');

create trigger call_grant_set_once before update on call_grant
  for each row execute function countersign_refuse_unset('redeemed_at', 'revoked_at');
create trigger role_grant_set_once before update of revoked_at on role_grant
  for each row execute function countersign_refuse_unset('revoked_at');
create trigger credential_set_once before update of revoked_at on credential
  for each row execute function countersign_refuse_unset('revoked_at');
