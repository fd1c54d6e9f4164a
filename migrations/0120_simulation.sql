-- Simulations, and each prediction beside the result of the run. Simulation lifecycle
-- (libs/stages/simulation/src/domain/simulation-transitions.ts holds the same rows):
--
--   pending ──begin──▶ running ──succeed──▶ succeeded ──outdate──▶ stale
--                         └──fail──▶ failed

create table simulation_state (
  state text not null,
  constraint simulation_state_pk primary key (state)
);
insert into simulation_state values ('pending'), ('running'), ('succeeded'), ('failed'), ('stale');
comment on table simulation_state is 'Global: the states of a simulation.';
comment on column simulation_state.state is 'The state''s name.';
select countersign_lookup('simulation_state');

create table simulation_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint simulation_transition_to_fk references simulation_state,
  constraint simulation_transition_pk primary key (from_state, event)
);
insert into simulation_transition values
  ('', 'ask', 'pending'),
  ('pending', 'begin', 'running'),
  ('running', 'succeed', 'succeeded'),
  ('running', 'fail', 'failed'),
  ('succeeded', 'outdate', 'stale');

comment on table simulation_transition is 'Global: the legal changes of a simulation''s state; every other is refused (CS002).';
comment on column simulation_transition.from_state is 'The state before; empty for creation.';
comment on column simulation_transition.event is 'The event.';
comment on column simulation_transition.to_state is 'The state after.';

create table simulation (
  tenant_id uuid not null constraint simulation_tenant_fk references tenant (id),
  id uuid not null,
  plan_id uuid not null,
  plan_digest text not null,
  decision_id uuid not null,
  agent_id uuid,
  person_id uuid,
  on_behalf_of uuid,
  credential_id uuid not null,
  state text not null constraint simulation_state_fk references simulation_state,
  result text,
  digest text,
  failure jsonb,
  stale_reason jsonb,
  fence integer not null default 0,
  next_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  constraint simulation_pk primary key (tenant_id, id),
  constraint simulation_plan_fk foreign key (tenant_id, plan_id) references plan (tenant_id, id),
  constraint simulation_decision_fk foreign key (tenant_id, decision_id) references decision (tenant_id, id),
  constraint simulation_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint simulation_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint simulation_on_behalf_of_fk foreign key (tenant_id, on_behalf_of) references person (tenant_id, id),
  constraint simulation_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint simulation_submitter_check check (num_nonnulls(agent_id, person_id) = 1),
  constraint simulation_result_check check ((state in ('succeeded', 'stale')) = (result is not null)),
  constraint simulation_digest_check check ((result is null) = (digest is null)),
  constraint simulation_failure_check check ((state = 'failed') = (failure is not null)),
  constraint simulation_stale_check check ((state = 'stale') = (stale_reason is not null))
);
create unique index simulation_active_unique on simulation (tenant_id, plan_id) where state in ('pending', 'running');
create index simulation_plan_idx on simulation (tenant_id, plan_id, created_at desc, id desc);
create index simulation_due_idx on simulation (tenant_id, next_at) where next_at is not null;

comment on table simulation is 'A prediction of the effects of one plan, computed by the tenant''s own simulation tools.';
comment on column simulation.tenant_id is 'The tenant it belongs to.';
comment on column simulation.id is 'UUIDv7.';
comment on column simulation.plan_id is 'The plan revision.';
comment on column simulation.plan_digest is 'The digest of exactly the expanded plan that was simulated.';
comment on column simulation.decision_id is 'The policy decision that let it be asked for.';
comment on column simulation.agent_id is 'The agent that asked, or null.';
comment on column simulation.person_id is 'The person who asked, or null.';
comment on column simulation.on_behalf_of is 'The person who delegated to the agent.';
comment on column simulation.credential_id is 'The credential it was asked with.';
comment on column simulation.state is 'Its state in the lifecycle.';
comment on column simulation.result is 'The SimulationResult as canonical JSON.';
comment on column simulation.digest is 'Digest of result, kind simulation.';
comment on column simulation.failure is 'The reason for its failure: {code, message}.';
comment on column simulation.stale_reason is 'The reason why it no longer counts: {code, message}.';
comment on column simulation.fence is 'Counts the attempts to execute it; a result of an older attempt is not written.';
comment on column simulation.next_at is 'When a worker looks at it again. That is at the end of a lease, or when a result grows too old. Null if nothing is left to do.';
comment on column simulation.created_at is 'When it was asked for.';
comment on column simulation.started_at is 'When it began.';
comment on column simulation.finished_at is 'When it succeeded or failed.';

select countersign_protect('simulation');
select countersign_state_machine('simulation', 'simulation_transition');
select countersign_system_reads('simulation');
select countersign_changes_only('simulation',
  'state', 'result', 'digest', 'failure', 'stale_reason', 'fence', 'next_at', 'started_at', 'finished_at');
select countersign_live('simulation', 'plan', 'state', 'plan_id');

-- A request for a simulation locks and reads in one statement. Its writes are functions that travel together.
create function simulation_facts(of_plan uuid)
  returns table (now bigint, plan jsonb, row_version text, task jsonb, owner_id uuid, environment jsonb, autonomy jsonb,
                 tools jsonb, active uuid)
  language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
  wanted_task uuid;
  autonomy_id uuid;
