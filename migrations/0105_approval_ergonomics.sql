-- Approval, as people live it: what waits for whom, who looks at it, reminders, and what keeps people from being worn out.

-- ---------------------------------------------------------------------------------------------------------------
-- My queue
-- ---------------------------------------------------------------------------------------------------------------

alter table approval_request add column risk smallint not null default 3
  constraint approval_request_risk_check check (risk between 0 and 3);
comment on column approval_request.risk is
  'The level of the riskiest tool that would run: 0 low, 1 medium, 2 high, 3 critical. Of requests from before it was kept, 3.';
create index approval_request_queue_idx on approval_request (tenant_id, risk desc, expires_at, id) where state = 'open';
alter table approval_request add column content_digest text;
comment on column approval_request.content_digest is
  'Digest of what would be done and by which terms, whatever task and simulation it stands in: identical requests have the same.';
create index approval_request_content_idx on approval_request (tenant_id, agent_id, content_digest) where state = 'open';
create index approval_request_agent_idx on approval_request (tenant_id, agent_id, opened_at desc) where agent_id is not null;

-- ---------------------------------------------------------------------------------------------------------------
-- Claims and first looks
-- ---------------------------------------------------------------------------------------------------------------

create table approval_claim (
  tenant_id uuid not null,
  request_id uuid not null,
  person_id uuid not null,
  claimed_at timestamptz not null,
  expires_at timestamptz not null,
  constraint approval_claim_pk primary key (tenant_id, request_id),
  constraint approval_claim_request_fk foreign key (tenant_id, request_id) references approval_request (tenant_id, id),
  constraint approval_claim_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint approval_claim_expires_check check (expires_at > claimed_at)
);
comment on table approval_claim is 'Who says that they are looking at a request; a hint to others, which keeps nobody from reviewing.';
comment on column approval_claim.tenant_id is 'The tenant it belongs to.';
comment on column approval_claim.request_id is 'The request.';
comment on column approval_claim.person_id is 'Who looks at it.';
comment on column approval_claim.claimed_at is 'When they said so, or last said so again.';
comment on column approval_claim.expires_at is 'From when it says nothing any more; true by the clock.';
select countersign_protect('approval_claim');
select countersign_live('approval_claim', 'approval_request', 'person_id', 'request_id');

create table approval_look (
  tenant_id uuid not null,
  request_id uuid not null,
  person_id uuid not null,
  first_at timestamptz not null,
  constraint approval_look_pk primary key (tenant_id, request_id, person_id),
  constraint approval_look_request_fk foreign key (tenant_id, request_id) references approval_request (tenant_id, id),
  constraint approval_look_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id)
);
comment on table approval_look is 'When a screen first showed a request to a person. How fast they approved is counted from here.';
comment on column approval_look.tenant_id is 'The tenant it belongs to.';
comment on column approval_look.request_id is 'The request.';
comment on column approval_look.person_id is 'Who saw it.';
comment on column approval_look.first_at is 'When they first did.';
select countersign_protect('approval_look');
select countersign_append_only('approval_look');

-- ---------------------------------------------------------------------------------------------------------------
-- Reminders and escalation
-- ---------------------------------------------------------------------------------------------------------------

create table approval_reminder (
  tenant_id uuid not null,
  request_id uuid not null,
  which text not null constraint approval_reminder_which_check check (which in ('half_time', 'near_end', 'escalated')),
  due_at timestamptz not null,
  roles text[],
  settled_at timestamptz,
  sent boolean,
  constraint approval_reminder_pk primary key (tenant_id, request_id, which),
  constraint approval_reminder_request_fk foreign key (tenant_id, request_id) references approval_request (tenant_id, id),
  constraint approval_reminder_roles_check check ((which = 'escalated') = (roles is not null)),
  constraint approval_reminder_settled_check check ((settled_at is null) = (sent is null))
);
create index approval_reminder_due_idx on approval_reminder (tenant_id, due_at) where settled_at is null;
comment on table approval_reminder is 'What people are to be told of a request that stays open, each once.';
comment on column approval_reminder.tenant_id is 'The tenant it belongs to.';
comment on column approval_reminder.request_id is 'The request.';
comment on column approval_reminder.which is 'half_time, near_end, or escalated.';
comment on column approval_reminder.due_at is 'When, if the request is open then.';
comment on column approval_reminder.roles is 'Whom an escalation tells; null for the others.';
comment on column approval_reminder.settled_at is 'When it was told, or found to be needed no more; null before.';
comment on column approval_reminder.sent is 'Whether it was told; null before it was settled.';
select countersign_protect('approval_reminder');
select countersign_changes_only('approval_reminder', 'settled_at', 'sent');
create trigger approval_reminder_set_once before update on approval_reminder
  for each row execute function countersign_refuse_unset('settled_at', 'sent');
select countersign_system_reads('approval_reminder');

create function approval_reminder_due(most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.request_id from (
      select reminder.tenant_id, reminder.request_id, min(reminder.due_at) as at from approval_reminder reminder
        where reminder.settled_at is null and reminder.due_at <= clock_timestamp()
        group by reminder.tenant_id, reminder.request_id order by 3 limit most
    ) due order by due.at;
  end;
select countersign_system_function('approval_reminder_due(integer)');
comment on function approval_reminder_due(integer) is
  'Requests of which people are to be reminded now. Whether they are is decided inside their tenant.';

-- ---------------------------------------------------------------------------------------------------------------
-- An agent that floods
-- ---------------------------------------------------------------------------------------------------------------

create table approval_throttle (
  tenant_id uuid not null,
  agent_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  refused integer not null constraint approval_throttle_refused_check check (refused >= 1),
  constraint approval_throttle_pk primary key (tenant_id, agent_id),
  constraint approval_throttle_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint approval_throttle_until_check check (until > since)
);
comment on table approval_throttle is 'Agents that asked for more approvals than people can weigh: the latest time that happened.';
comment on column approval_throttle.tenant_id is 'The tenant it belongs to.';
comment on column approval_throttle.agent_id is 'The agent.';
comment on column approval_throttle.since is 'When it was first refused.';
comment on column approval_throttle.until is 'From when it may ask again; each refusal moves it.';
comment on column approval_throttle.refused is 'How often it was refused in that time.';
select countersign_protect('approval_throttle');
