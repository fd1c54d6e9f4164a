-- Whether anybody has founded a tenant here: a server that starts for the first time makes a bootstrap token.

select countersign_system_reads('tenant');

create function any_tenant() returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id from tenant limit 1;
  end;
select countersign_system_function('any_tenant()');

comment on function any_tenant() is 'Some tenant, or no row where none was founded yet.';
