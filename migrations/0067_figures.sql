-- What operators watch, over all tenants: how many things are under way, by state. Only what is live is looked at, through
-- indexes that hold nothing else, and never more than the caller wants counted.

create function run_in_state(wanted text, at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select run.tenant_id, run.id from run where run.finished_at is null and run.state = wanted limit at_most;
  end;
select countersign_system_function('run_in_state(text, integer)');
comment on function run_in_state(text, integer) is 'Runs that have not ended, of one state, in no order.';

create function approval_request_in_state(wanted text, at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select request.tenant_id, request.id
      from approval_request request
     where request.state in ('open', 'granted') and request.state = wanted
     limit at_most;
  end;
select countersign_system_function('approval_request_in_state(text, integer)');
comment on function approval_request_in_state(text, integer) is 'Approval requests that are open or granted, of one state, in no order.';

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

select countersign_system_reads('plan');

create function plan_in_state(wanted text, at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select plan.tenant_id, plan.id from plan where plan.state = 'validated' and plan.state = wanted limit at_most;
  end;
select countersign_system_function('plan_in_state(text, integer)');
comment on function plan_in_state(text, integer) is 'Plans that count, which are the validated ones, in no order.';
