-- What the service needs to be called safely and to call others safely: answers kept for repeated requests, and
-- messages that leave after the transaction that caused them.

create table idempotency_record (
  tenant_id uuid not null,
  id uuid not null,
  credential_id uuid not null,
  idempotency_key text not null,
  operation text not null,
  request_digest text not null,
  response_status integer,
  response_headers jsonb,
  response_body text,
  created_at timestamptz not null,
  completed_at timestamptz,
  expires_at timestamptz not null,
  constraint idempotency_record_pk primary key (tenant_id, id),
  constraint idempotency_record_key unique (tenant_id, credential_id, idempotency_key),
  constraint idempotency_record_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint idempotency_record_key_check check (char_length(idempotency_key) between 1 and 255),
  constraint idempotency_record_digest_check check (request_digest ~ '^sha256:[0-9a-f]{64}$'),
  constraint idempotency_record_status_check check (response_status between 200 and 599),
  constraint idempotency_record_completed_check check (
    (completed_at is null) = (response_status is null) and (completed_at is null) = (response_body is null)
    and (completed_at is null) = (response_headers is null)),
  constraint idempotency_record_expires_at_check check (expires_at > created_at)
);
create index idempotency_record_expiry_idx on idempotency_record (tenant_id, expires_at);
select countersign_protect('idempotency_record');

comment on table idempotency_record is 'The answer to a creating request, given again to whoever sends the same request with the same Idempotency-Key.';
comment on column idempotency_record.tenant_id is 'The tenant it belongs to.';
comment on column idempotency_record.id is 'UUIDv7.';
comment on column idempotency_record.credential_id is 'Who asked: a key means something only for the credential that chose it.';
comment on column idempotency_record.idempotency_key is 'The header''s value.';
comment on column idempotency_record.operation is 'Method and route template, POST /v1/tasks.';
comment on column idempotency_record.request_digest is 'Digest of the request body; another body with the same key is refused.';
comment on column idempotency_record.response_status is 'HTTP status that was answered; null while the first request is still at work.';
comment on column idempotency_record.response_headers is 'Headers that belong to the answer (ETag, Location).';
comment on column idempotency_record.response_body is 'Body that was answered, byte for byte.';
comment on column idempotency_record.created_at is 'When the first request came.';
comment on column idempotency_record.completed_at is 'When it was answered.';
comment on column idempotency_record.expires_at is 'From when the key may be used anew.';

create table outbox_state (
  state text not null,
  constraint outbox_state_pk primary key (state)
);
insert into outbox_state (state) values ('pending'), ('delivered'), ('failed');
select countersign_lookup('outbox_state');
comment on table outbox_state is 'Global: the states of an outbox message.';
comment on column outbox_state.state is 'pending until delivered, or failed when every attempt did.';

create table outbox_transition (
  from_state text not null,
  event text not null,
  to_state text not null,
  constraint outbox_transition_pk primary key (from_state, event),
  constraint outbox_transition_to_fk foreign key (to_state) references outbox_state (state)
);
-- '' --write--> pending --deliver--> delivered
--               pending --give_up--> failed --retry--> pending
insert into outbox_transition (from_state, event, to_state) values
  ('', 'write', 'pending'),
  ('pending', 'deliver', 'delivered'),
  ('pending', 'give_up', 'failed'),
  ('failed', 'retry', 'pending');
comment on table outbox_transition is 'Global: the legal changes of an outbox message''s state.';
comment on column outbox_transition.from_state is 'State before; empty for creation.';
comment on column outbox_transition.event is 'What happens.';
comment on column outbox_transition.to_state is 'State after.';

create table outbox_message (
  tenant_id uuid not null,
  id uuid not null,
  topic text not null,
  payload jsonb not null,
  state text not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  delivered_at timestamptz,
  constraint outbox_message_pk primary key (tenant_id, id),
  constraint outbox_message_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint outbox_message_state_fk foreign key (state) references outbox_state (state),
  constraint outbox_message_topic_check check (topic ~ '^[a-z][a-z0-9_.]{0,62}$'),
  constraint outbox_message_attempts_check check (attempts >= 0),
  constraint outbox_message_delivered_check check ((state = 'delivered') = (delivered_at is not null)),
  constraint outbox_message_last_error_check check (char_length(last_error) <= 2000)
);
create index outbox_message_due_idx on outbox_message (tenant_id, next_attempt_at) where state = 'pending';
select countersign_protect('outbox_message');
select countersign_system_reads('outbox_message');
select countersign_state_machine('outbox_message', 'outbox_transition');

comment on table outbox_message is 'A message to somebody outside, written by the transaction that causes it and delivered afterwards, at least once.';
comment on column outbox_message.tenant_id is 'The tenant it belongs to.';
comment on column outbox_message.id is 'UUIDv7; the receiver tells repetitions by it.';
comment on column outbox_message.topic is 'What kind of message: approval_request.opened.';
comment on column outbox_message.payload is 'Ids, from which the message is made when it is sent.';
comment on column outbox_message.state is 'See outbox_transition.';
comment on column outbox_message.attempts is 'How often it was tried.';
comment on column outbox_message.next_attempt_at is 'Not to be tried before.';
comment on column outbox_message.last_error is 'Why the last attempt failed; without secrets.';
comment on column outbox_message.created_at is 'When it was written.';
comment on column outbox_message.delivered_at is 'When the receiver took it.';

create function outbox_due(at timestamptz, at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select message.tenant_id, message.id
      from outbox_message message
      where message.state = 'pending' and message.next_attempt_at <= at
      order by message.next_attempt_at
      limit at_most;
  end;
select countersign_system_function('outbox_due(timestamptz, integer)');

comment on function outbox_due(timestamptz, integer) is 'Messages whose time has come, the longest waiting first.';
