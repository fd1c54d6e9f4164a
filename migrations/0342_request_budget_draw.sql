-- A draw is one statement, without a transaction around it: it stands whatever becomes of the request.

create function request_budget_draw(
  drawing uuid, holders uuid[], wanted_requests integer[], holder_burst float8, holder_refill float8,
  tenant_burst float8, tenant_refill float8
) returns table (holder_id uuid, granted integer, tokens float8)
  language plpgsql as $$
#variable_conflict use_column
declare
  before constant text := coalesce(current_setting('app.tenant_id', true), '');
begin
  perform set_config('app.tenant_id', drawing::text, true), set_config('lock_timeout', '5000', true);
  return query
    insert into request_budget as budget (tenant_id, holder_id, tokens, granted, refilled_at)
    select drawing, wanted.holder_id,
           (case when wanted.holder_id = drawing then tenant_burst else holder_burst end) - wanted.requests,
           wanted.requests, clock_timestamp()
      from unnest(holders, wanted_requests) as wanted (holder_id, requests)
    on conflict (tenant_id, holder_id) do update set (tokens, granted, refilled_at) = (
      select greatest(0, available.tokens - given.requests), given.requests, clock_timestamp()
        from (select least(limits.burst, budget.tokens + limits.refill
                       * greatest(0, extract(epoch from clock_timestamp() - budget.refilled_at))) as tokens
                from (select case when budget.holder_id = drawing then tenant_burst else holder_burst end as burst,
                             case when budget.holder_id = drawing then tenant_refill else holder_refill end as refill)
                     limits) available,
             lateral (select least(excluded.granted, floor(available.tokens)::integer) as requests) given)
    returning budget.holder_id, budget.granted, budget.tokens;
  perform set_config('app.tenant_id', before, true);
end $$;

comment on function request_budget_draw(uuid, uuid[], integer[], float8, float8, float8, float8) is
  'Draws requests from budgets of one tenant: what each was given, and what is left. With the rights of the caller, under row-level security; refills are by the second.';
