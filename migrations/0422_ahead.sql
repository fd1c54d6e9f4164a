-- The steps of a run and the answer kept for a repeated request are written by calls, which travel with the other writes.

create function run_steps_insert(steps jsonb) returns void
  language plpgsql as $$
begin
  insert into run_step (tenant_id, id, run_id, position, kind, phase_index, batch_index, seq, step_id, health_round, tool_name,
                        tool_version, idempotent, changes, on_failure, compensation_idempotent, state)
  select countersign_current_tenant(), n.id, n.run_id, n.position, n.kind, n.phase_index, n.batch_index, n.seq, n.step_id,
         n.health_round, n.tool_name, n.tool_version, n.idempotent, n.changes, n.on_failure, n.compensation_idempotent, n.state
    from jsonb_populate_recordset(null::run_step, steps) n;
end $$;
comment on function run_steps_insert(jsonb) is 'Inserts steps of a run of the current tenant, with the rights of the caller.';

create function idempotency_keep(claiming uuid, claimed_key text, status integer, headers jsonb, body text) returns void
  language plpgsql as $$
begin
  update idempotency_record set response_status = status, response_headers = headers, response_body = body,
                                completed_at = clock_timestamp()
   where tenant_id = countersign_current_tenant() and credential_id = claiming and idempotency_key = claimed_key;
end $$;
comment on function idempotency_keep(uuid, text, integer, jsonb, text) is
  'Keeps the answer to the request of a claimed key of the current tenant, with the rights of the caller.';
