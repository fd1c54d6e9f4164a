-- What a turn of a run writes is written by calls, so that all of it travels as one statement, with the commit.

create function run_save(
  of_run uuid, new_state text, new_requested text, new_requested_by jsonb, new_reason jsonb, new_rollback_reason jsonb,
  new_waiting_on jsonb, new_wait_until timestamptz, new_health_round integer, new_event_count integer, new_outcome jsonb,
  new_next_at timestamptz, new_started_at timestamptz, new_finished_at timestamptz, new_updated_at timestamptz,
  new_pause_by timestamptz
) returns void
  language plpgsql as $$
begin
  update run set state = new_state, requested = new_requested, requested_by = new_requested_by, reason = new_reason,
                 rollback_reason = new_rollback_reason, waiting_on = new_waiting_on, wait_until = new_wait_until,
                 health_round = new_health_round, event_count = new_event_count, outcome = new_outcome,
                 next_at = new_next_at, started_at = new_started_at, finished_at = new_finished_at,
                 updated_at = new_updated_at, pause_by = new_pause_by
   where tenant_id = countersign_current_tenant() and id = of_run;
end $$;
comment on function run_save(
  uuid, text, text, jsonb, jsonb, jsonb, jsonb, timestamptz, integer, integer, jsonb, timestamptz, timestamptz, timestamptz,
  timestamptz, timestamptz) is 'Updates a run of the current tenant, with the rights of the caller.';

create function run_step_save(
  of_step uuid, new_state text, new_attempts integer, new_compensations integer, new_failures integer, new_fence integer,
  new_lease_until timestamptz, new_retry_at timestamptz, new_unknown_of text, new_resolved_as text, new_error jsonb,
  new_finished_at timestamptz
) returns void
  language plpgsql as $$
begin
  update run_step set state = new_state, attempts = new_attempts, compensations = new_compensations,
                      failures = new_failures, fence = new_fence, lease_until = new_lease_until, retry_at = new_retry_at,
                      unknown_of = new_unknown_of, resolved_as = new_resolved_as, error = new_error,
                      finished_at = new_finished_at
   where tenant_id = countersign_current_tenant() and id = of_step;
end $$;
comment on function run_step_save(
  uuid, text, integer, integer, integer, integer, timestamptz, timestamptz, text, text, jsonb, timestamptz) is
  'Updates a step of the current tenant, with the rights of the caller.';

create function step_attempt_insert(
  new_id uuid, new_run uuid, new_step uuid, new_purpose text, new_number integer, new_fence integer, new_decision uuid,
  new_executor_name text, new_arguments_digest text, new_targets jsonb, new_dispatched_at timestamptz,
  new_lease_until timestamptz, new_executor_version integer, new_agent uuid
) returns void
  language plpgsql as $$
begin
  insert into step_attempt (tenant_id, id, run_id, run_step_id, purpose, number, fence, decision_id, executor_name,
                            arguments_digest, targets, dispatched_at, lease_until, executor_version, agent_id)
  values (countersign_current_tenant(), new_id, new_run, new_step, new_purpose, new_number, new_fence, new_decision,
          new_executor_name, new_arguments_digest, new_targets, new_dispatched_at, new_lease_until, new_executor_version,
          new_agent);
end $$;
comment on function step_attempt_insert(
  uuid, uuid, uuid, text, integer, integer, uuid, text, text, jsonb, timestamptz, timestamptz, integer, uuid) is
  'Inserts an attempt of the current tenant, with the rights of the caller.';

create function run_event_append(
  of_run uuid, new_seq integer, new_type text, new_actor jsonb, new_data jsonb, new_at timestamptz
) returns void
  language plpgsql as $$
begin
  insert into run_event (tenant_id, run_id, seq, type, actor, data, at)
  values (countersign_current_tenant(), of_run, new_seq, new_type, new_actor, new_data, new_at);
end $$;
comment on function run_event_append(uuid, integer, text, jsonb, jsonb, timestamptz) is
  'Inserts an event of a run of the current tenant, with the rights of the caller.';
