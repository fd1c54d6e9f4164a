-- Approval requests, the reviews of people, and delegations of reviewing roles. Lifecycle of a request
-- (libs/stages/approval/src/domain/approval-transitions.ts holds the same rows):
--
--   open ──approve──▶ approved ──consume──▶ consumed
--    │                    ├──expire──▶ expired
--    │                    └──void──▶ voided
--    ├──deny──▶ denied          ├──request_changes──▶ changes_requested
--    ├──expire──▶ expired       └──void──▶ voided

-- ---------------------------------------------------------------------------------------------------------------
-- Requests
-- ---------------------------------------------------------------------------------------------------------------

create table approval_state (
  state text not null,
  constraint approval_state_pk primary key (state)
);
insert into approval_state values
  ('open'), ('approved'), ('denied'), ('changes_requested'), ('expired'), ('voided'), ('consumed');
comment on table approval_state is 'Global: the states of an approval request.';
comment on column approval_state.state is 'The state''s name.';
select countersign_lookup('approval_state');

create table approval_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint approval_transition_to_fk references approval_state,
  constraint approval_transition_pk primary key (from_state, event)
);
insert into approval_transition values
  ('', 'open', 'open'),
  ('open', 'approve', 'approved'),
  ('open', 'deny', 'denied'),
  ('open', 'request_changes', 'changes_requested'),
  ('open', 'expire', 'expired'),
  ('open', 'void', 'voided'),
  ('approved', 'consume', 'consumed'),
  ('approved', 'expire', 'expired'),
  ('approved', 'void', 'voided');

comment on table approval_transition is 'Global: the legal changes of an approval request''s state; every other is refused (CS002).';
comment on column approval_transition.from_state is 'The state before; empty for creation.';
comment on column approval_transition.event is 'The event.';
comment on column approval_transition.to_state is 'The state after.';

