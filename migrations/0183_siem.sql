-- SIEM: the collector of a tenant, which takes the events of its log over HTTPS.

create table siem_collector (
  tenant_id uuid not null constraint siem_collector_tenant_fk references tenant (id),
  id uuid not null,
  url text not null
    constraint siem_collector_url_check check (url ~ '^https://[^/?#@]+(/[^?#]*)?$' and char_length(url) <= 2000),
  ca text constraint siem_collector_ca_check check (char_length(ca) <= 20000),
  key_id text,
  nonce bytea,
  ciphertext bytea,
  generation integer not null constraint siem_collector_generation_check check (generation >= 1),
  answered_at timestamptz,
  error text constraint siem_collector_error_check check (char_length(error) <= 1000),
  error_at timestamptz,
  created_by uuid not null,
  created_at timestamptz not null,
  constraint siem_collector_pk primary key (tenant_id, id),
  constraint siem_collector_one_key unique (tenant_id),
  constraint siem_collector_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint siem_collector_token_check check (num_nulls(key_id, nonce, ciphertext) in (0, 3)),
  constraint siem_collector_failure_check check ((error is null) = (error_at is null))
);

comment on table siem_collector is 'The receiver of OCSF lines of a tenant, at an https address.';
comment on column siem_collector.tenant_id is 'The tenant it belongs to.';
comment on column siem_collector.id is 'UUIDv7.';
comment on column siem_collector.url is 'The address, without credentials and query; its connection passes the rules for outbound addresses.';
comment on column siem_collector.ca is 'Certificates in PEM that alone vouch for it; null for the public authorities.';
comment on column siem_collector.key_id is 'Which master key encrypts its bearer token; null if it has none.';
comment on column siem_collector.nonce is '96 random bits.';
comment on column siem_collector.ciphertext is 'Ciphertext and tag of the token.';
comment on column siem_collector.generation is 'Raised with each change of address: what is known of a former one says nothing of this one.';
comment on column siem_collector.answered_at is 'When it last took lines; null for never.';
comment on column siem_collector.error is 'The reason why it took none since then, masked; null if it did.';
comment on column siem_collector.error_at is 'When that was.';
comment on column siem_collector.created_by is 'The person who asked for it.';
comment on column siem_collector.created_at is 'When it came into force.';

select countersign_protect('siem_collector');
