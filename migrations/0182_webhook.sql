-- Webhooks: endpoints of other systems, their secrets, and the events that are delivered to them.

create table webhook_endpoint (
  tenant_id uuid not null constraint webhook_endpoint_tenant_fk references tenant (id),
  id uuid not null,
  url text not null
    constraint webhook_endpoint_url_check check (url ~ '^https://[^/?#@]+(/[^?#]*)?$' and char_length(url) <= 2000),
  description text not null constraint webhook_endpoint_description_check check (char_length(description) <= 500),
  events text[] not null constraint webhook_endpoint_events_check check (cardinality(events) between 1 and 20),
  ca text constraint webhook_endpoint_ca_check check (char_length(ca) <= 20000),
  enabled boolean not null,
  off_reason text constraint webhook_endpoint_off_reason_check check (off_reason in ('person', 'gone', 'failing')),
  failing_since timestamptz,
  times_off integer not null constraint webhook_endpoint_times_off_check check (times_off >= 0),
  removed_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null,
  constraint webhook_endpoint_pk primary key (tenant_id, id),
  constraint webhook_endpoint_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint webhook_endpoint_off_check check (enabled = (off_reason is null)),
  constraint webhook_endpoint_removed_check check (removed_at is null or not enabled)
);
create index webhook_endpoint_removed_idx on webhook_endpoint (tenant_id) where removed_at is not null;

comment on table webhook_endpoint is 'Receivers of events, each at an https address.';
comment on column webhook_endpoint.tenant_id is 'The tenant it belongs to.';
comment on column webhook_endpoint.id is 'UUIDv7.';
comment on column webhook_endpoint.url is 'The address, without credentials and query; its connection passes the rules for outbound addresses.';
comment on column webhook_endpoint.description is 'Its purpose, in an admin''s words.';
comment on column webhook_endpoint.events is 'The events and groups of events that it gets: tool.failed, run.*.';
comment on column webhook_endpoint.ca is 'Certificates in PEM that alone vouch for it; null for the public authorities.';
comment on column webhook_endpoint.enabled is 'Whether events are sent to it.';
comment on column webhook_endpoint.off_reason is 'A person switched it off, it is gone, or it kept failing; null while it is on.';
comment on column webhook_endpoint.failing_since is 'The first failed attempt since the last success; null for none.';
comment on column webhook_endpoint.times_off is 'How often it was switched off. Deliveries of an earlier count are given up.';
comment on column webhook_endpoint.removed_at is 'When it was removed; upkeep deletes its deliveries and then the row. Null otherwise.';
comment on column webhook_endpoint.created_by is 'Its owner: the person who asked for it.';
comment on column webhook_endpoint.created_at is 'When it came into force.';

select countersign_protect('webhook_endpoint');
select countersign_system_reads('webhook_endpoint');
create trigger live_insert after insert on webhook_endpoint
  for each row execute function countersign_tell_change('webhook', 'id', 'enabled');
create trigger live_update after update on webhook_endpoint
  for each row when (old is distinct from new)
  execute function countersign_tell_change('webhook', 'id', 'enabled');

create table webhook_secret (
  tenant_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  made_at timestamptz not null,
  until timestamptz,
  constraint webhook_secret_pk primary key (tenant_id, id),
  constraint webhook_secret_endpoint_fk foreign key (tenant_id, endpoint_id)
    references webhook_endpoint (tenant_id, id) on delete cascade
);
create unique index webhook_secret_current_unique on webhook_secret (tenant_id, endpoint_id) where until is null;
create index webhook_secret_endpoint_idx on webhook_secret (tenant_id, endpoint_id);

comment on table webhook_secret is 'The secrets that sign the messages to an endpoint: the current one, and replaced ones for a while.';
comment on column webhook_secret.tenant_id is 'The tenant it belongs to.';
comment on column webhook_secret.id is 'UUIDv7.';
comment on column webhook_secret.endpoint_id is 'The endpoint.';
comment on column webhook_secret.key_id is 'Which master key encrypts it.';
comment on column webhook_secret.nonce is '96 random bits.';
comment on column webhook_secret.ciphertext is 'Ciphertext and tag.';
comment on column webhook_secret.made_at is 'When it was made.';
comment on column webhook_secret.until is 'Until when it signs; null for the current one.';

