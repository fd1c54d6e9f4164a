-- Approval request lifecycle (libs/approval/src/domain/approval-transitions.ts holds the same table):
--
--   open ──grant──▶ granted ──consume──▶ consumed
--    │                 ├──expire──▶ expired
--    │                 └──void──▶ voided
--    ├──deny──▶ denied          ├──request_changes──▶ changes_requested
--    ├──expire──▶ expired       └──void──▶ voided

create table approval_state (
  state text not null,
  constraint approval_state_pk primary key (state)
);
insert into approval_state values
  ('open'), ('granted'), ('denied'), ('changes_requested'), ('expired'), ('voided'), ('consumed');
select countersign_lookup('approval_state');
comment on table approval_state is 'Global: the states of an approval request.';
comment on column approval_state.state is 'The state''s name.';

create table approval_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint approval_transition_to_fk references approval_state,
  constraint approval_transition_pk primary key (from_state, event)
);
comment on table approval_transition is 'Global: the legal changes of an approval request''s state; every other is refused (CS002).';
comment on column approval_transition.from_state is 'The state before; empty for creation.';
comment on column approval_transition.event is 'What happens.';
comment on column approval_transition.to_state is 'The state after.';
insert into approval_transition values
  ('', 'open', 'open'),
  ('open', 'grant', 'granted'),
  ('open', 'deny', 'denied'),
  ('open', 'request_changes', 'changes_requested'),
  ('open', 'expire', 'expired'),
  ('open', 'void', 'voided'),
  ('granted', 'consume', 'consumed'),
  ('granted', 'expire', 'expired'),
  ('granted', 'void', 'voided');

create table approval_request (
  tenant_id uuid not null constraint approval_request_tenant_fk references tenant (id),
  id uuid not null,
  task_id uuid not null,
  plan_id uuid not null,
  simulation_id uuid,
  state text not null constraint approval_request_state_fk references approval_state,
  binding text not null,
  binding_digest text not null,
  phases text not null constraint approval_request_phases_check check (phases in ('all', 'canary', 'promotion')),
  decision_id uuid not null,
  autonomy_revision_id uuid,
  bundle_revision text not null,
  decision jsonb not null,
  excluded jsonb not null,
  agent_id uuid,
  person_id uuid,
  on_behalf_of uuid,
  credential_id uuid not null,
  start text not null constraint approval_request_start_check check (start in ('on_approval', 'manual', 'at')),
  start_at timestamptz,
  opened_at timestamptz not null,
  expires_at timestamptz not null,
  granted_at timestamptz,
  grant_expires_at timestamptz,
  closed_at timestamptz,
  closed_reason jsonb,
  constraint approval_request_pk primary key (tenant_id, id),
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
  constraint approval_request_start_at_check check ((start = 'at') = (start_at is not null)),
  constraint approval_request_granted_check
    check ((granted_at is null) = (grant_expires_at is null) and (state not in ('granted', 'consumed') or granted_at is not null)),
  constraint approval_request_closed_check check ((state in ('open', 'granted')) = (closed_at is null)),
  constraint approval_request_reason_check
    check ((closed_reason is not null) = (state in ('denied', 'changes_requested', 'expired', 'voided')))
);
create unique index approval_request_live_unique on approval_request (tenant_id, plan_id) where state in ('open', 'granted');
create index approval_request_open_idx on approval_request (tenant_id, expires_at, id) where state = 'open';
create index approval_request_grant_idx on approval_request (tenant_id, grant_expires_at, id) where state = 'granted';
create index approval_request_start_idx on approval_request (tenant_id, start_at, id) where state = 'granted' and start = 'at';
create index approval_request_state_idx on approval_request (tenant_id, state, opened_at desc, id desc);
create index approval_request_task_idx on approval_request (tenant_id, task_id, opened_at desc, id desc);
create index approval_request_plan_idx on approval_request (tenant_id, plan_id, opened_at desc, id desc);
create index approval_request_opened_idx on approval_request (tenant_id, opened_at desc, id desc);

