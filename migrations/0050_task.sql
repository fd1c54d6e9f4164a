-- Task lifecycle (libs/task/src/domain/task-transitions.ts holds the same table):
--
--   created ──plan──▶ planned ──start──▶ executing ──complete──▶ completed
--      │                │ ▲                 │  │
--      │                │ └────replan───────┘  ├──fail──▶ failed
--      └──cancel──▶ cancelled ◀──cancel────────┘

create table task_state (
  state text not null,
  constraint task_state_pk primary key (state)
);
insert into task_state values ('created'), ('planned'), ('executing'), ('completed'), ('failed'), ('cancelled');
select countersign_lookup('task_state');
comment on table task_state is 'Global: the states of a task.';
comment on column task_state.state is 'The state''s name.';

create table task_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint task_transition_to_fk references task_state,
  constraint task_transition_pk primary key (from_state, event)
);
comment on table task_transition is 'Global: the legal changes of a task''s state; every other is refused (CS002).';
comment on column task_transition.from_state is 'The state before; empty for creation.';
comment on column task_transition.event is 'What happens.';
comment on column task_transition.to_state is 'The state after.';
insert into task_transition values
  ('', 'create', 'created'),
  ('created', 'plan', 'planned'),
  ('created', 'cancel', 'cancelled'),
  ('planned', 'start', 'executing'),
  ('planned', 'cancel', 'cancelled'),
  ('executing', 'replan', 'planned'),
  ('executing', 'complete', 'completed'),
  ('executing', 'fail', 'failed'),
  ('executing', 'cancel', 'cancelled');

create table task (
  tenant_id uuid not null constraint task_tenant_fk references tenant (id),
  id uuid not null,
  environment_id uuid not null,
  state text not null constraint task_state_fk references task_state,
  spec text not null,
  spec_digest text not null,
  agent_id uuid,
  person_id uuid,
  on_behalf_of uuid,
  credential_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint task_pk primary key (tenant_id, id),
  constraint task_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint task_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint task_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint task_on_behalf_of_fk foreign key (tenant_id, on_behalf_of) references person (tenant_id, id),
  constraint task_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint task_submitter_check check (num_nonnulls(agent_id, person_id) = 1),
  constraint task_on_behalf_of_check check (on_behalf_of is null or agent_id is not null)
);
create index task_created_idx on task (tenant_id, created_at desc, id desc);
create index task_state_idx on task (tenant_id, state, created_at desc, id desc);

comment on table task is 'What somebody wants done; the root of plans, requests and runs.';
comment on column task.tenant_id is 'The tenant it belongs to.';
comment on column task.id is 'UUIDv7.';
comment on column task.environment_id is 'The one environment it is about.';
comment on column task.state is 'Where it is in its lifecycle.';
comment on column task.spec is 'The TaskSpec as canonical JSON (RFC 8785); never changed.';
comment on column task.spec_digest is 'Digest of spec, kind task.';
comment on column task.agent_id is 'The agent that submitted it, or null.';
comment on column task.person_id is 'The person who submitted it, or null.';
comment on column task.on_behalf_of is 'The person whose delegation the agent used; from the credential, never the agent''s claim.';
comment on column task.credential_id is 'The credential it was submitted with.';
comment on column task.created_at is 'When it was submitted.';
comment on column task.updated_at is 'When its state last changed.';

select countersign_protect('task');
select countersign_state_machine('task', 'task_transition');
