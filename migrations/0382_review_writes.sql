-- A review and the change of its request are written by calls, so that they travel as one statement with their audit entries.

create function review_insert(
  new_id uuid, new_request uuid, new_person uuid, new_credential uuid, new_verdict text, new_comment text, new_roles jsonb,
  new_plan_digest text, new_decision uuid, new_created_at timestamptz, new_mfa_method text, new_mfa_proved_at timestamptz,
  new_on_loan_from uuid, new_seal text, new_seat jsonb
) returns void
  language plpgsql as $$
begin
  insert into review (tenant_id, id, request_id, person_id, credential_id, verdict, comment, roles, plan_digest,
                      decision_id, created_at, mfa_method, mfa_proved_at, on_loan_from, seal, seat)
  values (countersign_current_tenant(), new_id, new_request, new_person, new_credential, new_verdict, new_comment,
          new_roles, new_plan_digest, new_decision, new_created_at, new_mfa_method, new_mfa_proved_at, new_on_loan_from,
          new_seal, new_seat);
end $$;
comment on function review_insert(
  uuid, uuid, uuid, uuid, text, text, jsonb, text, uuid, timestamptz, text, timestamptz, uuid, text, jsonb) is
  'Inserts a review of the current tenant, with the rights of the caller.';

create function approval_request_save(
  of_request uuid, new_state text, new_granted_at timestamptz, new_grant_expires_at timestamptz, new_closed_at timestamptz,
  new_closed_reason jsonb
) returns void
  language plpgsql as $$
begin
  update approval_request set state = new_state, granted_at = new_granted_at, grant_expires_at = new_grant_expires_at,
                              closed_at = new_closed_at, closed_reason = new_closed_reason
   where tenant_id = countersign_current_tenant() and id = of_request;
  if not found then raise exception 'approval request % was to be saved and is not there', of_request; end if;
end $$;
comment on function approval_request_save(uuid, text, timestamptz, timestamptz, timestamptz, jsonb) is
  'Updates an approval request of the current tenant, with the rights of the caller.';
