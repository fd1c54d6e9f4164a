-- Rows that decide carry a seal, an HMAC under a key of the keyring: a login to the database alone writes none that counts.
-- First the keys that sign grants, and the grants themselves.

create function countersign_sealed(target regclass) returns void
  language plpgsql as $$
declare
  base text := (select relname from pg_class where oid = target);
  filled boolean;
begin
  call countersign_require_owner();
  execute format('select exists (select from %s)', target) into filled;
  if filled then
    raise exception 'This data folder is of a version before rows were sealed: what % holds is not authenticated. Start with a new folder (COUNTERSIGN_DATA) and a new database, and found your tenants again.', base
      using errcode = 'CS003';
  end if;
  execute format(
    'alter table %s add column seal text not null constraint %I check (seal ~ ''^[^.]{1,64}[.][A-Za-z0-9_-]{43}$'')',
    target, base || '_seal_check');
  execute format('comment on column %s.seal is %L', target,
    'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.');
end $$;
comment on function countersign_sealed(regclass) is
  'Adds the seal that Countersign checks where a row of the table decides. Refuses (CS003) a table that has rows.';

-- Made anew when they are needed: nothing rests on those from before a tenant was founded.
delete from grant_key;
select countersign_sealed('grant_key');
select countersign_sealed('call_grant');
