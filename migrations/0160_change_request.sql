-- A change that loosens a guardrail waits for a second person. Lifecycle of a change request
-- (libs/reach/change-request/src/domain/change-transitions.ts holds the same rows):
--
--   (new) ──open──▶ open ──apply──▶ applied
--                    ├──reject──▶ rejected
--                    ├──withdraw──▶ withdrawn
--                    ├──expire──▶ expired
--                    └──void──▶ voided

create table change_request_state (
  state text not null,
  constraint change_request_state_pk primary key (state)
);
insert into change_request_state values ('open'), ('applied'), ('rejected'), ('withdrawn'), ('expired'), ('voided');
comment on table change_request_state is 'Global: the states of a change request.';
comment on column change_request_state.state is 'The state''s name.';
select countersign_lookup('change_request_state');

create table change_request_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint change_request_transition_to_fk references change_request_state,
  constraint change_request_transition_pk primary key (from_state, event)
);
insert into change_request_transition values
  ('', 'open', 'open'),
  ('open', 'apply', 'applied'),
  ('open', 'reject', 'rejected'),
  ('open', 'withdraw', 'withdrawn'),
  ('open', 'expire', 'expired'),
  ('open', 'void', 'voided');

comment on table change_request_transition is 'Global: the legal changes of a change request''s state; every other is refused (CS002).';
comment on column change_request_transition.from_state is 'The state before; empty for creation.';
comment on column change_request_transition.event is 'The event.';
comment on column change_request_transition.to_state is 'The state after.';

create table change_request (
  tenant_id uuid not null constraint change_request_tenant_fk references tenant (id),
  id uuid not null,
  kind text not null,
  state text not null constraint change_request_state_fk references change_request_state,
  subject_type text not null,
  subject_id text not null,
  what text not null,
  reason text not null,
  payload text not null,
  base_digest text not null,
  change_digest text not null,
  loosens jsonb not null,
  detail text not null,
  required_role text not null,
  requested_by uuid not null,
  credential_id uuid not null,
  beneficiary_id uuid,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  closed_at timestamptz,
  closed_by uuid,
  closed_reason text,
  mfa_method text constraint change_request_mfa_method_check check (mfa_method in ('passkey', 'totp', 'recovery_code')),
  mfa_proved_at timestamptz,
  seal text not null constraint change_request_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint change_request_pk primary key (tenant_id, id),
  constraint change_request_requested_by_fk foreign key (tenant_id, requested_by) references person (tenant_id, id),
  constraint change_request_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint change_request_beneficiary_fk foreign key (tenant_id, beneficiary_id) references person (tenant_id, id),
  constraint change_request_closed_by_fk foreign key (tenant_id, closed_by) references person (tenant_id, id),
  constraint change_request_loosens_check check (jsonb_typeof(loosens) = 'array' and jsonb_array_length(loosens) > 0),
  constraint change_request_expires_check check (expires_at > opened_at),
  constraint change_request_closed_check check ((state = 'open') = (closed_at is null)),
  -- Two people: the author does not confirm it, and the confirming person has proved a second factor.
  constraint change_request_two_people_check check (state <> 'applied' or (closed_by is not null and closed_by <> requested_by)),
  constraint change_request_proof_check check (num_nulls(mfa_method, mfa_proved_at) = case when state = 'applied' then 0 else 2 end),
  constraint change_request_withdrawn_check check (state <> 'withdrawn' or closed_by = requested_by),
  constraint change_request_reason_check check ((closed_reason is null) = (state not in ('rejected', 'voided'))),
  constraint change_request_kind_check check (kind in (
    'autonomy', 'tool_catalog', 'role_assignment', 'executor', 'environment', 'factor_reset', 'sign_in', 'enrolment', 'person_enabled',
    'agent_owner', 'incident_settings', 'slack_app', 'slack_workspace', 'slack_routes', 'secret_binding', 'runner', 'audit_retention',
      'audit_epoch', 'audit_key', 'automation_safe_tool', 'webhook', 'lifecycle_hook', 'siem_collector', 'embedder')),
  constraint change_request_why_check
    check (char_length(reason) between 1 and 4000)
);
create index change_request_opened_idx on change_request (tenant_id, opened_at desc, id desc);
create index change_request_open_idx on change_request (tenant_id, expires_at, id) where state = 'open';

comment on table change_request is 'A change that loosens, as it waits for a second person and as it was decided.';
comment on column change_request.tenant_id is 'The tenant it belongs to.';
comment on column change_request.id is 'UUIDv7.';
comment on column change_request.kind is 'The kind of thing that it changes.';
comment on column change_request.state is 'Its state in the lifecycle.';
comment on column change_request.subject_type is 'The kind of the changed thing, as audit entries name it.';
comment on column change_request.subject_id is 'The id of the changed thing, or its name if it has no id yet.';
comment on column change_request.what is 'The change in one line, worded by the server.';
comment on column change_request.reason is 'The reason for it, in the author''s words.';
comment on column change_request.payload is 'Canonical JSON: exactly the change that is carried out once it is confirmed.';
comment on column change_request.base_digest is 'Digest of the state that the change was worked out against; another state voids it.';
comment on column change_request.change_digest is 'The digest that a person confirms: over the change, its base and the rules that it loosens.';
comment on column change_request.loosens is 'In words, worked out by the server from the difference.';
comment on column change_request.detail is 'Canonical JSON: a diff, or cells before and after, for the confirming person.';
comment on column change_request.required_role is 'The role that a confirming person needs, held since before it was opened.';
comment on column change_request.requested_by is 'The author, who cannot confirm it.';
comment on column change_request.credential_id is 'The credential it was asked for with.';
comment on column change_request.beneficiary_id is 'The person who gains by it and therefore cannot confirm it if others can.';
comment on column change_request.opened_at is 'When it was asked for.';
comment on column change_request.expires_at is 'From when it can no longer be confirmed.';
comment on column change_request.closed_at is 'When it came to its end.';
comment on column change_request.closed_by is 'The person who confirmed, rejected or withdrew it; null if the clock or a void ended it.';
comment on column change_request.closed_reason is 'The reason why it was rejected or voided.';
comment on column change_request.mfa_method is 'The second factor of the confirming person.';
comment on column change_request.mfa_proved_at is 'When they proved it.';
comment on column change_request.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('change_request');
select countersign_state_machine('change_request', 'change_request_transition');
select countersign_changes_only('change_request',
  'state', 'closed_at', 'closed_by', 'closed_reason', 'mfa_method', 'mfa_proved_at');
select countersign_system_reads('change_request');
-- An open page shows how a change ends.
select countersign_live('change_request', 'change_request');
create trigger change_request_set_once before update on change_request
  for each row execute function countersign_refuse_unset('closed_at', 'closed_by', 'closed_reason');

create function change_expire_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select change.tenant_id, change.id from change_request change
     where change.state = 'open' and change.expires_at <= at
       and change.id <> all (held) and change.tenant_id <> all (full_tenants)
     order by change.expires_at limit most;
  end;
select countersign_system_function('change_expire_due(timestamptz, integer, uuid[], uuid[])');
comment on function change_expire_due(timestamptz, integer, uuid[], uuid[]) is 'Changes past their time, the longest due first.';
