-- An approval request, its reminders and a review are written by calls, so that they travel with their audit entries.

create function approval_request_insert(new_request jsonb) returns void
  language plpgsql as $$
begin
  insert into approval_request (
    tenant_id, id, subject_type, subject_id, task_id, simulation_id, state, binding, binding_digest, content_digest, phases, risk,
    target_count, decision_id, autonomy_revision_id, bundle_revision, decision, excluded, agent_id, person_id, on_behalf_of,
    credential_id, start, start_at, opened_at, expires_at, granted_at, grant_expires_at, closed_at, closed_reason, seal)
  select
    countersign_current_tenant(), n.id, n.subject_type, n.subject_id, n.task_id, n.simulation_id, n.state, n.binding,
    n.binding_digest, n.content_digest, n.phases, n.risk, n.target_count, n.decision_id, n.autonomy_revision_id,
    n.bundle_revision, n.decision, n.excluded, n.agent_id, n.person_id, n.on_behalf_of, n.credential_id, n.start, n.start_at,
    n.opened_at, n.expires_at, n.granted_at, n.grant_expires_at, n.closed_at, nullif(n.closed_reason, 'null'), n.seal
    from jsonb_populate_record(null::approval_request, new_request) n;
end $$;
comment on function approval_request_insert(jsonb) is
  'Inserts an approval request of the current tenant, with the rights of the caller.';

create function approval_reminders_insert(of_request uuid, reminders jsonb) returns void
  language plpgsql as $$
begin
  insert into approval_reminder (tenant_id, request_id, which, due_at, roles)
  select countersign_current_tenant(), of_request, n.which, n.due_at, n.roles
    from jsonb_populate_recordset(null::approval_reminder, reminders) n;
end $$;
comment on function approval_reminders_insert(uuid, jsonb) is
  'Plans the reminders of an approval request of the current tenant, with the rights of the caller.';

drop function review_insert(
  uuid, uuid, uuid, uuid, text, text, jsonb, text, uuid, timestamptz, text, timestamptz, uuid, text, jsonb);

create function review_insert(new_review jsonb, replaced uuid) returns void
  language plpgsql as $$
begin
  update review set replaced_at = (new_review ->> 'created_at')::timestamptz
   where tenant_id = countersign_current_tenant() and id = replaced and replaced_at is null;
  insert into review (tenant_id, id, request_id, person_id, credential_id, verdict, comment, roles, on_loan_from, seat, plan_digest,
                      decision_id, created_at, mfa_method, mfa_proved_at, seal)
  select countersign_current_tenant(), n.id, n.request_id, n.person_id, n.credential_id, n.verdict, n.comment, n.roles,
         n.on_loan_from, nullif(n.seat, 'null'), n.plan_digest, n.decision_id, n.created_at, n.mfa_method, n.mfa_proved_at, n.seal
    from jsonb_populate_record(null::review, new_review) n;
end $$;
comment on function review_insert(jsonb, uuid) is
  'Inserts a review of the current tenant, in the place of one by the same person; with the rights of the caller.';
