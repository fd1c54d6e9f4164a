-- The answers of the API to creating requests, kept for a repetition of the same request.

create table idempotency_record (
  tenant_id uuid not null,
  id uuid not null,
  credential_id uuid not null,
  idempotency_key text not null,
  operation text not null,
  request_digest text not null,
  response_status integer,
  response_headers jsonb,
  response_body text,
  created_at timestamptz not null,
  completed_at timestamptz,
  expires_at timestamptz not null,
  constraint idempotency_record_pk primary key (tenant_id, id),
  constraint idempotency_record_key unique (tenant_id, credential_id, idempotency_key),
  constraint idempotency_record_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint idempotency_record_key_check check (char_length(idempotency_key) between 1 and 255),
  constraint idempotency_record_digest_check check (request_digest ~ '^sha256:[0-9a-f]{64}$'),
  constraint idempotency_record_status_check check (response_status between 200 and 599),
  constraint idempotency_record_completed_check check (
    (completed_at is null) = (response_status is null) and (completed_at is null) = (response_body is null)
    and (completed_at is null) = (response_headers is null)),
  constraint idempotency_record_expires_at_check check (expires_at > created_at)
);
create index idempotency_record_expiry_idx on idempotency_record (tenant_id, expires_at);

comment on table idempotency_record is 'The answer to a creating request, given again to a repetition with the same Idempotency-Key.';
comment on column idempotency_record.tenant_id is 'The tenant it belongs to.';
comment on column idempotency_record.id is 'UUIDv7.';
comment on column idempotency_record.credential_id is 'The credential that asked: a key means something only for the credential that chose it.';
comment on column idempotency_record.idempotency_key is 'The header''s value.';
comment on column idempotency_record.operation is 'Method and route template, POST /v1/tasks.';
comment on column idempotency_record.request_digest is 'Digest of the request body; another body with the same key is refused.';
comment on column idempotency_record.response_status is 'HTTP status that was answered; null while the first request is still at work.';
comment on column idempotency_record.response_headers is 'Headers that belong to the answer (ETag, Location).';
comment on column idempotency_record.response_body is 'Body that was answered, byte for byte; of a failure that kept the key, its code.';
comment on column idempotency_record.created_at is 'When the first request came.';
comment on column idempotency_record.completed_at is 'When it was answered.';
comment on column idempotency_record.expires_at is 'From when the key may be used anew.';

select countersign_protect('idempotency_record');
select countersign_system_reads('idempotency_record');

-- One statement claims an Idempotency-Key and returns the outcome.
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
comment on function idempotency_claim(uuid, uuid, text, text, text) is 'Claims a key of the current tenant (claimed). If the key is taken, says that its request is at work (unfinished), was another (mismatch), or was answered; with the rights of the caller.';

create function idempotency_keep(claiming uuid, claimed_key text, status integer, headers jsonb, body text) returns void
  language plpgsql as $$
begin
  update idempotency_record set response_status = status, response_headers = headers, response_body = body,
                                completed_at = clock_timestamp()
   where tenant_id = countersign_current_tenant() and credential_id = claiming and idempotency_key = claimed_key;
end $$;
comment on function idempotency_keep(uuid, text, integer, jsonb, text) is 'Keeps the answer to the request of a claimed key of the current tenant. With the rights of the caller.';

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
  'Tenants with kept answers past their time; id repeats the tenant.';
