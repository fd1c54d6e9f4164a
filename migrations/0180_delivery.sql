-- Notifications of people, and their delivery. A stage writes a row of outbox_message for an event. The row is fanned out to
-- further rows, one for each destination. Each of those is delivered, retried and given up alone.

-- ---------------------------------------------------------------------------------------------------------------
-- Outbox
-- ---------------------------------------------------------------------------------------------------------------

create table outbox_state (
  state text not null,
  constraint outbox_state_pk primary key (state)
);
insert into outbox_state (state) values ('pending'), ('delivered'), ('failed');
comment on table outbox_state is 'Global: the states of an outbox message.';
comment on column outbox_state.state is 'pending until delivered, or failed when every attempt did.';
select countersign_lookup('outbox_state');

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
comment on column outbox_transition.event is 'The event.';
comment on column outbox_transition.to_state is 'State after.';

-- A message that waits, was given up or was delivered just now cannot be deleted.
create function outbox_message_refuse_delete() returns trigger
  language plpgsql as $$
begin
  if old.state <> 'delivered' or old.delivered_at > clock_timestamp() - interval '29 days' then
    raise exception 'outbox_message: only what was delivered a month ago is deleted' using errcode = 'CS001';
  end if;
  return old;
end $$;
comment on function outbox_message_refuse_delete() is
  'Trigger: messages are deleted a month after they were delivered, and no others; SQLSTATE CS001.';

create table outbox_message (
  tenant_id uuid not null,
  id uuid not null,
  topic text not null,
  payload jsonb not null,
  cause_id uuid,
  destination text,
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
  constraint outbox_message_last_error_check check (char_length(last_error) <= 2000),
  constraint outbox_message_cause_fk foreign key (tenant_id, cause_id) references outbox_message (tenant_id, id)
);
create index outbox_message_due_idx on outbox_message (tenant_id, next_attempt_at) where state = 'pending';
create unique index outbox_message_destination_key on outbox_message (tenant_id, cause_id, destination) where cause_id is not null;
create index outbox_message_state_idx on outbox_message (tenant_id, state, created_at desc, id desc);

comment on table outbox_message is 'A message to somebody outside, written by the transaction that causes it and delivered afterwards, at least once.';
comment on column outbox_message.tenant_id is 'The tenant it belongs to.';
comment on column outbox_message.id is 'UUIDv7; the receiver tells repetitions by it.';
comment on column outbox_message.topic is 'The kind of message: approval_request.opened.';
comment on column outbox_message.payload is 'Ids, from which the message is made when it is sent.';
comment on column outbox_message.cause_id is 'The message that was fanned out to this one; null for a message that a stage wrote.';
comment on column outbox_message.destination is
  'Channel, address and showing: slack:C012:subject, email:<person>:subject, push:<subscription>:subject. Null for a message that a stage wrote.';
comment on column outbox_message.state is 'See outbox_transition.';
comment on column outbox_message.attempts is 'How often it was tried.';
comment on column outbox_message.next_attempt_at is 'Not to be tried before.';
comment on column outbox_message.last_error is 'The reason why the last attempt failed; without secrets.';
comment on column outbox_message.created_at is 'When it was written.';
comment on column outbox_message.delivered_at is 'When the receiver took it.';

select countersign_check_at_once('outbox_message');
select countersign_protect('outbox_message');
select countersign_system_reads('outbox_message');
select countersign_state_machine('outbox_message', 'outbox_transition');
select countersign_changes_only('outbox_message', 'state', 'attempts', 'next_attempt_at', 'last_error', 'delivered_at');
grant delete on outbox_message to countersign_app;
create trigger outbox_message_kept before delete on outbox_message
  for each row execute function outbox_message_refuse_delete();

-- A function writes a message, so that it travels with the other writes of its action as one statement.
create function outbox_append(new_id uuid, new_topic text, new_payload jsonb) returns void
  language plpgsql as $$
begin
  insert into outbox_message (tenant_id, id, topic, payload, state, next_attempt_at, created_at)
  values (countersign_current_tenant(), new_id, new_topic, new_payload, 'pending', clock_timestamp(), clock_timestamp());
end $$;
comment on function outbox_append(uuid, text, jsonb) is
  'Inserts a message of the current tenant that is due at once, with the rights of the caller.';

create function outbox_deliver_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select message.tenant_id, message.id from outbox_message message
     where message.state = 'pending' and message.next_attempt_at <= at
       and message.id <> all (held) and message.tenant_id <> all (full_tenants)
     order by message.next_attempt_at limit most;
  end;
