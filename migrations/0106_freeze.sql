-- A freeze holds a start back that was to come by itself; it comes when the freeze is over, if the approval is still good.

alter table approval_request add column start_after timestamptz;
comment on column approval_request.start_after is
  'Until when the start is held back that was to come by itself: by a freeze, or after a refusal that passes. Null where none is.';
grant update (start_after) on approval_request to countersign_app;
create index approval_request_held_idx on approval_request (tenant_id, start_after, id)
  where state = 'granted' and start_after is not null;

create or replace function approval_startable(most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id from (
      (select request.tenant_id, request.id, request.start_at as at from approval_request request
        where request.state = 'granted' and request.start = 'at' and request.start_after is null
          and request.start_at <= clock_timestamp() and request.grant_expires_at > clock_timestamp()
        order by request.start_at limit most)
      union all
      (select request.tenant_id, request.id, request.start_after from approval_request request
        where request.state = 'granted' and request.start in ('at', 'on_approval')
          and request.start_after is not null and request.start_after <= clock_timestamp()
          and request.grant_expires_at > clock_timestamp()
        order by request.start_after limit most)
    ) due order by due.at limit most;
  end;
