-- A table without statistics counts as one whose every row has a tenant of its own: each index that begins with the tenant then
-- looks as good as the key, and a plan that a session keeps may read a tenant's whole history for one row. Sessions keep the
-- plans of functions and foreign keys from the first rows on, so the truth is told before there are any; ANALYZE replaces it.
-- PostgreSQL 18 and later can be told.

do $$
declare
  tenants_table record;
begin
  if not exists (select from pg_proc where proname = 'pg_restore_attribute_stats') then
    return;
  end if;
  for tenants_table in
    select space.nspname, of_tenants.relname
      from pg_class of_tenants
      join pg_namespace space on space.oid = of_tenants.relnamespace
      join pg_attribute tenant on tenant.attrelid = of_tenants.oid and tenant.attname = 'tenant_id' and not tenant.attisdropped
     where of_tenants.relkind = 'r' and space.nspname = 'public'
  loop
    perform pg_restore_attribute_stats(
      'schemaname', tenants_table.nspname::text, 'relname', tenants_table.relname::text, 'attname', 'tenant_id',
      'inherited', false, 'null_frac', 0::real, 'avg_width', 16, 'n_distinct', 5::real);
  end loop;
end $$;
