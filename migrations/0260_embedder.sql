-- The embedder of a tenant: a server of its own that gives a text a vector of its meaning.

create table embedder (
  tenant_id uuid not null constraint embedder_tenant_fk references tenant (id),
  id uuid not null,
  url text not null
    constraint embedder_url_check check (url ~ '^https://[^/?#@]+(/[^?#]*)?$' and char_length(url) <= 2000),
  ca text constraint embedder_ca_check check (char_length(ca) <= 20000),
  model text not null constraint embedder_model_check check (char_length(model) between 1 and 200),
  dimensions integer constraint embedder_dimensions_check check (dimensions between 8 and 4096),
  key_id text,
  nonce bytea,
  ciphertext bytea,
  generation integer not null constraint embedder_generation_check check (generation >= 1),
  least real,
  answered_at timestamptz,
  error text constraint embedder_error_check check (char_length(error) <= 1000),
  error_at timestamptz,
  batch integer not null default 16 constraint embedder_batch_check check (batch between 1 and 16),
  failures integer not null default 0 constraint embedder_failures_check check (failures >= 0),
  next_at timestamptz not null default now(),
  created_by uuid not null,
  created_at timestamptz not null,
  constraint embedder_pk primary key (tenant_id, id),
  constraint embedder_one_key unique (tenant_id),
  constraint embedder_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint embedder_token_check check (num_nulls(key_id, nonce, ciphertext) in (0, 3)),
  constraint embedder_failure_check check ((error is null) = (error_at is null))
);

comment on table embedder is 'The server that gives texts of a tenant vectors of their meaning, at an https address.';
comment on column embedder.tenant_id is 'The tenant it belongs to.';
comment on column embedder.id is 'UUIDv7.';
comment on column embedder.url is 'The base of the address, without credentials and query; its connection passes the rules for outbound addresses.';
comment on column embedder.ca is 'Certificates in PEM that alone vouch for it; null for the public authorities.';
comment on column embedder.model is 'The model, as the server names it.';
comment on column embedder.dimensions is 'The length of a vector that is asked for; null for that of the model.';
comment on column embedder.key_id is 'Which master key encrypts its bearer token; null if it has none.';
comment on column embedder.nonce is '96 random bits.';
comment on column embedder.ciphertext is 'Ciphertext and tag of the token.';
comment on column embedder.generation is 'Raised with each change of address, model or length: vectors of different generations are not comparable.';
comment on column embedder.least is 'The cosine from which on two vectors count as similar, measured with sentences of known meaning; null until then.';
comment on column embedder.answered_at is 'When it last gave a vector; null for never.';
comment on column embedder.error is 'The reason why it gave none since then, masked; null if it did.';
comment on column embedder.error_at is 'When that was.';
comment on column embedder.batch is 'How many texts a request of a worker holds. It is half after an answer that came too late, and twice as many after a quick one.';
comment on column embedder.failures is 'The failed turns of workers in a row.';
comment on column embedder.next_at is 'When a worker looks for texts without a vector again.';
comment on column embedder.created_by is 'The person who asked for it.';
comment on column embedder.created_at is 'When it came into force.';

select countersign_protect('embedder');
select countersign_system_reads('embedder');

create function precedent_embed_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id
      from embedder due
     where due.next_at <= at and due.id <> all (held) and due.tenant_id <> all (full_tenants)
     order by due.next_at limit most;
  end;
select countersign_system_function('precedent_embed_due(timestamptz, integer, uuid[], uuid[])');
comment on function precedent_embed_due(timestamptz, integer, uuid[], uuid[]) is
  'Embedders whose tenants may have precedents without a vector, the longest due first.';

create function embedder_forget_vectors() returns trigger language plpgsql as $$
begin
  delete from precedent_vector where tenant_id = old.tenant_id;
  return null;
end $$;
comment on function embedder_forget_vectors() is 'Trigger: the vectors of an embedder go with it.';
create trigger embedder_forget_vectors after delete on embedder
  for each row execute function embedder_forget_vectors();