begin
  -- The task of a plan never changes, so it names the row to lock.
  select p.task_id into wanted_task from plan p where p.tenant_id = tenant and p.id = of_plan;
  if not found then return; end if;
  -- Locks come first, each as a statement of its own. A join that waited for a lock would read the rows from before the wait.
  select head.revision_id into autonomy_id from autonomy_head head where head.tenant_id = tenant for share;
  perform from task k where k.tenant_id = tenant and k.id = wanted_task for update;
  perform from plan p where p.tenant_id = tenant and p.id = of_plan for update;
  return query
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
           jsonb_build_object(
             'id', p.id, 'state', p.state, 'agent_id', p.agent_id, 'person_id', p.person_id, 'on_behalf_of', p.on_behalf_of,
             'credential_id', p.credential_id),
           p.xmin::text || p.ctid::text,
           to_jsonb(k),
           g.owner_person_id,
           to_jsonb(e),
           (select jsonb_build_object('id', r.id, 'number', r.number, 'document', r.document, 'digest', r.digest, 'seal', r.seal)
              from autonomy_revision r where r.tenant_id = tenant and r.id = autonomy_id),
           (select coalesce(jsonb_agg(to_jsonb(v) order by h.tool_name), '[]')
              from plan_tool h join tool_version v on v.tenant_id = h.tenant_id and v.id = h.tool_version_id
             where h.tenant_id = tenant and h.plan_id = of_plan),
           (select s.id from simulation s
             where s.tenant_id = tenant and s.plan_id = of_plan and s.state in ('pending', 'running'))
      from plan p
      join task k on k.tenant_id = p.tenant_id and k.id = p.task_id
      join environment e on e.tenant_id = k.tenant_id and e.id = k.environment_id
      left join agent g on g.tenant_id = k.tenant_id and g.id = k.agent_id
     where p.tenant_id = tenant and p.id = of_plan;
end $$;
comment on function simulation_facts(uuid) is 'Locks the rows that a simulation of the plan rests on, and reads them. They are autonomy document, task and plan, in this order; with the rights of the caller.';

create function simulation_insert(new_simulation jsonb) returns void
  language plpgsql as $$
begin
  insert into simulation (tenant_id, id, plan_id, plan_digest, decision_id, agent_id, person_id, on_behalf_of, credential_id, state,
                          fence, next_at, created_at)
  select countersign_current_tenant(), n.id, n.plan_id, n.plan_digest, n.decision_id, n.agent_id, n.person_id, n.on_behalf_of,
         n.credential_id, n.state, n.fence, n.next_at, n.created_at
    from jsonb_populate_record(null::simulation, new_simulation) n;
end $$;
comment on function simulation_insert(jsonb) is 'Inserts a simulation of the current tenant, with the rights of the caller.';

create function simulation_execute_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select simulation.tenant_id, simulation.id from simulation
     where simulation.next_at is not null and simulation.next_at <= at
       and simulation.id <> all (held) and simulation.tenant_id <> all (full_tenants)
     order by simulation.next_at limit most;
  end;
select countersign_system_function('simulation_execute_due(timestamptz, integer, uuid[], uuid[])');
comment on function simulation_execute_due(timestamptz, integer, uuid[], uuid[]) is
  'Simulations that are due, the longest due first.';

create function simulation_in_state(wanted text, at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select simulation.tenant_id, simulation.id
      from simulation
     where simulation.state in ('pending', 'running') and simulation.state = wanted
     limit at_most;
  end;
select countersign_system_function('simulation_in_state(text, integer)');
comment on function simulation_in_state(text, integer) is 'Simulations under way, of one state, in no order.';

-- The prediction of a tool's calls stands beside the result of the run that it was made for.
create table simulation_outcome (
  tenant_id uuid not null,
  id uuid not null,
  simulation_id uuid not null,
  run_id uuid not null,
  tool_name text not null,
  predicted jsonb not null,
  actual jsonb not null,
  constraint simulation_outcome_pk primary key (tenant_id, id),
  constraint simulation_outcome_tool_unique unique (tenant_id, run_id, tool_name),
  constraint simulation_outcome_simulation_fk foreign key (tenant_id, simulation_id) references simulation (tenant_id, id)
);
create index simulation_outcome_tool_idx on simulation_outcome (tenant_id, tool_name);

comment on table simulation_outcome is 'The prediction for a tool in one run, beside its result; insert-only.';
comment on column simulation_outcome.tenant_id is 'The tenant it belongs to.';
comment on column simulation_outcome.id is 'UUIDv7.';
comment on column simulation_outcome.simulation_id is 'The prediction.';
comment on column simulation_outcome.run_id is 'The run that has ended; its row says when.';
comment on column simulation_outcome.tool_name is 'The tool that was predicted and called.';
comment on column simulation_outcome.predicted is '{calls, affected_assets, duration_minutes, risk}, of the calls that were made.';
comment on column simulation_outcome.actual is '{calls, failed, affected_assets, duration_minutes}.';

select countersign_protect('simulation_outcome');
select countersign_append_only('simulation_outcome');