select countersign_system_function('outbox_deliver_due(timestamptz, integer, uuid[], uuid[])');
comment on function outbox_deliver_due(timestamptz, integer, uuid[], uuid[]) is 'Messages to deliver, the longest due first.';

-- A delivered message repeats facts that stand elsewhere. The deletion happens inside each tenant.
create function outbox_delivered_tenants(before timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id
      from tenant
     where exists (select from outbox_message message
                    where message.tenant_id = tenant.id and message.state = 'delivered'
                      -- The list of messages by state has an index on this time. A message is delivered after it.
                      and message.created_at < before and message.delivered_at < before);
  end;
select countersign_system_function('outbox_delivered_tenants(timestamptz)');
comment on function outbox_delivered_tenants(timestamptz) is
  'Tenants with messages that were delivered before a moment; id repeats the tenant.';

create table notification_preference (
  tenant_id uuid not null,
  person_id uuid not null,
  channel text not null,
  requests boolean not null,
  reminders boolean not null,
  comments boolean not null,
  updated_at timestamptz not null,
  constraint notification_preference_pk primary key (tenant_id, person_id, channel),
  constraint notification_preference_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint notification_preference_channel_check check (channel ~ '^[a-z]{1,20}$')
);

comment on table notification_preference is 'The kinds of messages that a channel brings a person. A person without a row for a channel gets all of them.';
comment on column notification_preference.tenant_id is 'The tenant it belongs to.';
comment on column notification_preference.person_id is 'The person.';
comment on column notification_preference.channel is 'The name of the channel of delivery, such as email.';
comment on column notification_preference.requests is 'Requests and changes that wait for the person.';
comment on column notification_preference.reminders is 'Reminders of them.';
comment on column notification_preference.comments is 'Comments that concern the person.';
comment on column notification_preference.updated_at is 'When it was last set.';

select countersign_protect('notification_preference');

create table on_duty (
  tenant_id uuid not null,
  person_id uuid not null,
  since timestamptz not null,
  constraint on_duty_pk primary key (tenant_id, person_id),
  constraint on_duty_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id)
);

comment on table on_duty is 'People who are notified directly of waiting requests; if there are none, the channel is.';
comment on column on_duty.tenant_id is 'The tenant it belongs to.';
comment on column on_duty.person_id is 'The person.';
comment on column on_duty.since is 'Since when.';

select countersign_protect('on_duty');

-- ---------------------------------------------------------------------------------------------------------------
-- Web Push
-- ---------------------------------------------------------------------------------------------------------------

create table push_key (
  tenant_id uuid not null,
  public_key text not null,
  key_id text not null,
  private_key_nonce bytea not null,
  private_key bytea not null,
  created_at timestamptz not null,
  constraint push_key_pk primary key (tenant_id),
  constraint push_key_tenant_fk foreign key (tenant_id) references tenant (id)
);

comment on table push_key is 'The key that a tenant''s push messages are signed with (VAPID, RFC 8292).';
comment on column push_key.tenant_id is 'The tenant it belongs to.';
comment on column push_key.public_key is 'P-256, base64url; browsers subscribe with it.';
comment on column push_key.key_id is 'Which master key encrypts the private key.';
comment on column push_key.private_key_nonce is '96 random bits.';
comment on column push_key.private_key is 'Ciphertext and tag.';
comment on column push_key.created_at is 'When it was made.';

select countersign_protect('push_key');

create table push_subscription (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  endpoint text not null,
  p256dh text not null,
  auth text not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  constraint push_subscription_pk primary key (tenant_id, id),
  constraint push_subscription_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint push_subscription_endpoint_check check (char_length(endpoint) between 8 and 2000)
);
create unique index push_subscription_endpoint_key on push_subscription (tenant_id, endpoint) where ended_at is null;
create index push_subscription_person_idx on push_subscription (tenant_id, person_id, id) where ended_at is null;

comment on table push_subscription is 'A browser that shows a person the requests that wait for them (RFC 8030).';
comment on column push_subscription.tenant_id is 'The tenant it belongs to.';
comment on column push_subscription.id is 'UUIDv7.';
comment on column push_subscription.person_id is 'The person.';
comment on column push_subscription.endpoint is 'The address of the browser''s push service; its connection passes the rules for outbound addresses.';
comment on column push_subscription.p256dh is 'The browser''s public key, base64url.';
comment on column push_subscription.auth is 'The secret shared with the browser, base64url.';
comment on column push_subscription.created_at is 'When it was made.';
comment on column push_subscription.ended_at is 'When it was taken back, or the push service no longer knew it.';

select countersign_protect('push_subscription');
