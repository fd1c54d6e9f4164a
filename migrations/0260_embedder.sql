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

-- ---------------------------------------------------------------------------------------------------------------
-- Vectors of precedents
-- ---------------------------------------------------------------------------------------------------------------

-- Made by workers after the precedent, and made again at any time: nothing refers to them.
create table precedent_vector (
  tenant_id uuid not null,
  precedent_id uuid not null,
  agent_id uuid,
  generation integer not null,
  exact bytea,
  constraint precedent_vector_pk primary key (tenant_id, precedent_id),
  constraint precedent_vector_exact_check check (octet_length(exact) between 8 and 16384 and octet_length(exact) % 4 = 0)
);
-- Vectors hardly compress, and a search reads few of them.
alter table precedent_vector alter column exact set storage external;

-- A point has 96 dimensions: contrib cube has at most 100. The type is pgvector's if the server has that extension.
do $$
begin
  begin
    if exists (select from pg_available_extensions where name = 'vector') then
      create extension if not exists vector with schema public;
    end if;
  exception when insufficient_privilege then
    raise notice 'the extension vector was not created: points are kept as cubes';
  end;
  if exists (select from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
              where extname = 'vector' and nspname = 'public') then
    alter table precedent_vector add column point vector(96);
    execute 'create function precedent_point(near float8[]) returns vector language sql immutable parallel safe
               set search_path = pg_catalog, public, pg_temp as ''select near::public.vector(96)''';
  else
    if not exists (select from pg_available_extensions where name = 'cube') then
      raise exception 'this PostgreSQL has no extension cube: install its contrib modules (postgresql-contrib), then migrate again';
    end if;
    create extension if not exists cube with schema public;
    alter table precedent_vector add column point cube;
    execute 'create function precedent_point(near float8[]) returns cube language sql immutable parallel safe
               set search_path = pg_catalog, public, pg_temp as ''select public.cube(near)''';
  end if;
end $$;
alter table precedent_vector add constraint precedent_vector_point_check check ((point is null) = (exact is null));
revoke execute on function precedent_point(float8[]) from public;
grant execute on function precedent_point(float8[]) to countersign_app;
comment on function precedent_point(float8[]) is 'A point from its 96 coordinates, in the type that this server keeps points in.';

comment on table precedent_vector is 'The meaning of the goal of a precedent, as the embedder of the tenant gave it.';
comment on column precedent_vector.tenant_id is 'The tenant it belongs to.';
comment on column precedent_vector.precedent_id is 'The precedent.';
comment on column precedent_vector.agent_id is 'The agent that wrote the goal: it alone among agents finds it by that. Null for a person.';
comment on column precedent_vector.generation is 'The generation of the embedder that gave it.';
comment on column precedent_vector.exact is 'The vector, of length 1, in 32-bit numbers; null if the embedder rejects the text.';
comment on column precedent_vector.point is 'The vector projected to 96 dimensions, which finds the few to compare exactly.';

select countersign_protect('precedent_vector');

-- Erasing runs as countersign_system, inside the current tenant.
create policy precedent_vector_system_erase on precedent_vector to countersign_system
  using (tenant_id = (select countersign_current_tenant())) with check (false);
grant select, delete on precedent_vector to countersign_system;

create function precedent_vector_outdate() returns trigger language plpgsql as $$
begin
  delete from precedent_vector where tenant_id = new.tenant_id and precedent_id = new.id;
  return null;
end $$;
comment on function precedent_vector_outdate() is
  'Trigger: a vector ends with its text, in the same transaction. A worker makes one of the new text, if there is one.';
create trigger precedent_vector_outdate after update of goal on precedent
  for each row when (old.goal is distinct from new.goal)
  execute function precedent_vector_outdate();

create function embedder_forget_vectors() returns trigger language plpgsql as $$
begin
  delete from precedent_vector where tenant_id = old.tenant_id;
  return null;
end $$;
comment on function embedder_forget_vectors() is 'Trigger: the vectors of an embedder go with it.';
create trigger embedder_forget_vectors after delete on embedder
  for each row execute function embedder_forget_vectors();
