-- Break-glass and incidents. Incident lifecycle (libs/incident/src/domain/incident-transitions.ts holds the same table):
--
--   (new) ──open──▶ open ──acknowledge──▶ acknowledged ──resolve──▶ resolved ──review──▶ reviewed
--
-- A run under break-glass names its incident, and the incident is there by the end of the transaction that made the run.

create table incident_state (
  state text not null,
  constraint incident_state_pk primary key (state)
);
insert into incident_state values ('open'), ('acknowledged'), ('resolved'), ('reviewed');
select countersign_lookup('incident_state');
comment on table incident_state is 'Global: the states of an incident.';
comment on column incident_state.state is 'The state''s name.';

create table incident_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint incident_transition_to_fk references incident_state,
  constraint incident_transition_pk primary key (from_state, event)
);
comment on table incident_transition is 'Global: the legal changes of an incident''s state; every other is refused (CS002).';
comment on column incident_transition.from_state is 'The state before; empty for creation.';
comment on column incident_transition.event is 'What happens.';
comment on column incident_transition.to_state is 'The state after.';
insert into incident_transition values
  ('', 'open', 'open'),
  ('open', 'acknowledge', 'acknowledged'),
  ('acknowledged', 'resolve', 'resolved'),
  ('resolved', 'review', 'reviewed');

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
  constraint incident_review_due_check check (review_due_at > opened_at)
);
create index incident_opened_idx on incident (tenant_id, opened_at desc, id desc);
create index incident_state_idx on incident (tenant_id, state, opened_at desc, id desc);
create index incident_plan_idx on incident (tenant_id, plan_id, opened_at, id);
create index incident_due_idx on incident (tenant_id, review_due_at, id) where state <> 'reviewed' and escalated_at is null;

comment on table incident is 'A use of break-glass that people look into: opened by it, and reviewed by somebody else than who invoked it.';
comment on column incident.tenant_id is 'The tenant it belongs to.';
comment on column incident.id is 'UUIDv7.';
comment on column incident.state is 'Where it is in its lifecycle.';
comment on column incident.task_id is 'The task.';
comment on column incident.plan_id is 'The plan revision that was executed.';
comment on column incident.plan_digest is 'Of exactly what was executed.';
comment on column incident.environment_id is 'The environment.';
comment on column incident.decision_id is 'The policy decision that allowed it.';
comment on column incident.invoked_by is 'Who broke the glass.';
comment on column incident.credential_id is 'With which credential.';
comment on column incident.justification is 'Why, in that person''s words.';
comment on column incident.mfa is 'How the second factor was proved: {method, proved_at}.';
comment on column incident.notifies is 'The destinations that the autonomy document named.';
comment on column incident.event_count is 'The number of entries in its timeline.';
comment on column incident.opened_at is 'When, by the database''s clock.';
comment on column incident.review_due_at is 'By when the post-mortem is to be reviewed.';
comment on column incident.acknowledged_at is 'When somebody took it on.';
comment on column incident.acknowledged_by is 'Who did.';
comment on column incident.resolved_at is 'When it was over.';
comment on column incident.resolved_by is 'Who said so.';
comment on column incident.post_mortem is 'What happened and what follows from it.';
comment on column incident.reviewed_at is 'When the post-mortem was reviewed.';
comment on column incident.reviewed_by is 'By whom: never who invoked it.';
comment on column incident.review_comment is 'What the reviewer said.';
comment on column incident.escalated_at is 'When it was escalated because the review was overdue.';

select countersign_protect('incident');
select countersign_state_machine('incident', 'incident_transition');
select countersign_changes_only('incident', 'state', 'event_count', 'acknowledged_at', 'acknowledged_by', 'resolved_at',
  'resolved_by', 'post_mortem', 'reviewed_at', 'reviewed_by', 'review_comment', 'escalated_at');
create trigger incident_set_once before update on incident for each row execute function countersign_refuse_unset(
  'acknowledged_at', 'acknowledged_by', 'resolved_at', 'resolved_by', 'post_mortem', 'reviewed_at', 'reviewed_by',
  'review_comment', 'escalated_at');

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
comment on column incident_event.kind is 'What it is: an event of the incident, a move of its run, or a note.';
comment on column incident_event.actor is 'Who did it.';
comment on column incident_event.text is 'In words; a person''s own for a note.';
comment on column incident_event.data is 'The facts, by kind; never secrets.';
comment on column incident_event.at is 'When, by the database''s clock.';
select countersign_protect('incident_event');
select countersign_append_only('incident_event');

-- What a run rests on: an approval, an incident (break-glass), or with neither on policy alone.
alter table run add column incident_id uuid;
alter table run add constraint run_incident_fk foreign key (tenant_id, incident_id) references incident (tenant_id, id)
  deferrable initially deferred;
alter table run add constraint run_basis_check check (num_nonnulls(approval_request_id, incident_id) <= 1);
create unique index run_incident_unique on run (tenant_id, incident_id) where incident_id is not null;
comment on column run.incident_id is 'The incident of the break-glass that it rests on; null for every other run.';

alter table call_grant drop constraint call_grant_basis_check;
alter table call_grant add constraint call_grant_basis_check
  check (basis in ('approval', 'policy', 'break_glass', 'simulation', 'rollback', 'health_check'));

select countersign_system_reads('incident');
create function incident_overdue(at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select incident.tenant_id, incident.id from incident
     where incident.state <> 'reviewed' and incident.escalated_at is null and incident.review_due_at <= clock_timestamp()
     order by incident.review_due_at limit at_most;
  end;
select countersign_system_function('incident_overdue(integer)');
comment on function incident_overdue(integer) is
  'Incidents whose review is overdue and that were not escalated, the oldest first. Whether they are is decided inside their tenant.';
