-- A row of a list says what a plan does, not what its agent says of it. It is worked out when the plan is validated; pages
-- that show the plan work it out anew from the expanded plan.

alter table plan add column headline text;
alter table plan add column risk smallint constraint plan_risk_check check (risk between 0 and 3);
comment on column plan.headline is
  'What the plan does, in one line, from expanded: for lists. Null if it could not be expanded.';
comment on column plan.risk is
  'The level of its riskiest tool: 0 low, 1 medium, 2 high, 3 critical. Null if it could not be expanded, or is from before it was kept.';

update plan set headline = (
  select coalesce(string_agg(distinct call -> 'invocation' -> 'tool' ->> 'name', ' and '), 'nothing')
    from jsonb_path_query(plan.expanded::jsonb, '$.phases[*].batches[*].calls[*]') call
) || ' on ' || jsonb_array_length(plan.expanded::jsonb -> 'distinct_targets') || ' targets, revision ' || plan.revision
where expanded is not null;
update plan set risk = (select max(request.risk) from approval_request request
  where request.tenant_id = plan.tenant_id and request.plan_id = plan.id);
alter table plan add constraint plan_headline_check check ((expanded is null) = (headline is null));

-- Of requests with the same risk, the one that touches more comes first.
alter table approval_request add column target_count integer not null default 0
  constraint approval_request_target_count_check check (target_count >= 0);
comment on column approval_request.target_count is 'How many distinct targets its plan has.';
update approval_request request set target_count = jsonb_array_length(plan.expanded::jsonb -> 'distinct_targets')
  from plan where plan.tenant_id = request.tenant_id and plan.id = request.plan_id;
drop index approval_request_queue_idx;
create index approval_request_queue_idx
  on approval_request (tenant_id, risk desc, target_count desc, expires_at, id) where state = 'open';
