-- Calls that were refused before policy was asked, for the search of the audit log by tool.
create index audit_entry_undecided_call_idx on audit_entry (tenant_id, occurred_at, id)
  where action = 'tool_call.decided' and decision_id is null and plan_id is null;
