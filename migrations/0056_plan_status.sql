-- What people see as the status of a plan, derived and never stored: from the revision's own state, then whichever came
-- last of its run and its approval request, then its simulation. True by the clock: what is past its time shows as
-- expired whether or not anything has recorded that yet.

create view plan_status with (security_invoker = true) as
  select
    plan.tenant_id,
    plan.id as plan_id,
    case
      when plan.state <> 'validated' then plan.state
      when live_run.id is not null then 'executing'
      when request.state = 'open' and request.expires_at > statement_timestamp() then 'awaiting_approval'
      when request.state = 'granted' and request.grant_expires_at > statement_timestamp() then 'approved'
      when request.state in ('open', 'granted', 'expired') then 'expired'
      when request.state = 'denied' then 'rejected'
      when request.state = 'changes_requested' then 'changes_requested'
      when ended_run.id is not null then 'executed'
      when prediction.id is not null then 'simulated'
      else 'validated'
    end as status
  from plan
  left join lateral (
    select run.id
      from run
     where run.tenant_id = plan.tenant_id and run.plan_id = plan.id and run.finished_at is null
     limit 1
  ) live_run on plan.state = 'validated'
  left join lateral (
    -- A run that never started has executed nothing.
    select run.id, run.created_at
      from run
     where run.tenant_id = plan.tenant_id and run.plan_id = plan.id
       and run.finished_at is not null and run.started_at is not null
     order by run.created_at desc, run.id desc
     limit 1
  ) ended_run on plan.state = 'validated'
  left join lateral (
    -- The latest question. One that a run has used up is that run's, and one from before the last run is history.
    select latest.state, latest.expires_at, latest.grant_expires_at
      from (
        select approval_request.state, approval_request.opened_at, approval_request.expires_at, approval_request.grant_expires_at
          from approval_request
         where approval_request.tenant_id = plan.tenant_id and approval_request.plan_id = plan.id
         order by approval_request.opened_at desc, approval_request.id desc
         limit 1
      ) latest
     where ended_run.created_at is null or latest.opened_at > ended_run.created_at
  ) request on plan.state = 'validated'
  left join lateral (
    select simulation.id
      from simulation
     where simulation.tenant_id = plan.tenant_id and simulation.plan_id = plan.id
       and simulation.state = 'succeeded' and simulation.plan_digest = plan.digest
       and simulation.next_at > statement_timestamp()
     limit 1
  ) prediction on plan.state = 'validated';

comment on view plan_status is 'What people see as the status of each plan revision; derived, by the clock.';
comment on column plan_status.tenant_id is 'The tenant it belongs to.';
comment on column plan_status.plan_id is 'The plan revision.';
comment on column plan_status.status is 'draft, invalid, validated, simulated, awaiting_approval, approved, rejected, changes_requested, expired, executing, executed, superseded or withdrawn.';

grant select on plan_status to countersign_app;