select countersign_protect('webhook_secret');

create table webhook_delivery_state (
  state text not null,
  constraint webhook_delivery_state_pk primary key (state)
);
insert into webhook_delivery_state (state) values ('pending'), ('delivered'), ('failed');
comment on table webhook_delivery_state is 'Global: the states of a delivery to an endpoint.';
comment on column webhook_delivery_state.state is 'pending until delivered, or failed when every attempt did.';
select countersign_lookup('webhook_delivery_state');

create table webhook_delivery_transition (
  from_state text not null,
  event text not null,
  to_state text not null,
  constraint webhook_delivery_transition_pk primary key (from_state, event),
  constraint webhook_delivery_transition_to_fk foreign key (to_state) references webhook_delivery_state (state)
);
-- '' --write--> pending --deliver--> delivered --resend--> pending
--               pending --give_up--> failed ----resend--> pending
insert into webhook_delivery_transition (from_state, event, to_state) values
  ('', 'write', 'pending'),
  ('pending', 'deliver', 'delivered'),
  ('pending', 'give_up', 'failed'),
  ('delivered', 'resend', 'pending'),
  ('failed', 'resend', 'pending');

comment on table webhook_delivery_transition is 'Global: the legal changes of a delivery''s state.';
comment on column webhook_delivery_transition.from_state is 'State before; empty for creation.';
comment on column webhook_delivery_transition.event is 'The event.';
comment on column webhook_delivery_transition.to_state is 'State after.';

create table webhook_delivery (
  tenant_id uuid not null,
  id uuid not null,
  endpoint_id uuid not null,
  event text not null constraint webhook_delivery_event_check check (event ~ '^[a-z]+[.][a-z0-9_]{1,100}$'),
  body text not null,
  state text not null,
  times_off integer not null,
  attempts integer not null constraint webhook_delivery_attempts_check check (attempts >= 0),
  tries jsonb not null,
  next_attempt_at timestamptz not null,
  leased_until timestamptz,
  created_at timestamptz not null,
  settled_at timestamptz,
  constraint webhook_delivery_pk primary key (tenant_id, id),
  constraint webhook_delivery_endpoint_fk foreign key (tenant_id, endpoint_id)
    references webhook_endpoint (tenant_id, id) on delete cascade,
  constraint webhook_delivery_state_fk foreign key (state) references webhook_delivery_state (state),
  constraint webhook_delivery_settled_check check ((state = 'pending') = (settled_at is null))
);
create index webhook_delivery_due_idx on webhook_delivery (tenant_id, endpoint_id, times_off, next_attempt_at) where state = 'pending';
create index webhook_delivery_leased_idx on webhook_delivery (tenant_id, endpoint_id, leased_until) where state = 'pending';
create index webhook_delivery_log_idx on webhook_delivery (tenant_id, endpoint_id, created_at desc, id desc);
create index webhook_delivery_settled_idx on webhook_delivery (tenant_id, settled_at) where state <> 'pending';

comment on table webhook_delivery is 'One event for one endpoint, with its attempts: at least once. Settled ones stay for 30 days, as the log.';
comment on column webhook_delivery.tenant_id is 'The tenant it belongs to.';
comment on column webhook_delivery.id is 'UUIDv7; the webhook-id of every attempt, by which a receiver tells repetitions.';
comment on column webhook_delivery.endpoint_id is 'The endpoint.';
comment on column webhook_delivery.event is 'The name of the event: tool.completed.';
comment on column webhook_delivery.body is 'The body as it is sent, masked.';
comment on column webhook_delivery.state is 'See webhook_delivery_transition.';
comment on column webhook_delivery.times_off is 'How often its endpoint had been switched off when it was written or sent again.';
comment on column webhook_delivery.attempts is 'How often it was tried since it was written or sent again, without attempts made early by request.';
comment on column webhook_delivery.tries is 'The latest attempts: time, status, error and the beginning of the answer, masked.';
comment on column webhook_delivery.next_attempt_at is 'Not to be tried before.';
comment on column webhook_delivery.leased_until is 'A worker sends it until then; null if none does.';
comment on column webhook_delivery.created_at is 'When it was written.';
comment on column webhook_delivery.settled_at is 'When it was delivered or given up; null while it is tried.';

