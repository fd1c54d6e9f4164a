-- What a tenant sets about incidents, and what is sent on to PagerDuty: written in the transaction that changes an incident,
-- sent afterwards, in order.

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
select countersign_protect('incident_setting');
comment on table incident_setting is 'What a tenant sets about incidents; the platform''s defaults where there is no row.';
comment on column incident_setting.tenant_id is 'The tenant it belongs to.';
comment on column incident_setting.destinations is 'Where each destination that notifies names is reached: {name: [Slack channel or mail address]}.';
comment on column incident_setting.review_days is 'How many days after the invocation the post-mortem is to be reviewed.';
comment on column incident_setting.pagerduty_secret is 'The secret that holds the routing key of an Events API v2 integration: name@version.';
comment on column incident_setting.pagerduty_url is 'Where the Events API v2 takes events; its connection passes the rules for outbound addresses.';
comment on column incident_setting.updated_at is 'When it was last written.';
comment on column incident_setting.updated_by is 'By whom.';

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
select countersign_protect('incident_page');
select countersign_changes_only('incident_page', 'state', 'attempts', 'next_attempt_at', 'last_error', 'sent_at');
comment on table incident_page is 'What PagerDuty is told of an incident: one event an action, in order.';
comment on column incident_page.tenant_id is 'The tenant it belongs to.';
comment on column incident_page.id is 'UUIDv7; its order is that of the actions.';
comment on column incident_page.incident_id is 'The incident; the dedup_key of the event.';
comment on column incident_page.action is 'The event_action: trigger, acknowledge or resolve.';
comment on column incident_page.state is 'pending, sent, or failed for good.';
comment on column incident_page.attempts is 'How often it was tried.';
comment on column incident_page.next_attempt_at is 'Not to be tried before: while one worker does, no other does.';
comment on column incident_page.last_error is 'Why it last failed.';
comment on column incident_page.created_at is 'When it was written.';
comment on column incident_page.sent_at is 'When PagerDuty took it.';

select countersign_system_reads('incident_page');
create function incident_page_due(at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select page.tenant_id, page.id from incident_page page
     where page.state = 'pending' and page.next_attempt_at <= clock_timestamp()
     order by page.next_attempt_at limit at_most;
  end;
select countersign_system_function('incident_page_due(integer)');
comment on function incident_page_due(integer) is 'Events for PagerDuty that are due, the longest waiting first.';
