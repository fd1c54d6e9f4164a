-- What a login to the database alone must not take back (T42): a delegation that nobody made, an earlier autonomy document,
-- a halt that holds, a code that was used.

alter table absence add column seal text constraint absence_seal_check check (seal ~ '^[^.]{1,64}[.][A-Za-z0-9_-]{43}$');
comment on column absence.seal is
  'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide. Null from before there were seals: it counts for nothing.';

create function countersign_newest_revision() returns trigger
  language plpgsql as $$
begin
  if exists (select from autonomy_revision chosen
               join autonomy_revision newer on newer.tenant_id = chosen.tenant_id and newer.number > chosen.number
              where chosen.tenant_id = new.tenant_id and chosen.id = new.revision_id) then
    raise exception 'autonomy_head: the newest revision alone is in force' using errcode = 'CS001';
  end if;
  return new;
end $$;
comment on function countersign_newest_revision() is
  'Trigger: an earlier autonomy document comes into force as a new revision only; SQLSTATE CS001.';
create trigger autonomy_head_newest before insert or update on autonomy_head
  for each row execute function countersign_newest_revision();

create trigger halt_set_once before update on halt
  for each row execute function countersign_refuse_unset('lifted_at', 'lifted_by', 'lift_note');
create trigger recovery_code_set_once before update on recovery_code
  for each row execute function countersign_refuse_unset('used_at', 'withdrawn_at');
create trigger bootstrap_token_set_once before update on bootstrap_token
  for each row execute function countersign_refuse_unset('used_at');
create trigger factor_set_once before update on factor
  for each row execute function countersign_refuse_unset('confirmed_at', 'removed_at');
create trigger change_request_set_once before update on change_request
  for each row execute function countersign_refuse_unset('closed_at', 'closed_by', 'closed_reason');
