-- Call grants, which a tool server checks before it acts, and the keys that sign them.

create table grant_key (
  kid text not null,
  public_jwk jsonb not null,
  wrapping_key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  created_at timestamptz not null,
  active_from timestamptz not null,
  seal text not null constraint grant_key_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint grant_key_pk primary key (kid)
);
create index grant_key_active_idx on grant_key (active_from desc);

comment on table grant_key is 'Ed25519 keys that sign grants, for every tenant; published before they are used.';
comment on column grant_key.kid is 'The key''s name in a grant''s header: the thumbprint of RFC 7638.';
comment on column grant_key.public_jwk is 'The public key, as /.well-known/jwks.json shows it.';
comment on column grant_key.wrapping_key_id is 'The key of the keyring that the private key is encrypted with.';
comment on column grant_key.nonce is 'AES-256-GCM nonce.';
comment on column grant_key.ciphertext is 'The private key (PKCS #8), encrypted.';
comment on column grant_key.created_at is 'When it was made, and published.';
comment on column grant_key.active_from is 'From when it signs; the newest active one does.';
comment on column grant_key.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

grant select, insert on grant_key to countersign_app;

create table call_grant (
  tenant_id uuid not null constraint call_grant_tenant_fk references tenant (id),
  id uuid not null,
  environment text not null,
  audience text not null,
  basis text not null,
  source_type text not null,
  source_id uuid not null,
  step text not null,
  attempt integer not null,
  tool text not null,
  arguments_digest text not null,
  issued_at timestamptz not null,
  expires_at timestamptz not null,
  redeemed_at timestamptz,
  revoked_at timestamptz,
  revoked_reason text,
  -- A count in a pattern has PostgreSQL make a state for each character, at each use.
  seal text not null constraint call_grant_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint call_grant_pk primary key (tenant_id, id),
  constraint call_grant_once_check check (redeemed_at is null or revoked_at is null),
  constraint call_grant_revoked_check check ((revoked_at is null) = (revoked_reason is null)),
  constraint call_grant_basis_check
    check (basis in ('approval', 'policy', 'break_glass', 'simulation', 'rollback', 'health_check')),
  constraint call_grant_source_type_check check (source_type in ('run', 'simulation', 'tool_call', 'lifecycle_hook'))
);
create index call_grant_live_idx on call_grant (tenant_id, expires_at) where redeemed_at is null and revoked_at is null;
create index call_grant_source_idx on call_grant (tenant_id, source_id);

comment on table call_grant is 'Every grant issued: redeemed once, revoked, or left to expire.';
comment on column call_grant.tenant_id is 'The tenant it belongs to.';
comment on column call_grant.id is 'The grant''s jti.';
comment on column call_grant.environment is 'The environment''s name.';
comment on column call_grant.audience is 'The executor it is for.';
comment on column call_grant.basis is 'The basis of the call.';
comment on column call_grant.source_type is 'The kind of thing that the call is made for: run, simulation, tool_call or lifecycle_hook.';
comment on column call_grant.source_id is 'The run, the simulation, the single call or the execution of a hook.';
comment on column call_grant.step is 'The run step, the number of the simulated call, or the single call.';
comment on column call_grant.attempt is 'The attempt''s number, from 1.';
comment on column call_grant.tool is 'The tool''s name.';
comment on column call_grant.arguments_digest is 'Digest of the arguments, kind arguments.';
comment on column call_grant.issued_at is 'By the database''s clock.';
comment on column call_grant.expires_at is '60 seconds later.';
comment on column call_grant.redeemed_at is 'When the executor redeemed it, or null.';
comment on column call_grant.revoked_at is 'When a halt revoked it, or null.';
comment on column call_grant.revoked_reason is 'The halt that did.';
comment on column call_grant.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_check_at_once('call_grant');
select countersign_protect('call_grant');
select countersign_changes_only('call_grant', 'redeemed_at', 'revoked_at', 'revoked_reason');
create trigger call_grant_set_once before update on call_grant
  for each row execute function countersign_refuse_unset('redeemed_at', 'revoked_at');
