-- The tenant's autonomy document: every revision of it, and the one in force.

create table autonomy_revision (
  tenant_id uuid not null,
  id uuid not null,
  number integer not null,
  source text not null,
  source_sha256 text not null,
  document text not null,
  digest text not null,
  created_at timestamptz not null,
  created_by uuid not null,
  seal text not null constraint autonomy_revision_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint autonomy_revision_pk primary key (tenant_id, id),
  constraint autonomy_revision_number_key unique (tenant_id, number),
  constraint autonomy_revision_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint autonomy_revision_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint autonomy_revision_number_check check (number >= 1),
  constraint autonomy_revision_source_check check (octet_length(source) between 1 and 65536),
  constraint autonomy_revision_source_sha256_check check (source_sha256 ~ '^[0-9a-f]{64}$'),
  constraint autonomy_revision_digest_check check (digest ~ '^sha256:[0-9a-f]{64}$')
);

comment on table autonomy_revision is 'How much the tenant lets agents do, as it was written. Never changed: decisions name a revision.';
comment on column autonomy_revision.tenant_id is 'The tenant it belongs to.';
comment on column autonomy_revision.id is 'UUIDv7.';
comment on column autonomy_revision.number is 'Counts from 1 within the tenant.';
comment on column autonomy_revision.source is 'The YAML, byte for byte as it was put.';
comment on column autonomy_revision.source_sha256 is 'SHA-256 of source, hexadecimal; its ETag.';
comment on column autonomy_revision.document is 'The content of the YAML as canonical JSON (RFC 8785); the input of policies.';
comment on column autonomy_revision.digest is 'Digest of document, kind autonomy.';
comment on column autonomy_revision.created_at is 'When it was put.';
comment on column autonomy_revision.created_by is 'The person who put it.';
comment on column autonomy_revision.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('autonomy_revision');
select countersign_append_only('autonomy_revision');

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

create table autonomy_head (
  tenant_id uuid not null,
  revision_id uuid not null,
  updated_at timestamptz not null,
  constraint autonomy_head_pk primary key (tenant_id),
  constraint autonomy_head_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint autonomy_head_revision_fk foreign key (tenant_id, revision_id) references autonomy_revision (tenant_id, id)
);

comment on table autonomy_head is 'The revision in force, one row a tenant. Decisions hold it FOR SHARE; a change waits for them.';
comment on column autonomy_head.tenant_id is 'The tenant.';
comment on column autonomy_head.revision_id is 'The revision in force.';
comment on column autonomy_head.updated_at is 'Since when.';

select countersign_protect('autonomy_head');
create trigger autonomy_head_newest before insert or update on autonomy_head
  for each row execute function countersign_newest_revision();
