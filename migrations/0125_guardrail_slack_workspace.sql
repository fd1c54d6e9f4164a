-- The workspace that Slack is installed in waits for a second person, too: its owners can be anybody in it.
alter table change_request drop constraint change_request_kind_check;
alter table change_request add constraint change_request_kind_check check (kind in (
  'autonomy', 'tool_catalog', 'role_grant', 'executor', 'environment', 'factor_reset', 'sign_in', 'enrolment', 'person_enabled',
  'agent_owner', 'incident_settings', 'slack_app', 'slack_workspace'));

-- Whoever began an installation, and with which credential, is who asks for the change. Those under way begin again.
alter table slack_install_attempt add column credential_id uuid;
alter table slack_install_attempt add constraint slack_install_attempt_credential_fk
  foreign key (tenant_id, credential_id) references credential (tenant_id, id);
comment on column slack_install_attempt.credential_id is 'The credential it was begun with; null for those of before this was kept.';

comment on table slack_app_waiting is 'The secrets of a Slack app, or of its installation, that wait for a second person; gone once the change is decided.';
drop trigger slack_app_waiting_forget on change_request;
create trigger slack_app_waiting_forget after update of state on change_request
  for each row when (new.kind in ('slack_app', 'slack_workspace') and new.state <> 'open')
  execute function slack_app_waiting_forget();
