-- Clicks in Slack hold what reviewers wrote, and delivered messages only repeat what stands elsewhere: neither is kept longer
-- than it is of use. Which tenants have some that are too old; the deleting itself is done inside each of them.

create index slack_interaction_done_idx on slack_interaction (tenant_id, done_at) where done_at is not null;
create index outbox_message_delivered_idx on outbox_message (tenant_id, delivered_at) where state = 'delivered';

-- What waits, was given up or was delivered just now is nobody's to delete.
create function outbox_message_refuse_delete() returns trigger
  language plpgsql as $$
begin
  if old.state <> 'delivered' or old.delivered_at > clock_timestamp() - interval '29 days' then
    raise exception 'outbox_message: only what was delivered a month ago is deleted' using errcode = 'CS001';
  end if;
  return old;
end $$;
comment on function outbox_message_refuse_delete() is
  'Trigger: messages are deleted a month after they were delivered, and no others; SQLSTATE CS001.';
create trigger outbox_message_kept before delete on outbox_message
  for each row execute function outbox_message_refuse_delete();
grant delete on outbox_message to countersign_app;

create function slack_interaction_done_tenants(before timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id
      from tenant
     where exists (select from slack_interaction interaction
                    where interaction.tenant_id = tenant.id and interaction.done_at < before);
  end;
select countersign_system_function('slack_interaction_done_tenants(timestamptz)');
comment on function slack_interaction_done_tenants(timestamptz) is
  'Tenants with interactions from Slack that were done before a moment; id repeats the tenant.';

create function outbox_delivered_tenants(before timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id
      from tenant
     where exists (select from outbox_message message
                    where message.tenant_id = tenant.id and message.state = 'delivered' and message.delivered_at < before);
  end;
select countersign_system_function('outbox_delivered_tenants(timestamptz)');
comment on function outbox_delivered_tenants(timestamptz) is
  'Tenants with messages that were delivered before a moment; id repeats the tenant.';