create table approval_request (
  tenant_id uuid not null constraint approval_request_tenant_fk references tenant (id),
  id uuid not null,
  environment_id uuid not null,
  subject_type text not null constraint approval_request_subject_type_check check (subject_type in ('plan', 'tool_call')),
  subject_id uuid not null,
  plan_id uuid generated always as (case subject_type when 'plan' then subject_id end) stored,
  task_id uuid,
  simulation_id uuid,
  tool_call_id uuid generated always as (case subject_type when 'tool_call' then subject_id end) stored,
  session_id uuid,
  state text not null constraint approval_request_state_fk references approval_state,
  binding text not null,
  binding_digest text not null,
  phases text constraint approval_request_phases_check check (phases in ('all', 'canary', 'promotion')),
  decision_id uuid not null,
  autonomy_revision_id uuid,
  bundle_revision text not null,
  decision jsonb not null,
  excluded jsonb not null,
  content_digest text not null,
  headline text not null,
  risk smallint not null constraint approval_request_risk_check check (risk between 0 and 3),
  target_count integer not null constraint approval_request_target_count_check check (target_count >= 0),
  agent_id uuid,
  person_id uuid,
  on_behalf_of uuid,
  credential_id uuid not null,
  start text not null constraint approval_request_start_check check (start in ('on_approval', 'manual', 'at')),
  start_at timestamptz,
  start_after timestamptz,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  approved_at timestamptz,
  approval_expires_at timestamptz,
  closed_at timestamptz,
  closed_reason jsonb,
  seal text not null constraint approval_request_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint approval_request_pk primary key (tenant_id, id),
  constraint approval_request_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint approval_request_task_fk foreign key (tenant_id, task_id) references task (tenant_id, id),
  constraint approval_request_plan_fk foreign key (tenant_id, plan_id) references plan (tenant_id, id),
  constraint approval_request_simulation_fk foreign key (tenant_id, simulation_id) references simulation (tenant_id, id),
  constraint approval_request_decision_fk foreign key (tenant_id, decision_id) references decision (tenant_id, id),
  constraint approval_request_autonomy_fk
    foreign key (tenant_id, autonomy_revision_id) references autonomy_revision (tenant_id, id),
  constraint approval_request_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint approval_request_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint approval_request_on_behalf_of_fk foreign key (tenant_id, on_behalf_of) references person (tenant_id, id),
  constraint approval_request_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint approval_request_requester_check check (num_nonnulls(agent_id, person_id) = 1),
  constraint approval_request_plan_check
    check (case subject_type
             when 'plan' then num_nonnulls(task_id, phases) = 2 and session_id is null
             else num_nonnulls(task_id, phases, simulation_id) = 0 end),
  -- A call is approved or rejected, and allowed as soon as it is approved.
  constraint approval_request_tool_call_check
    check (subject_type <> 'tool_call' or (start = 'on_approval' and start_after is null and state <> 'changes_requested')),
  constraint approval_request_start_at_check check ((start = 'at') = (start_at is not null)),
  constraint approval_request_approved_check
    check ((approved_at is null) = (approval_expires_at is null) and (state not in ('approved', 'consumed') or approved_at is not null)),
  constraint approval_request_closed_check check ((state in ('open', 'approved')) = (closed_at is null)),
  constraint approval_request_reason_check
    check ((closed_reason is not null) = (state in ('denied', 'changes_requested', 'expired', 'voided')))
);
create unique index approval_request_live_unique on approval_request (tenant_id, subject_id) where state in ('open', 'approved');
create index approval_request_open_idx on approval_request (tenant_id, expires_at, id) where state = 'open';
create index approval_request_approved_idx on approval_request (tenant_id, approval_expires_at, id) where state = 'approved';
create index approval_request_start_idx on approval_request (tenant_id, start_at, id) where state = 'approved' and start = 'at';
create index approval_request_state_idx on approval_request (tenant_id, state, opened_at desc, id desc);
create index approval_request_task_idx on approval_request (tenant_id, task_id, opened_at desc, id desc);
create index approval_request_subject_idx on approval_request (tenant_id, subject_id, opened_at desc, id desc);
create index approval_request_environment_idx on approval_request (tenant_id, environment_id, opened_at desc, id desc);
create index approval_request_opened_idx on approval_request (tenant_id, opened_at desc, id desc);
create index approval_request_content_idx on approval_request (tenant_id, agent_id, content_digest) where state = 'open';
create index approval_request_agent_idx on approval_request (tenant_id, agent_id, opened_at desc) where agent_id is not null;
create index approval_request_held_idx on approval_request (tenant_id, start_after, id)
  where state = 'approved' and start_after is not null;
create index approval_request_queue_idx
  on approval_request (tenant_id, risk desc, target_count desc, expires_at, id) where state = 'open';
create index approval_request_person_idx on approval_request (tenant_id, person_id, opened_at desc) where person_id is not null;
create index approval_request_on_behalf_of_idx on approval_request (tenant_id, on_behalf_of) where on_behalf_of is not null;

