-- Predicted beside actual: what a simulation said of a tool's calls, and what the run that it was made for did.

create table simulation_outcome (
  tenant_id uuid not null,
  id uuid not null,
  simulation_id uuid not null,
  run_id uuid not null,
  tool_name text not null,
  predicted jsonb not null,
  actual jsonb not null,
  recorded_at timestamptz not null default clock_timestamp(),
  constraint simulation_outcome_pk primary key (tenant_id, id),
  constraint simulation_outcome_tool_unique unique (tenant_id, run_id, tool_name),
  constraint simulation_outcome_simulation_fk foreign key (tenant_id, simulation_id) references simulation (tenant_id, id),
  constraint simulation_outcome_run_fk foreign key (tenant_id, run_id) references run (tenant_id, id)
);
create index simulation_outcome_tool_idx on simulation_outcome (tenant_id, tool_name);

comment on table simulation_outcome is 'What was predicted of a tool in one run, beside what it did; insert-only.';
comment on column simulation_outcome.tenant_id is 'The tenant it belongs to.';
comment on column simulation_outcome.id is 'UUIDv7.';
comment on column simulation_outcome.simulation_id is 'The prediction.';
comment on column simulation_outcome.run_id is 'The run that has ended.';
comment on column simulation_outcome.tool_name is 'The tool that was predicted and called.';
comment on column simulation_outcome.predicted is '{calls, affected_assets, duration_minutes, risk}, of the calls that were made.';
comment on column simulation_outcome.actual is '{calls, failed, affected_assets, duration_minutes}.';
comment on column simulation_outcome.recorded_at is 'When the run ended.';

select countersign_protect('simulation_outcome');
select countersign_append_only('simulation_outcome');
