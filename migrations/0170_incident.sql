-- Break-glass and incidents. Incident lifecycle (libs/reach/incident/src/domain/incident-transitions.ts holds the same rows):
--
--   (new) ──open──▶ open ──acknowledge──▶ acknowledged ──resolve──▶ resolved ──review──▶ reviewed

create table incident_state (
  state text not null,
  constraint incident_state_pk primary key (state)
);
insert into incident_state values ('open'), ('acknowledged'), ('resolved'), ('reviewed');
comment on table incident_state is 'Global: the states of an incident.';
comment on column incident_state.state is 'The state''s name.';
select countersign_lookup('incident_state');

create table incident_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint incident_transition_to_fk references incident_state,
  constraint incident_transition_pk primary key (from_state, event)
);
insert into incident_transition values
  ('', 'open', 'open'),
  ('open', 'acknowledge', 'acknowledged'),
  ('acknowledged', 'resolve', 'resolved'),
  ('resolved', 'review', 'reviewed');

comment on table incident_transition is 'Global: the legal changes of an incident''s state; every other is refused (CS002).';
comment on column incident_transition.from_state is 'The state before; empty for creation.';
comment on column incident_transition.event is 'The event.';
comment on column incident_transition.to_state is 'The state after.';

create table incident (
  tenant_id uuid not null constraint incident_tenant_fk references tenant (id),
  id uuid not null,
  state text not null constraint incident_state_fk references incident_state,
  task_id uuid not null,
  plan_id uuid not null,
  plan_digest text not null,
  environment_id uuid not null,
  decision_id uuid not null,
  invoked_by uuid not null,
  credential_id uuid not null,
  justification text not null,
  mfa jsonb not null,
  notifies jsonb not null,
  event_count integer not null,
  opened_at timestamptz not null,
  review_due_at timestamptz not null,
  acknowledged_at timestamptz,
  acknowledged_by uuid,
  resolved_at timestamptz,
  resolved_by uuid,
  post_mortem text,
  reviewed_at timestamptz,
  reviewed_by uuid,
  review_comment text,
  escalated_at timestamptz,
  escalations integer not null default 0 constraint incident_escalations_check check (escalations >= 0),
  escalate_at timestamptz not null,
  constraint incident_pk primary key (tenant_id, id),
  constraint incident_task_fk foreign key (tenant_id, task_id) references task (tenant_id, id),
  constraint incident_plan_fk foreign key (tenant_id, plan_id) references plan (tenant_id, id),
  constraint incident_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint incident_decision_fk foreign key (tenant_id, decision_id) references decision (tenant_id, id),
  constraint incident_invoked_by_fk foreign key (tenant_id, invoked_by) references person (tenant_id, id),
  constraint incident_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint incident_acknowledged_by_fk foreign key (tenant_id, acknowledged_by) references person (tenant_id, id),
  constraint incident_resolved_by_fk foreign key (tenant_id, resolved_by) references person (tenant_id, id),
  constraint incident_reviewed_by_fk foreign key (tenant_id, reviewed_by) references person (tenant_id, id),
  constraint incident_acknowledged_check check (
    num_nonnulls(acknowledged_at, acknowledged_by) = case when state = 'open' then 0 else 2 end),
  constraint incident_resolved_check check (
    num_nonnulls(resolved_at, resolved_by, post_mortem) = case when state in ('resolved', 'reviewed') then 3 else 0 end),
  constraint incident_reviewed_check check (
    num_nonnulls(reviewed_at, reviewed_by, review_comment) = case when state = 'reviewed' then 3 else 0 end),
  constraint incident_reviewer_check check (reviewed_by <> invoked_by),
  constraint incident_review_due_check check (review_due_at > opened_at),
  constraint incident_escalate_at_check check (escalate_at >= review_due_at)
);
create index incident_opened_idx on incident (tenant_id, opened_at desc, id desc);
create index incident_state_idx on incident (tenant_id, state, opened_at desc, id desc);
create index incident_plan_idx on incident (tenant_id, plan_id, opened_at, id);
create index incident_due_idx on incident (tenant_id, escalate_at, id) where state <> 'reviewed';