comment on table approval_request is 'A question to people: may exactly this be executed? One request serves one run.';
comment on column approval_request.tenant_id is 'The tenant it belongs to.';
comment on column approval_request.id is 'UUIDv7.';
comment on column approval_request.task_id is 'The task.';
comment on column approval_request.plan_id is 'The plan revision asked about.';
comment on column approval_request.simulation_id is 'The simulation that reviewers see; null where none is called for.';
comment on column approval_request.state is 'Where it is in its lifecycle.';
comment on column approval_request.binding is 'The ApprovalBinding as canonical JSON: digests of everything an approver sees.';
comment on column approval_request.binding_digest is 'Digest of binding, kind binding.';
comment on column approval_request.phases is 'What would run: all phases, the canary phases only, or the rest after a canary.';
comment on column approval_request.decision_id is 'The recorded decision that asked for people.';
comment on column approval_request.autonomy_revision_id is 'The autonomy revision in force when it opened.';
comment on column approval_request.bundle_revision is 'The policy bundle in force when it opened.';
comment on column approval_request.decision is 'That decision: outcome, reasons, obligations, effective mode.';
comment on column approval_request.excluded is 'Who can never review it, and why: [{person_id, why}].';
comment on column approval_request.agent_id is 'The agent that asked, or null.';
comment on column approval_request.person_id is 'The person who asked, or null.';
comment on column approval_request.on_behalf_of is 'The person whose delegation the agent used.';
comment on column approval_request.credential_id is 'The credential it was asked with.';
comment on column approval_request.start is 'When the run starts once granted: on_approval, manual, or at a time.';
comment on column approval_request.start_at is 'The time, for start = at.';
comment on column approval_request.opened_at is 'When it opened; roles gained later do not count.';
comment on column approval_request.expires_at is 'Until when it can be decided; true by the clock, whatever a job did.';
comment on column approval_request.granted_at is 'When the quorum was complete.';
comment on column approval_request.grant_expires_at is 'Until when the approval is good for a start.';
comment on column approval_request.closed_at is 'When it reached a state it does not leave.';
comment on column approval_request.closed_reason is 'Why: {code, message, details}.';

select countersign_protect('approval_request');
select countersign_state_machine('approval_request', 'approval_transition');
-- What was asked stays as it was asked; nothing of it is ever deleted.
revoke update, delete on approval_request from countersign_app;
grant update (state, granted_at, grant_expires_at, closed_at, closed_reason) on approval_request to countersign_app;

select countersign_system_reads('approval_request');

create function approval_expired(most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id from (
      (select request.tenant_id, request.id, request.expires_at as at from approval_request request
        where request.state = 'open' and request.expires_at <= clock_timestamp() order by 3 limit most)
      union all
      (select request.tenant_id, request.id, request.grant_expires_at from approval_request request
        where request.state = 'granted' and request.grant_expires_at <= clock_timestamp() order by 3 limit most)
    ) due order by due.at limit most;
  end;
select countersign_system_function('approval_expired(integer)');
comment on function approval_expired(integer) is
  'Requests whose time is over, the oldest first. Whether they are expired is decided inside their tenant.';

create function approval_startable(most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select request.tenant_id, request.id from approval_request request
      where request.state = 'granted' and request.start = 'at'
        and request.start_at <= clock_timestamp() and request.grant_expires_at > clock_timestamp()
      order by request.start_at limit most;
  end;
select countersign_system_function('approval_startable(integer)');
comment on function approval_startable(integer) is
  'Granted requests whose time to start has come, the oldest first. Whether they start is decided inside their tenant.';

create table review (
  tenant_id uuid not null,
  id uuid not null,
  request_id uuid not null,
  person_id uuid not null,
  credential_id uuid not null,
  verdict text not null constraint review_verdict_check check (verdict in ('approve', 'reject', 'request_changes')),
  comment text not null default '',
  roles jsonb not null,
  plan_digest text not null,
  decision_id uuid not null,
  created_at timestamptz not null,
  replaced_at timestamptz,
  constraint review_pk primary key (tenant_id, id),
  constraint review_request_fk foreign key (tenant_id, request_id) references approval_request (tenant_id, id),
  constraint review_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint review_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint review_decision_fk foreign key (tenant_id, decision_id) references decision (tenant_id, id)
);
create unique index review_current_unique on review (tenant_id, request_id, person_id) where replaced_at is null;
create index review_request_idx on review (tenant_id, request_id, created_at, id);
create index review_person_idx on review (tenant_id, person_id, created_at desc, id desc);

comment on table review is 'What one person said of one request; a second one replaces the first while the request is open.';
comment on column review.tenant_id is 'The tenant it belongs to.';
comment on column review.id is 'UUIDv7.';
comment on column review.request_id is 'The request.';
comment on column review.person_id is 'Who reviewed.';
comment on column review.credential_id is 'With which credential.';
comment on column review.verdict is 'approve, reject or request_changes.';
comment on column review.comment is 'In the reviewer''s words.';
comment on column review.roles is 'The roles that counted at that moment: [{role, granted_at}].';
comment on column review.plan_digest is 'The plan the reviewer saw.';
comment on column review.decision_id is 'The decision that let this person review.';
comment on column review.created_at is 'When it was given.';
comment on column review.replaced_at is 'When the same person reviewed again, or null.';

select countersign_protect('review');
-- A review stays as it was given; all that can happen to it is that the same person gives another.
revoke update, delete on review from countersign_app;
grant update (replaced_at) on review to countersign_app;
