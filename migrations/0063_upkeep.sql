-- Which tenants have something that only time makes due. The work itself is done inside each of them.

create function audit_retention_tenants() returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select rule.tenant_id, rule.tenant_id from audit_retention rule;
  end;
select countersign_system_function('audit_retention_tenants()');

comment on function audit_retention_tenants() is 'Tenants that erase payloads by a rule; id repeats the tenant.';

select countersign_system_reads('idempotency_record');

create function idempotency_expired_tenants(at timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    -- One look into the index for each tenant, however many records there are.
    select tenant.id, tenant.id
      from tenant
     where exists (select from idempotency_record record
                    where record.tenant_id = tenant.id and record.expires_at <= at);
  end;
select countersign_system_function('idempotency_expired_tenants(timestamptz)');

comment on function idempotency_expired_tenants(timestamptz) is
  'Tenants with answers kept for repeated requests whose time is over; id repeats the tenant.';
