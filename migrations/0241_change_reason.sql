-- Whoever asks for a change of a guardrail says why.

alter table change_request add column reason text;
alter table change_request add constraint change_request_why_check
  check (reason is null or char_length(reason) between 1 and 4000);
comment on column change_request.reason is 'Why it is asked for, in the author''s words; null for changes from before it was asked.';

alter table slack_install_attempt add column reason text;
alter table slack_install_attempt add constraint slack_install_attempt_reason_check
  check (reason is null or char_length(reason) between 1 and 4000);
comment on column slack_install_attempt.reason is 'Why another workspace is asked for, in the admin''s words; null if they gave no reason.';
