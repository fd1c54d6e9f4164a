-- Letting somebody back in who holds roles waits for a second person, too.
alter table change_request drop constraint change_request_kind_check;
alter table change_request add constraint change_request_kind_check check (kind in (
  'autonomy', 'tool_catalog', 'role_grant', 'executor', 'environment', 'factor_reset', 'sign_in', 'enrolment', 'person_enabled',
  'agent_owner', 'incident_settings', 'slack_app'));