select countersign_protect('webhook_delivery');
select countersign_system_reads('webhook_delivery');
select countersign_state_machine('webhook_delivery', 'webhook_delivery_transition');
select countersign_changes_only('webhook_delivery', 'state', 'times_off', 'attempts', 'tries', 'next_attempt_at', 'leased_until', 'settled_at');
grant delete on webhook_delivery to countersign_app;
create trigger live_insert after insert on webhook_delivery
  for each row execute function countersign_tell_change('webhook', 'endpoint_id', 'state');
-- A failed attempt leaves the state as it is.
create trigger live_update after update on webhook_delivery
  for each row when (old.state is distinct from new.state or old.tries is distinct from new.tries)
  execute function countersign_tell_change('webhook', 'endpoint_id', 'state');

-- An endpoint has at most four attempts under way, so that a slow receiver does not hold up the others.
-- `waiting` skips through the index, from one endpoint with a pending delivery to the next: endpoints without one cost nothing.
create function webhook_deliver_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    with recursive waiting as (
      (select delivery.tenant_id, delivery.endpoint_id from webhook_delivery delivery
        where delivery.state = 'pending'
        order by delivery.tenant_id, delivery.endpoint_id limit 1)
      union all
      select next.tenant_id, next.endpoint_id
        from waiting
        cross join lateral (
          select delivery.tenant_id, delivery.endpoint_id from webhook_delivery delivery
           where delivery.state = 'pending'
             and (delivery.tenant_id, delivery.endpoint_id) > (waiting.tenant_id, waiting.endpoint_id)
           order by delivery.tenant_id, delivery.endpoint_id limit 1) next)
    select due.tenant_id, due.id
      from waiting
      join webhook_endpoint endpoint on endpoint.tenant_id = waiting.tenant_id and endpoint.id = waiting.endpoint_id
      cross join lateral (
        select delivery.tenant_id, delivery.id, delivery.next_attempt_at from webhook_delivery delivery
         where delivery.tenant_id = endpoint.tenant_id and delivery.endpoint_id = endpoint.id
           and delivery.times_off = endpoint.times_off
           and delivery.state = 'pending' and delivery.next_attempt_at <= at and delivery.id <> all (held)
         order by delivery.next_attempt_at limit 4) due
     where endpoint.enabled and endpoint.tenant_id <> all (full_tenants)
     order by due.next_attempt_at limit most;
  end;
select countersign_system_function('webhook_deliver_due(timestamptz, integer, uuid[], uuid[])');
comment on function webhook_deliver_due(timestamptz, integer, uuid[], uuid[]) is
  'Deliveries to make, at most four of an endpoint, the longest due first.';

create function webhook_settled_tenants(before timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id
      from tenant
     where exists (select from webhook_delivery delivery
                    where delivery.tenant_id = tenant.id and delivery.state <> 'pending' and delivery.settled_at < before);
  end;
select countersign_system_function('webhook_settled_tenants(timestamptz)');
comment on function webhook_settled_tenants(timestamptz) is
  'Tenants with deliveries that were settled before a moment; id repeats the tenant.';

create function webhook_given_up_tenants() returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select distinct endpoint.tenant_id, endpoint.tenant_id
      from webhook_endpoint endpoint
     where endpoint.removed_at is not null
        or exists (select from webhook_delivery delivery
                    where delivery.tenant_id = endpoint.tenant_id and delivery.endpoint_id = endpoint.id
                      and delivery.state = 'pending' and delivery.times_off < endpoint.times_off);
  end;
select countersign_system_function('webhook_given_up_tenants()');
comment on function webhook_given_up_tenants() is
  'Tenants with a removed endpoint, or with deliveries that waited when their endpoint was switched off; id repeats the tenant.';