comment on table incident is 'A use of break-glass to be looked into: opened by it, and reviewed by another person than its invoker.';
comment on column incident.tenant_id is 'The tenant it belongs to.';
comment on column incident.id is 'UUIDv7.';
comment on column incident.state is 'Its state in the lifecycle.';
comment on column incident.task_id is 'The task.';
comment on column incident.plan_id is 'The plan revision that was executed.';
comment on column incident.plan_digest is 'Digest of exactly the executed plan.';
comment on column incident.environment_id is 'The environment.';
comment on column incident.decision_id is 'The policy decision that allowed it.';
comment on column incident.invoked_by is 'The person who invoked it.';
comment on column incident.credential_id is 'With which credential.';
comment on column incident.justification is 'Why, in that person''s words.';
comment on column incident.mfa is 'How the second factor was proved: {method, proved_at}.';
comment on column incident.notifies is 'The destinations that the autonomy document named.';
comment on column incident.event_count is 'The number of entries in its timeline.';
comment on column incident.opened_at is 'When, by the database''s clock.';
comment on column incident.review_due_at is 'By when the post-mortem is to be reviewed.';
comment on column incident.acknowledged_at is 'When somebody took it on.';
comment on column incident.acknowledged_by is 'The person who did.';
comment on column incident.resolved_at is 'When it was over.';
comment on column incident.resolved_by is 'The person who resolved it.';
comment on column incident.post_mortem is 'The account of the incident and its consequences.';
comment on column incident.reviewed_at is 'When the post-mortem was reviewed.';
comment on column incident.reviewed_by is 'The reviewer; never the invoker.';
comment on column incident.review_comment is 'The reviewer''s comment.';
comment on column incident.escalated_at is 'When the overdue review was first escalated; null for never.';
comment on column incident.escalations is 'How many times the overdue review was escalated.';
comment on column incident.escalate_at is 'When the review is escalated next, unless somebody acts before.';

select countersign_protect('incident');
select countersign_state_machine('incident', 'incident_transition');
select countersign_system_reads('incident');
select countersign_changes_only('incident',
  'state', 'event_count', 'acknowledged_at', 'acknowledged_by', 'resolved_at', 'resolved_by', 'post_mortem',
  'reviewed_at', 'reviewed_by', 'review_comment', 'escalated_at', 'escalations', 'escalate_at');
create trigger incident_set_once before update on incident for each row execute function countersign_refuse_unset(
  'acknowledged_at', 'acknowledged_by', 'resolved_at', 'resolved_by', 'post_mortem', 'reviewed_at', 'reviewed_by',
  'review_comment', 'escalated_at');
create trigger incident_search_word after insert on incident for each row execute function search_word_of_id();

-- A run under break-glass names its incident. The incident is there by the end of the transaction that made the run.
alter table run add constraint run_incident_fk foreign key (tenant_id, incident_id) references incident (tenant_id, id)
  deferrable initially deferred;

create function incident_escalate_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select incident.tenant_id, incident.id from incident
     where incident.state <> 'reviewed' and incident.escalate_at <= at
       and incident.id <> all (held) and incident.tenant_id <> all (full_tenants)
     order by incident.escalate_at limit most;
  end;
select countersign_system_function('incident_escalate_due(timestamptz, integer, uuid[], uuid[])');
comment on function incident_escalate_due(timestamptz, integer, uuid[], uuid[]) is
  'Incidents with an overdue review to escalate, the longest due first.';

create table incident_event (
  tenant_id uuid not null,
  incident_id uuid not null,
  seq integer not null constraint incident_event_seq_check check (seq >= 1),
  kind text not null constraint incident_event_kind_check check (
    kind in ('opened', 'run', 'acknowledged', 'note', 'resolved', 'reviewed', 'overdue', 'page_failed')),
  actor jsonb not null,
  text text not null,
  data jsonb not null,
  at timestamptz not null,
  constraint incident_event_pk primary key (tenant_id, incident_id, seq),
  constraint incident_event_incident_fk foreign key (tenant_id, incident_id) references incident (tenant_id, id)
);

comment on table incident_event is 'The timeline of an incident, in order and without gaps; it grows with the run. Insert-only.';
comment on column incident_event.tenant_id is 'The tenant it belongs to.';
comment on column incident_event.incident_id is 'The incident.';
comment on column incident_event.seq is 'Counts from 1 within the incident.';
comment on column incident_event.kind is 'Its kind: run is a move of its run. Every other is of the incident itself: its events, and remarks of people.';
comment on column incident_event.actor is 'The actor.';
comment on column incident_event.text is 'In words; a person''s own for a note.';
comment on column incident_event.data is 'The facts, by kind; never secrets.';
comment on column incident_event.at is 'When, by the database''s clock.';

select countersign_protect('incident_event');
select countersign_append_only('incident_event');
-- Every open page shows a use of break-glass and the moves of its incident.
select countersign_live('incident_event', 'incident', 'kind', 'incident_id');

-- ---------------------------------------------------------------------------------------------------------------
-- Settings and pages
-- ---------------------------------------------------------------------------------------------------------------

-- The transaction that changes an incident writes the events for PagerDuty. They are sent afterwards, in order.
create table incident_setting (
  tenant_id uuid not null,
  destinations jsonb not null,
  review_days integer not null constraint incident_setting_review_days_check check (review_days between 1 and 30),
  pagerduty_secret text,
  pagerduty_url text,
  updated_at timestamptz not null,
  updated_by uuid not null,
  constraint incident_setting_pk primary key (tenant_id),
  constraint incident_setting_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint incident_setting_updated_by_fk foreign key (tenant_id, updated_by) references person (tenant_id, id),
  constraint incident_setting_pagerduty_check check ((pagerduty_secret is null) = (pagerduty_url is null))
);

