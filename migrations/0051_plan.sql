-- Plan revision lifecycle (libs/plan/src/domain/plan-transitions.ts holds the same table):
--
--   draft ──refuse──▶ invalid
--     └──validate──▶ validated ──supersede──▶ superseded
--                        └──withdraw──▶ withdrawn

create table plan_state (
  state text not null,
  constraint plan_state_pk primary key (state)
);
insert into plan_state values ('draft'), ('invalid'), ('validated'), ('superseded'), ('withdrawn');
select countersign_lookup('plan_state');
comment on table plan_state is 'Global: the states of a plan revision.';
comment on column plan_state.state is 'The state''s name.';

create table plan_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint plan_transition_to_fk references plan_state,
  constraint plan_transition_pk primary key (from_state, event)
);
comment on table plan_transition is 'Global: the legal changes of a plan revision''s state; every other is refused (CS002).';
comment on column plan_transition.from_state is 'The state before; empty for creation.';
comment on column plan_transition.event is 'What happens.';
comment on column plan_transition.to_state is 'The state after.';
insert into plan_transition values
  ('', 'submit', 'draft'),
  ('draft', 'refuse', 'invalid'),
  ('draft', 'validate', 'validated'),
  ('validated', 'supersede', 'superseded'),
  ('validated', 'withdraw', 'withdrawn');

create table plan (
  tenant_id uuid not null constraint plan_tenant_fk references tenant (id),
  id uuid not null,
  task_id uuid not null,
  revision integer not null constraint plan_revision_check check (revision >= 1),
  state text not null constraint plan_state_fk references plan_state,
  document text not null,
  expanded text,
  digest text,
  errors jsonb not null default '[]',
  decision_id uuid,
  agent_id uuid,
  person_id uuid,
  on_behalf_of uuid,
  credential_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint plan_pk primary key (tenant_id, id),
  constraint plan_revision_unique unique (tenant_id, task_id, revision),
  constraint plan_task_fk foreign key (tenant_id, task_id) references task (tenant_id, id),
  constraint plan_decision_fk foreign key (tenant_id, decision_id) references decision (tenant_id, id),
  constraint plan_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint plan_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint plan_on_behalf_of_fk foreign key (tenant_id, on_behalf_of) references person (tenant_id, id),
  constraint plan_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint plan_submitter_check check (num_nonnulls(agent_id, person_id) = 1),
  constraint plan_expanded_check check ((expanded is null) = (digest is null)),
  constraint plan_valid_check check (state in ('draft', 'invalid') or expanded is not null)
);
create unique index plan_live_unique on plan (tenant_id, task_id) where state = 'validated';
create index plan_created_idx on plan (tenant_id, created_at desc, id desc);

comment on table plan is 'One immutable revision of how a task is to be done; a change is a new revision.';
comment on column plan.tenant_id is 'The tenant it belongs to.';
comment on column plan.id is 'UUIDv7.';
comment on column plan.task_id is 'The task it is for.';
comment on column plan.revision is '1, 2, 3 … within the task.';
comment on column plan.state is 'Where the revision itself is; what people see is the view plan_status.';
comment on column plan.document is 'The plan as it was submitted, as canonical JSON.';
comment on column plan.expanded is 'The expanded plan as canonical JSON: what is digested, shown, approved and executed. Null where it is invalid.';
comment on column plan.digest is 'Digest of expanded, kind plan.';
comment on column plan.errors is 'What was wrong, by step: [{pointer, code, message, suggestion}].';
comment on column plan.decision_id is 'The policy decision of its validation.';
comment on column plan.agent_id is 'The agent that submitted this revision, or null.';
comment on column plan.person_id is 'The person who submitted this revision, or null.';
comment on column plan.on_behalf_of is 'The person whose delegation the agent used.';
comment on column plan.credential_id is 'The credential it was submitted with.';
comment on column plan.created_at is 'When it was submitted.';
comment on column plan.updated_at is 'When its state last changed.';

select countersign_protect('plan');
select countersign_state_machine('plan', 'plan_transition');

create table plan_tool (
  tenant_id uuid not null,
  plan_id uuid not null,
  tool_version_id uuid not null,
  tool_name text not null,
  constraint plan_tool_pk primary key (tenant_id, plan_id, tool_version_id),
  constraint plan_tool_plan_fk foreign key (tenant_id, plan_id) references plan (tenant_id, id),
  constraint plan_tool_version_fk foreign key (tenant_id, tool_version_id) references tool_version (tenant_id, id)
);
create index plan_tool_name_idx on plan_tool (tenant_id, tool_name);
comment on table plan_tool is 'Which tool versions a plan revision holds, so that a tool in use is not changed under it.';
comment on column plan_tool.tenant_id is 'The tenant it belongs to.';
comment on column plan_tool.plan_id is 'The plan revision.';
comment on column plan_tool.tool_version_id is 'The tool version.';
comment on column plan_tool.tool_name is 'The tool''s name.';
select countersign_protect('plan_tool');

create table plan_target (
  tenant_id uuid not null,
  plan_id uuid not null,
  target text not null,
  constraint plan_target_pk primary key (tenant_id, plan_id, target),
  constraint plan_target_plan_fk foreign key (tenant_id, plan_id) references plan (tenant_id, id)
);
create index plan_target_target_idx on plan_target (tenant_id, target);
comment on table plan_target is 'The distinct targets that a plan revision''s state changes touch.';
comment on column plan_target.tenant_id is 'The tenant it belongs to.';
comment on column plan_target.plan_id is 'The plan revision.';
comment on column plan_target.target is 'The name of what is changed.';
select countersign_protect('plan_target');
