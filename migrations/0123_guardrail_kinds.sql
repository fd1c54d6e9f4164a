-- More of what loosens waits for a second person: a further way to be somebody, an agent handed to somebody else, fewer who
-- are told of incidents, another Slack app.
alter table change_request drop constraint change_request_kind_check;
alter table change_request add constraint change_request_kind_check check (kind in (
  'autonomy', 'tool_catalog', 'role_grant', 'executor', 'environment', 'factor_reset', 'sign_in', 'enrolment', 'agent_owner',
  'incident_settings', 'slack_app'));

create table slack_app_waiting (
  tenant_id uuid not null,
  change_id uuid not null,
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  constraint slack_app_waiting_pk primary key (tenant_id, change_id),
  constraint slack_app_waiting_change_fk foreign key (tenant_id, change_id) references change_request (tenant_id, id),
  constraint slack_app_waiting_key_id_check check (char_length(key_id) between 1 and 64)
);
select countersign_protect('slack_app_waiting');
comment on table slack_app_waiting is 'The secrets of a Slack app that waits for a second person; gone once its change is decided.';
comment on column slack_app_waiting.tenant_id is 'The tenant it belongs to.';
comment on column slack_app_waiting.change_id is 'The change that waits; it names the digest of what is sealed here.';
comment on column slack_app_waiting.key_id is 'Which master key encrypts it.';
comment on column slack_app_waiting.nonce is '96 random bits.';
comment on column slack_app_waiting.ciphertext is 'Ciphertext and tag; the tenant is authenticated with it (AES-256-GCM).';

create function slack_app_waiting_forget() returns trigger
  language plpgsql
  set search_path = pg_catalog, public, pg_temp
  as $$
  begin
    delete from slack_app_waiting waiting where waiting.tenant_id = new.tenant_id and waiting.change_id = new.id;
    return null;
  end
  $$;
comment on function slack_app_waiting_forget() is 'However a change ends, what was kept for it goes.';
create trigger slack_app_waiting_forget after update of state on change_request
  for each row when (new.kind = 'slack_app' and new.state <> 'open') execute function slack_app_waiting_forget();