comment on table approval_request is 'A question to people: may exactly this be executed? One request serves one run, or one call.';
comment on column approval_request.tenant_id is 'The tenant it belongs to.';
comment on column approval_request.id is 'UUIDv7.';
comment on column approval_request.environment_id is 'The environment of its subject.';
comment on column approval_request.subject_type is 'The kind of the subject: plan, or tool_call for a single call.';
comment on column approval_request.subject_id is 'The subject asked about; of a plan, its revision.';
comment on column approval_request.plan_id is 'The subject''s id if it is a plan; generated for the foreign key.';
comment on column approval_request.task_id is 'The task of the plan; null for a call.';
comment on column approval_request.simulation_id is 'The simulation that reviewers see; null if none is called for.';
comment on column approval_request.tool_call_id is 'The subject''s id if it is a call; generated for the foreign key.';
comment on column approval_request.session_id is 'The session of the call; null for a call by itself, and for a plan.';
comment on column approval_request.state is 'Its state in the lifecycle.';
comment on column approval_request.binding is 'The ApprovalBinding as canonical JSON: digests of everything an approver sees.';
comment on column approval_request.binding_digest is 'Digest of binding, kind binding.';
comment on column approval_request.phases is 'The phases of the plan that would run. all: every phase; canary: the canary phases alone; promotion: the rest after a canary. Null for a call.';
comment on column approval_request.decision_id is 'The recorded decision that asked for people.';
comment on column approval_request.autonomy_revision_id is 'The autonomy revision in force when it opened.';
comment on column approval_request.bundle_revision is 'The policy bundle in force when it opened.';
comment on column approval_request.decision is 'That decision: outcome, reasons, obligations, effective mode.';
comment on column approval_request.excluded is 'The people who can never review it, each with the reason: [{person_id, why}].';
comment on column approval_request.content_digest is 'Digest of the calls and their terms, without task and simulation: identical requests have the same.';
comment on column approval_request.headline is 'The effect of its subject in one line: lists and answers show it.';
comment on column approval_request.risk is 'The level of the riskiest tool that would run: 0 low, 1 medium, 2 high, 3 critical.';
comment on column approval_request.target_count is 'How many distinct targets its subject has.';
comment on column approval_request.agent_id is 'The agent that asked, or null.';
comment on column approval_request.person_id is 'The person who asked, or null.';
comment on column approval_request.on_behalf_of is 'The person who delegated to the agent.';
comment on column approval_request.credential_id is 'The credential it was asked with.';
comment on column approval_request.start is 'When the run starts once approved: on_approval, manual, or at a time.';
comment on column approval_request.start_at is 'The time, for start = at.';
comment on column approval_request.start_after is 'The time until which an automatic start is held back, by a freeze or by a refusal that passes. Null if it is not.';
comment on column approval_request.opened_at is 'When it opened; roles gained later do not count.';
comment on column approval_request.expires_at is 'Until when it can be decided; true by the clock, whether or not a job has run. For a call, seconds or minutes.';
comment on column approval_request.approved_at is 'When the quorum was complete.';
comment on column approval_request.approval_expires_at is 'Until when the approval is good for a start.';
comment on column approval_request.closed_at is 'When it reached a state it does not leave.';
comment on column approval_request.closed_reason is 'Why: {code, message, details}.';
comment on column approval_request.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('approval_request');
select countersign_state_machine('approval_request', 'approval_transition');
-- The question of a request never changes, and no request is deleted.
select countersign_changes_only('approval_request',
  'state', 'approved_at', 'approval_expires_at', 'closed_at', 'closed_reason', 'start_after');
select countersign_system_reads('approval_request');
select countersign_live('approval_request', 'approval_request');
-- Words are found within a task.
create trigger approval_request_search_word after insert on approval_request
  for each row when (new.task_id is not null) execute function search_word_of_id();

-- Functions write requests, reminders and reviews, so that they travel with their audit entries as one statement.
create function approval_request_insert(new_request jsonb) returns void
  language plpgsql as $$
begin
  insert into approval_request (
    tenant_id, id, environment_id, subject_type, subject_id, task_id, simulation_id, session_id, state, binding, binding_digest,
    content_digest, phases, headline, risk,
    target_count, decision_id, autonomy_revision_id, bundle_revision, decision, excluded, agent_id, person_id, on_behalf_of,
    credential_id, start, start_at, opened_at, expires_at, approved_at, approval_expires_at, closed_at, closed_reason, seal)
  select
    countersign_current_tenant(), n.id, n.environment_id, n.subject_type, n.subject_id, n.task_id, n.simulation_id, n.session_id,
    n.state, n.binding, n.binding_digest, n.content_digest, n.phases, n.headline, n.risk, n.target_count, n.decision_id,
    n.autonomy_revision_id, n.bundle_revision, n.decision, n.excluded, n.agent_id, n.person_id, n.on_behalf_of, n.credential_id, n.start, n.start_at,
    n.opened_at, n.expires_at, n.approved_at, n.approval_expires_at, n.closed_at, nullif(n.closed_reason, 'null'), n.seal
    from jsonb_populate_record(null::approval_request, new_request) n;
