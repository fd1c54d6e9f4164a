-- Passkeys are made for one host name. When the public address changes, `countersign start` counts those that stop working, and
-- starts once the operator has accepted it.

create table accepted_host (
  host text not null,
  accepted_at timestamptz not null,
  constraint accepted_host_pk primary key (host, accepted_at),
  constraint accepted_host_host_check check (char_length(host) <= 253)
);
grant select, insert on accepted_host to countersign_app;
grant select on accepted_host to countersign_system;
comment on table accepted_host is 'Global: host names for which the operator accepted that passkeys of other hosts stop working.';
comment on column accepted_host.host is 'The host name that passkeys are made for from then on; empty for an address that none can be made for.';
comment on column accepted_host.accepted_at is 'When; passkeys that were made for another host later are counted anew.';

create function passkeys_of_other_hosts(host_now text) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select f.tenant_id, f.id from factor f
     where f.kind = 'passkey' and f.state = 'active' and f.relying_party_id <> host_now
       and not exists (select from accepted_host a where a.host = host_now and a.accepted_at >= f.created_at);
  end;
select countersign_system_function('passkeys_of_other_hosts(text)');
comment on function passkeys_of_other_hosts(text) is
  'The active passkeys that do not work at this host, but those of which the operator accepted that before.';
