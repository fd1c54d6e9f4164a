-- A decision is recorded by a call, so that it travels with the other writes of its action as one statement.

create function decision_append(
  new_id uuid, new_entrypoint text, new_bundle_revision text, new_input jsonb, new_input_digest text, new_result jsonb,
  new_outcome text, decided_ms bigint, new_subject_type text, new_subject_id text, new_within jsonb
) returns void
  language plpgsql as $$
begin
  insert into decision (tenant_id, id, entrypoint, bundle_revision, input, input_digest, result, outcome, decided_at,
                        subject_type, subject_id, within)
  values (countersign_current_tenant(), new_id, new_entrypoint, new_bundle_revision, new_input, new_input_digest,
          new_result, new_outcome, to_timestamp(decided_ms / 1000.0), new_subject_type, new_subject_id, new_within);
end $$;

comment on function decision_append(uuid, text, text, jsonb, text, jsonb, text, bigint, text, text, jsonb) is
  'Inserts a decision of the current tenant, with the rights of the caller.';