comment on table incident_setting is 'A tenant''s settings of incidents; the platform''s defaults if there is no row.';
comment on column incident_setting.tenant_id is 'The tenant it belongs to.';
comment on column incident_setting.destinations is 'The addresses of each destination that notifies names: {name: [address of a channel]}.';
comment on column incident_setting.review_days is 'How many days after the invocation the post-mortem is to be reviewed.';
comment on column incident_setting.pagerduty_secret is 'The secret that holds the routing key of an Events API v2 integration: name@version.';
comment on column incident_setting.pagerduty_url is 'The address of the Events API v2; its connection passes the rules for outbound addresses.';
comment on column incident_setting.updated_at is 'When it was last written.';
comment on column incident_setting.updated_by is 'The person who wrote it.';

select countersign_protect('incident_setting');

create table incident_page (
  tenant_id uuid not null,
  id uuid not null,
  incident_id uuid not null,
  action text not null constraint incident_page_action_check check (action in ('trigger', 'acknowledge', 'resolve')),
  state text not null constraint incident_page_state_check check (state in ('pending', 'sent', 'failed')),
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  last_error text,
  created_at timestamptz not null,
  sent_at timestamptz,
  constraint incident_page_pk primary key (tenant_id, id),
  constraint incident_page_action_key unique (tenant_id, incident_id, action),
  constraint incident_page_incident_fk foreign key (tenant_id, incident_id) references incident (tenant_id, id),
  constraint incident_page_sent_check check ((state = 'sent') = (sent_at is not null))
);
create index incident_page_due_idx on incident_page (tenant_id, next_attempt_at, id) where state = 'pending';

comment on table incident_page is 'Events of an incident for PagerDuty: one for each action, in order.';
comment on column incident_page.tenant_id is 'The tenant it belongs to.';
comment on column incident_page.id is 'UUIDv7; its order is that of the actions.';
comment on column incident_page.incident_id is 'The incident; the dedup_key of the event.';
comment on column incident_page.action is 'The event_action: trigger, acknowledge or resolve.';
comment on column incident_page.state is 'pending, sent, or failed for good.';
comment on column incident_page.attempts is 'How often it was tried.';
comment on column incident_page.next_attempt_at is 'Not to be tried before: while one worker does, no other does.';
comment on column incident_page.last_error is 'The reason for its last failure.';
comment on column incident_page.created_at is 'When it was written.';
comment on column incident_page.sent_at is 'When PagerDuty took it.';

select countersign_protect('incident_page');
select countersign_changes_only('incident_page', 'state', 'attempts', 'next_attempt_at', 'last_error', 'sent_at');
select countersign_system_reads('incident_page');

create function incident_page_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select page.tenant_id, page.id from incident_page page
     where page.state = 'pending' and page.next_attempt_at <= at
       and page.id <> all (held) and page.tenant_id <> all (full_tenants)
     order by page.next_attempt_at limit most;
  end;
select countersign_system_function('incident_page_due(timestamptz, integer, uuid[], uuid[])');
comment on function incident_page_due(timestamptz, integer, uuid[], uuid[]) is
  'Events for PagerDuty to send, the longest due first.';

-- A test message proves that a destination of incidents can be reached.
create table incident_destination_check (
  tenant_id uuid not null,
  id uuid not null,
  address text not null,
  checked_at timestamptz not null,
  answered_at timestamptz,
  error text,
  changed_at timestamptz,
  constraint incident_destination_check_pk primary key (tenant_id, id),
  constraint incident_destination_check_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint incident_destination_check_address_key unique (tenant_id, address),
  constraint incident_destination_check_answered_at_check check (answered_at <= checked_at),
  constraint incident_destination_check_error_check check (error is not null or answered_at is not null)
);
create index incident_destination_check_due_idx on incident_destination_check (tenant_id, checked_at);

comment on table incident_destination_check is 'The last test message to each address of a destination of incidents, and whether the address took it.';
comment on column incident_destination_check.tenant_id is 'The tenant it belongs to.';
comment on column incident_destination_check.id is 'UUIDv7.';
comment on column incident_destination_check.address is 'The address of a channel.';
comment on column incident_destination_check.checked_at is 'When the last test message was begun.';
comment on column incident_destination_check.answered_at is 'When the address last took one; null for never.';
comment on column incident_destination_check.error is 'The reason why the last one failed; null if the address took it.';
comment on column incident_destination_check.changed_at is 'When the Slack set-up behind the address last changed; a test begun before says nothing. Null for never.';

select countersign_protect('incident_destination_check');
select countersign_system_reads('incident_destination_check');

create function incident_test_destination_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id from incident_destination_check due
     where (due.checked_at <= at - interval '1 day' or (due.checked_at < due.changed_at and due.changed_at <= at))
       and due.id <> all (held) and due.tenant_id <> all (full_tenants)
     order by due.checked_at >= due.changed_at nulls last, due.checked_at limit most;
  end;
select countersign_system_function('incident_test_destination_due(timestamptz, integer, uuid[], uuid[])');
comment on function incident_test_destination_due(timestamptz, integer, uuid[], uuid[]) is
  'Addresses with an outdated test, then those without one for a day, the oldest first.';
