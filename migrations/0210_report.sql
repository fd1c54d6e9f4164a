-- The population of production changes that period reports count.

create table production_change (
  tenant_id uuid not null,
  run_id uuid not null,
  environment_name text not null,
  break_glass boolean not null,
  occurred_at timestamptz not null,
  constraint production_change_pk primary key (tenant_id, run_id),
  constraint production_change_run_fk foreign key (tenant_id, run_id) references run (tenant_id, id)
);
create index production_change_occurred_idx on production_change (tenant_id, occurred_at, run_id);

comment on table production_change is 'Runs made for an environment that was production then: the population of period reports.';
comment on column production_change.tenant_id is 'The tenant.';
comment on column production_change.run_id is 'The run.';
comment on column production_change.environment_name is 'The name of the environment at that time.';
comment on column production_change.break_glass is 'Whether break-glass let it begin, in place of an approval.';
comment on column production_change.occurred_at is 'When the run was made.';

select countersign_protect('production_change');
select countersign_append_only('production_change');

create function run_note_production_change() returns trigger
  language plpgsql as $$
begin
  insert into production_change (tenant_id, run_id, environment_name, break_glass, occurred_at)
  select new.tenant_id, new.id, environment.name, decision.entrypoint = 'break_glass', new.created_at
    from environment
    join decision on decision.tenant_id = new.tenant_id and decision.id = new.decision_id
   where environment.tenant_id = new.tenant_id and environment.id = new.environment_id and environment.production;
  return null;
end $$;
comment on function run_note_production_change() is 'Adds a run in production to the population that period reports count.';

create trigger run_note_production_change after insert on run
  for each row execute function run_note_production_change();

-- One row for each production change, with its exceptions. Each count of a report is a count of these rows.
create view production_change_fact with (security_invoker = true) as
  select
    change.tenant_id, change.run_id, change.occurred_at, change.environment_name, change.break_glass,
    run.plan_id, run.task_id, run.plan_digest, run.approval_request_id, run.state, run.phases as scope,
    run.started_at, run.finished_at, run.started_by,
    run.approval_request_id is null and not change.break_glass as without_approval,
    run.rollback_reason is not null as rolled_back,
    run.state = 'failed' as failed,
    step.unknown_effects, step.changing_calls, voided.voided_approvals,
    change.break_glass or run.approval_request_id is null or run.rollback_reason is not null or run.state = 'failed'
      or step.unknown_effects > 0 or voided.voided_approvals > 0 as exceptional
  from production_change change
  join run on run.tenant_id = change.tenant_id and run.id = change.run_id
  cross join lateral (
    select
      count(*) filter (where run_step.state = 'unknown' or run_step.resolved_as is not null)::integer as unknown_effects,
      count(*) filter (where run_step.changes and run_step.kind = 'call' and run_step.attempts > 0)::integer as changing_calls
      from run_step
     where run_step.tenant_id = change.tenant_id and run_step.run_id = change.run_id
  ) step
  cross join lateral (
    select count(*)::integer as voided_approvals
      from approval_request request
     where request.tenant_id = change.tenant_id and request.subject_id = run.plan_id and request.state = 'voided'
       and request.opened_at <= change.occurred_at
  ) voided;

comment on view production_change_fact is 'Each production change with its exceptions; a report counts and lists these rows.';
comment on column production_change_fact.tenant_id is 'The tenant.';
comment on column production_change_fact.run_id is 'The run.';
comment on column production_change_fact.occurred_at is 'When the run was made.';
comment on column production_change_fact.environment_name is 'The name of the environment at that time.';
comment on column production_change_fact.break_glass is 'Whether break-glass let it begin.';
comment on column production_change_fact.plan_id is 'The plan that it executes.';
comment on column production_change_fact.task_id is 'The task.';
comment on column production_change_fact.plan_digest is 'The digest of that plan.';
comment on column production_change_fact.approval_request_id is 'The approval it began with.';
comment on column production_change_fact.state is 'The state of the run.';
comment on column production_change_fact.scope is 'Which phases it executes.';
comment on column production_change_fact.started_at is 'When it began.';
comment on column production_change_fact.finished_at is 'When it ended.';
comment on column production_change_fact.started_by is 'The person who had it start.';
comment on column production_change_fact.without_approval is 'Began with neither an approval nor break-glass.';
comment on column production_change_fact.rolled_back is 'A rollback was begun.';
comment on column production_change_fact.failed is 'It failed.';
comment on column production_change_fact.unknown_effects is 'Calls whose effect could not be known, resolved or not.';
comment on column production_change_fact.changing_calls is 'Calls that change something and were made.';
comment on column production_change_fact.voided_approvals is 'Approvals of the plan that were voided before the run was made.';
comment on column production_change_fact.exceptional is 'Whether anything of the above is not as it should be.';

grant select on production_change_fact to countersign_app;