end $$;
comment on function approval_request_insert(jsonb) is
  'Inserts an approval request of the current tenant, with the rights of the caller.';

create function approval_request_save(
  of_request uuid, new_state text, new_approved_at timestamptz, new_approval_expires_at timestamptz, new_closed_at timestamptz,
  new_closed_reason jsonb
) returns void
  language plpgsql as $$
begin
  update approval_request set state = new_state, approved_at = new_approved_at, approval_expires_at = new_approval_expires_at,
                              closed_at = new_closed_at, closed_reason = new_closed_reason
   where tenant_id = countersign_current_tenant() and id = of_request;
  if not found then raise exception 'approval request % was to be saved and is not there', of_request; end if;
end $$;
comment on function approval_request_save(uuid, text, timestamptz, timestamptz, timestamptz, jsonb) is
  'Updates an approval request of the current tenant, with the rights of the caller.';

create function approval_expire_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id from (
      (select request.tenant_id, request.id, request.expires_at as due_at from approval_request request
        where request.state = 'open' and request.expires_at <= at
          and request.id <> all (held) and request.tenant_id <> all (full_tenants)
        order by request.expires_at limit most)
      union all
      (select request.tenant_id, request.id, request.approval_expires_at from approval_request request
        where request.state = 'approved' and request.approval_expires_at <= at
          and request.id <> all (held) and request.tenant_id <> all (full_tenants)
        order by request.approval_expires_at limit most)
    ) due order by due.due_at limit most;
  end;
select countersign_system_function('approval_expire_due(timestamptz, integer, uuid[], uuid[])');
comment on function approval_expire_due(timestamptz, integer, uuid[], uuid[]) is
  'Approval requests past their time, the longest due first.';

create function approval_start_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id from (
      (select request.tenant_id, request.id, request.start_at as due_at from approval_request request
        where request.state = 'approved' and request.start = 'at' and request.start_after is null
          and request.start_at <= at and request.approval_expires_at > clock_timestamp()
          and request.id <> all (held) and request.tenant_id <> all (full_tenants)
        order by request.start_at limit most)
      union all
      (select request.tenant_id, request.id, request.start_after from approval_request request
        where request.state = 'approved' and request.start in ('at', 'on_approval')
          and request.start_after <= at and request.approval_expires_at > clock_timestamp()
          and request.id <> all (held) and request.tenant_id <> all (full_tenants)
        order by request.start_after limit most)
    ) due order by due.due_at limit most;
  end;
select countersign_system_function('approval_start_due(timestamptz, integer, uuid[], uuid[])');
comment on function approval_start_due(timestamptz, integer, uuid[], uuid[]) is
  'Approved requests that are due to start, the longest due first.';

