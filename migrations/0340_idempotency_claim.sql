-- One statement claims an Idempotency-Key, and says what became of it.

create function idempotency_claim(
  new_id uuid, claiming uuid, claimed_key text, claimed_operation text, claimed_digest text
) returns table (outcome text, old boolean, response_status integer, response_headers jsonb, response_body text)
  language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
  at timestamptz;
  found_record idempotency_record;
begin
  outcome := 'unfinished';
  old := false;
  -- The first request may keep its key in the transaction of its work. A repetition is told at once, and waits for nothing.
  if not pg_try_advisory_xact_lock(
    hashtextextended('countersign.idempotency:' || tenant || claiming || claimed_key, 0)) then
    return next;
    return;
  end if;
  at := clock_timestamp();
  delete from idempotency_record kept
   where kept.tenant_id = tenant and kept.credential_id = claiming and kept.idempotency_key = claimed_key
     and kept.expires_at <= at;
  insert into idempotency_record (tenant_id, credential_id, idempotency_key, id, operation, request_digest, created_at,
                                  expires_at)
  values (tenant, claiming, claimed_key, new_id, claimed_operation, claimed_digest, at, at + interval '24 hours')
  on conflict (tenant_id, credential_id, idempotency_key) do nothing;
  if found then
    -- Each new key takes some expired ones along, so that there are never many of them.
    delete from idempotency_record kept where kept.tenant_id = tenant and kept.id in (
      select expired.id from idempotency_record expired
       where expired.tenant_id = tenant and expired.expires_at <= at
       order by expired.expires_at limit 10 for update skip locked);
    outcome := 'claimed';
    return next;
    return;
  end if;
  select kept.* into found_record from idempotency_record kept
   where kept.tenant_id = tenant and kept.credential_id = claiming and kept.idempotency_key = claimed_key;
  if found then
    if found_record.operation <> claimed_operation or found_record.request_digest <> claimed_digest then
      outcome := 'mismatch';
    elsif found_record.completed_at is not null then
      outcome := 'answered';
      response_status := found_record.response_status;
      response_headers := found_record.response_headers;
      response_body := found_record.response_body;
    else
      old := found_record.created_at < at - interval '60 seconds';
    end if;
  end if;
  return next;
end $$;

comment on function idempotency_claim(uuid, uuid, text, text, text) is
  'Claims a key of the current tenant (claimed), or says that its request is at work (unfinished), was another (mismatch), or was answered; with the rights of the caller.';