create function approval_request_in_state(wanted text, at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select request.tenant_id, request.id
      from approval_request request
     where request.state in ('open', 'approved') and request.state = wanted
     limit at_most;
  end;
select countersign_system_function('approval_request_in_state(text, integer)');
comment on function approval_request_in_state(text, integer) is
  'Approval requests that are open or approved, of one state, in no order.';

-- ---------------------------------------------------------------------------------------------------------------
-- Reviews
-- ---------------------------------------------------------------------------------------------------------------

create table review (
  tenant_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  person_id uuid not null,
  credential_id uuid not null,
  verdict text not null constraint review_verdict_check check (verdict in ('approve', 'reject', 'request_changes')),
  comment text not null default '',
  roles jsonb not null,
  delegated_by uuid,
  seat jsonb not null,
  subject_digest text not null,
  always boolean not null default false,
  confirm_word text constraint review_confirm_word_check check (confirm_word = 'CONFIRM'),
  decision_id uuid not null,
  created_at timestamptz not null,
  replaced_at timestamptz,
  mfa_method text constraint review_mfa_method_check check (mfa_method in ('passkey', 'totp', 'recovery_code')),
  mfa_proved_at timestamptz,
  seal text not null constraint review_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint review_pk primary key (tenant_id, id),
  constraint review_request_fk foreign key (tenant_id, request_id) references approval_request (tenant_id, id),
  constraint review_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint review_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint review_decision_fk foreign key (tenant_id, decision_id) references decision (tenant_id, id),
  constraint review_always_check check (not always or verdict = 'approve'),
  constraint review_confirmed_check check (confirm_word is null or (verdict = 'approve' and not always)),
  constraint review_mfa_check check ((mfa_method is null) = (mfa_proved_at is null)),
  constraint review_delegated_by_fk foreign key (tenant_id, delegated_by) references person (tenant_id, id),
  constraint review_seat_check check (jsonb_typeof(seat) = 'object')
);
create unique index review_current_unique on review (tenant_id, request_id, person_id) where replaced_at is null;
create index review_request_idx on review (tenant_id, request_id, created_at, id);
create index review_person_idx on review (tenant_id, person_id, created_at desc, id desc);

comment on table review is 'The verdict of one person on one request; a second one replaces the first while the request is open.';
comment on column review.tenant_id is 'The tenant it belongs to.';
comment on column review.id is 'UUIDv7.';
comment on column review.request_id is 'The request.';
comment on column review.person_id is 'The reviewer.';
comment on column review.credential_id is 'With which credential.';
comment on column review.verdict is 'approve, reject or request_changes.';
comment on column review.comment is 'In the reviewer''s words.';
comment on column review.roles is 'The roles that counted at that moment: [{role, assigned_at}].';
comment on column review.delegated_by is 'The person who delegated the roles; null if the roles are the reviewer''s own.';
comment on column review.seat is 'The means by which the reviewer was known then, and the people who share their vote: {shared_with, known_by}.';
comment on column review.subject_digest is 'The digest of the subject that the reviewer saw.';
comment on column review.always is 'Whether the approval holds for later calls of this shape in the session, too.';
comment on column review.confirm_word is 'The word that the reviewer typed; null if the request takes none, or they did not approve.';
comment on column review.decision_id is 'The decision that let this person review.';
comment on column review.created_at is 'When it was given.';
comment on column review.replaced_at is 'When the same person reviewed again, or null.';
comment on column review.mfa_method is 'The reviewer''s second factor; null if none was asked for.';
comment on column review.mfa_proved_at is 'When they proved it.';
comment on column review.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('review');
-- A review never changes, but the same person may replace it by another.
select countersign_changes_only('review', 'replaced_at');
-- A review moves the quorum although the request stays open.
select countersign_live('review', 'approval_request', 'verdict', 'request_id');

create function review_insert(new_review jsonb, replaced uuid) returns void
  language plpgsql as $$
begin
  update review set replaced_at = (new_review ->> 'created_at')::timestamptz
   where tenant_id = countersign_current_tenant() and id = replaced and replaced_at is null;
  insert into review (tenant_id, id, request_id, person_id, credential_id, verdict, comment, roles, delegated_by, seat, subject_digest,
                      always, confirm_word, decision_id, created_at, mfa_method, mfa_proved_at, seal)
  select countersign_current_tenant(), n.id, n.request_id, n.person_id, n.credential_id, n.verdict, n.comment, n.roles,
         n.delegated_by, n.seat, n.subject_digest, n.always, n.confirm_word, n.decision_id, n.created_at,
         n.mfa_method, n.mfa_proved_at, n.seal
    from jsonb_populate_record(null::review, new_review) n;
end $$;
comment on function review_insert(jsonb, uuid) is
  'Inserts a review of the current tenant, in the place of one by the same person; with the rights of the caller.';

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

comment on table approval_claim is 'A person who says that they are looking at a request. It is a hint to others, which keeps no one from reviewing.';
comment on column approval_claim.tenant_id is 'The tenant it belongs to.';
comment on column approval_claim.request_id is 'The request.';
comment on column approval_claim.person_id is 'The person who looks at it.';
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
comment on column approval_look.person_id is 'The person who saw it.';
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

comment on table approval_reminder is 'Reminders of a request that stays open, each sent once.';
comment on column approval_reminder.tenant_id is 'The tenant it belongs to.';
comment on column approval_reminder.request_id is 'The request.';
comment on column approval_reminder.which is 'half_time, near_end, or escalated.';
comment on column approval_reminder.due_at is 'When, if the request is open then.';
comment on column approval_reminder.roles is 'The roles that an escalation notifies; null for the others.';
comment on column approval_reminder.settled_at is 'When it was told, or found to be needed no more; null before.';
comment on column approval_reminder.sent is 'Whether it was told; null before it was settled.';

select countersign_protect('approval_reminder');
select countersign_changes_only('approval_reminder', 'settled_at', 'sent');
select countersign_system_reads('approval_reminder');
create trigger approval_reminder_set_once before update on approval_reminder
  for each row execute function countersign_refuse_unset('settled_at', 'sent');

create function approval_reminders_insert(of_request uuid, reminders jsonb) returns void
  language plpgsql as $$
begin
  insert into approval_reminder (tenant_id, request_id, which, due_at, roles)
  select countersign_current_tenant(), of_request, n.which, n.due_at, n.roles
    from jsonb_populate_recordset(null::approval_reminder, reminders) n;
end $$;
comment on function approval_reminders_insert(uuid, jsonb) is
  'Plans the reminders of an approval request of the current tenant, with the rights of the caller.';

create function approval_remind_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select reminder.tenant_id, reminder.request_id from approval_reminder reminder
     where reminder.settled_at is null and reminder.due_at <= at
       and reminder.request_id <> all (held) and reminder.tenant_id <> all (full_tenants)
     group by reminder.tenant_id, reminder.request_id
     order by min(reminder.due_at) limit most;
  end;
select countersign_system_function('approval_remind_due(timestamptz, integer, uuid[], uuid[])');
comment on function approval_remind_due(timestamptz, integer, uuid[], uuid[]) is
  'Approval requests of which people are to be reminded, the longest due first.';

-- ---------------------------------------------------------------------------------------------------------------
-- Agents that ask too often
-- ---------------------------------------------------------------------------------------------------------------

create table approval_throttle (
  tenant_id uuid not null,
  requester_id uuid not null,
  since timestamptz not null,
  until timestamptz not null,
  refused integer not null constraint approval_throttle_refused_check check (refused >= 1),
  constraint approval_throttle_pk primary key (tenant_id, requester_id),
  constraint approval_throttle_until_check check (until > since)
);

comment on table approval_throttle is 'Agents and people that asked for more approvals than people can weigh: the latest time that happened.';
comment on column approval_throttle.tenant_id is 'The tenant it belongs to.';
comment on column approval_throttle.requester_id is 'The agent or the person.';
comment on column approval_throttle.since is 'When it was first refused.';
comment on column approval_throttle.until is 'From when they may ask again; each refusal moves it.';
comment on column approval_throttle.refused is 'How often it was refused in that time.';

select countersign_protect('approval_throttle');

-- ---------------------------------------------------------------------------------------------------------------
-- Delegations
-- ---------------------------------------------------------------------------------------------------------------

-- A delegation hands the same roles for some dates, and never more than the absent person holds.
create table absence (
  tenant_id uuid not null,
  id uuid not null,
  person_id uuid not null,
  delegate_id uuid not null,
  roles text[] not null,
  from_at timestamptz not null,
  until_at timestamptz not null,
  created_at timestamptz not null,
  ended_at timestamptz,
  ended_by uuid,
  seal text not null constraint absence_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint absence_pk primary key (tenant_id, id),
  constraint absence_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint absence_delegate_fk foreign key (tenant_id, delegate_id) references person (tenant_id, id),
  constraint absence_ended_by_fk foreign key (tenant_id, ended_by) references person (tenant_id, id),
  constraint absence_persons_check check (person_id <> delegate_id),
  constraint absence_dates_check check (until_at > from_at and until_at > created_at),
  constraint absence_roles_check check (cardinality(roles) between 1 and 100),
  constraint absence_ended_check check ((ended_at is null) = (ended_by is null))
);
create index absence_delegate_idx on absence (tenant_id, delegate_id, until_at);
create index absence_person_idx on absence (tenant_id, person_id, until_at);
create index absence_created_idx on absence (tenant_id, created_at desc, id desc);

comment on table absence is 'A person hands reviewing roles to another for an absence.';
comment on column absence.tenant_id is 'The tenant it belongs to.';
comment on column absence.id is 'UUIDv7.';
comment on column absence.person_id is 'The person who is away.';
comment on column absence.delegate_id is 'The person who stands in.';
comment on column absence.roles is 'Which of their roles; each counts for as long as they hold it themselves.';
comment on column absence.from_at is 'From when.';
comment on column absence.until_at is 'Until when.';
comment on column absence.created_at is 'When it was handed over; on requests that were open before, it does not count.';
comment on column absence.ended_at is 'When it was taken back early; null if it was not.';
comment on column absence.ended_by is 'The person who took it back.';
comment on column absence.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('absence');
select countersign_changes_only('absence', 'ended_at', 'ended_by');
create trigger absence_set_once before update on absence
  for each row execute function countersign_refuse_unset('ended_at', 'ended_by');

-- ---------------------------------------------------------------------------------------------------------------
-- Facts
-- ---------------------------------------------------------------------------------------------------------------

-- One statement takes the locks of an approval and reads its facts.
create function approval_facts(of_plan uuid, of_request uuid, hold boolean)
  returns table (now bigint, plan jsonb, row_version text, task jsonb, environment jsonb, revisions jsonb, simulation jsonb,
                 autonomy jsonb, tools jsonb, executors jsonb, promotion boolean, answerable jsonb, halts jsonb,
                 request jsonb, reviews jsonb, claim jsonb)
  -- Each statement finds rows by their keys. A plan for these values would be the same, and was made anew at each call.
  language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  tenant constant uuid := countersign_current_tenant();
  wanted_plan uuid := of_plan;
  wanted_task uuid;
  wanted_environment uuid;
  wanted_request uuid := of_request;
  tool_names text[];
  executor_names text[];
  autonomy_id uuid;
begin
  -- These columns never change, so they name the rows to lock.
  if of_request is not null then
    select r.plan_id into wanted_plan from approval_request r where r.tenant_id = tenant and r.id = of_request;
  end if;
  select p.task_id, k.environment_id into wanted_task, wanted_environment
    from plan p join task k on k.tenant_id = p.tenant_id and k.id = p.task_id
   where p.tenant_id = tenant and p.id = wanted_plan;
  if not found then return; end if;
  select array_agg(distinct t.tool_name), array_agg(distinct v.definition::jsonb ->> 'executor')
    into tool_names, executor_names
    from plan_tool t join tool_version v on v.tenant_id = t.tenant_id and v.id = t.tool_version_id
   where t.tenant_id = tenant and t.plan_id = wanted_plan;
  -- Locks come first, each as a statement of its own. A join that waited for a lock would read the rows from before the wait.
  if hold then
    select head.revision_id into autonomy_id from autonomy_head head where head.tenant_id = tenant for share;
    perform from tool t where t.tenant_id = tenant and t.name = any (tool_names) order by t.name for share;
    perform from task k where k.tenant_id = tenant and k.id = wanted_task for update;
    perform from plan p where p.tenant_id = tenant and p.id = wanted_plan for update;
    perform from executor x
      where x.tenant_id = tenant and x.environment_id = wanted_environment and x.name = any (executor_names)
      order by x.name for share;
    if of_request is null then
      select r.id into wanted_request from approval_request r
       where r.tenant_id = tenant and r.subject_id = wanted_plan and r.state in ('open', 'approved') for update;
    else
      perform from approval_request r where r.tenant_id = tenant and r.id = wanted_request for update;
    end if;
  else
    select head.revision_id into autonomy_id from autonomy_head head where head.tenant_id = tenant;
  end if;
  return query
    with revision as (
      select p.id, p.revision, p.agent_id, p.person_id, p.on_behalf_of, p.credential_id
        from plan p where p.tenant_id = tenant and p.task_id = wanted_task
    ), submitter as (
      select k.agent_id, k.credential_id, k.created_at from task k where k.tenant_id = tenant and k.id = wanted_task
      union all
      select p.agent_id, p.credential_id, k.created_at from revision p, task k where k.tenant_id = tenant and k.id = wanted_task
    ), speaking as (
      select s.agent_id, min(s.created_at) as since, array_agg(s.credential_id) as credentials
        from submitter s where s.agent_id is not null group by s.agent_id
    )
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
           jsonb_build_object(
             'id', p.id, 'task_id', p.task_id, 'revision', p.revision, 'state', p.state, 'digest', p.digest,
             'agent_id', p.agent_id, 'person_id', p.person_id, 'on_behalf_of', p.on_behalf_of,
             'credential_id', p.credential_id),
           p.xmin::text || p.ctid::text,
           to_jsonb(k),
           to_jsonb(e),
           (select jsonb_agg(to_jsonb(other) order by other.revision) from revision other),
           (select to_jsonb(s) from simulation s where s.tenant_id = tenant and s.plan_id = wanted_plan
             order by (s.result is not null) desc, s.created_at desc, s.id desc limit 1),
           (select jsonb_build_object('id', r.id, 'number', r.number, 'document', r.document, 'digest', r.digest, 'seal', r.seal)
              from autonomy_revision r where r.tenant_id = tenant and r.id = autonomy_id),
           (select coalesce(jsonb_agg(to_jsonb(v) || jsonb_build_object('counts', v.version = t.version and not t.removed)), '[]')
              from tool t join tool_version v on v.tenant_id = t.tenant_id and v.tool_id = t.id
             where t.tenant_id = tenant and t.name = any (tool_names)
               and (v.version = t.version
                    or v.id in (select h.tool_version_id from plan_tool h where h.tenant_id = tenant and h.plan_id = wanted_plan))),
           (select coalesce(jsonb_agg(to_jsonb(xv) || jsonb_build_object('id', x.id, 'name', x.name)), '[]')
              from executor x
              join executor_version xv on xv.tenant_id = x.tenant_id and xv.executor_id = x.id and xv.version = x.version
             where x.tenant_id = tenant and x.environment_id = wanted_environment and x.name = any (executor_names)),
           exists (select from run r where r.tenant_id = tenant and r.plan_id = wanted_plan and r.phases = 'canary'
                     and r.state = 'completed'),
           (select coalesce(jsonb_object_agg(s.agent_id, (
                     select coalesce(jsonb_agg(a.person_id order by a.nr), '[]')
                       from agent_answerable(s.agent_id, s.since, s.credentials) with ordinality a (person_id, nr))), '{}')
              from speaking s),
           (select coalesce(jsonb_agg(jsonb_build_object('id', h.id, 'kind', h.kind) order by h.nr), '[]')
              from halts_applying(wanted_environment, (select array_agg(s.agent_id) from speaking s), tool_names)
                   with ordinality h (id, kind, nr)),
           (select to_jsonb(r) from approval_request r where r.tenant_id = tenant and r.id = wanted_request),
           (select coalesce(jsonb_agg(to_jsonb(w) order by w.created_at, w.id), '[]') from review w
             where w.tenant_id = tenant and w.request_id = wanted_request and w.replaced_at is null),
           (select to_jsonb(c) from approval_claim c
             where c.tenant_id = tenant and c.request_id = wanted_request and c.expires_at > clock_timestamp())
      from plan p
      join task k on k.tenant_id = p.tenant_id and k.id = p.task_id
      join environment e on e.tenant_id = k.tenant_id and e.id = k.environment_id
     where p.tenant_id = tenant and p.id = wanted_plan;
end $$;
comment on function approval_facts(uuid, uuid, boolean) is
  'Reads the facts behind an approval of a plan, and the request. That is the given one, or with a lock the live one of the plan. With hold it locks autonomy document, tools, task, plan, executors and request first, in this order. With the rights of the caller.';
