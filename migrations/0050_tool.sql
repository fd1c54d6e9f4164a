-- The tool registry: the tools of a tenant with every version of each, and their server in each environment.

create table tool (
  tenant_id uuid not null,
  id uuid not null,
  name text not null,
  version integer not null,
  removed boolean not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint tool_pk primary key (tenant_id, id),
  constraint tool_name_key unique (tenant_id, name),
  constraint tool_tenant_fk foreign key (tenant_id) references tenant (id),
  constraint tool_name_check check (name ~ '^[a-zA-Z][a-zA-Z0-9_.:-]{0,127}$'),
  constraint tool_version_check check (version >= 1),
  constraint tool_updated_at_check check (updated_at >= created_at)
);

comment on table tool is 'The head of a tool: which of its versions counts. A removed tool keeps its row, so that its name goes on counting.';
comment on column tool.tenant_id is 'The tenant it belongs to.';
comment on column tool.id is 'UUIDv7.';
comment on column tool.name is 'Name as plans and autonomy documents write it.';
comment on column tool.version is 'The version that counts now; the last one there was, if it is removed.';
comment on column tool.removed is 'Whether it is gone: nothing new may use it.';
comment on column tool.created_at is 'When its first version was registered.';
comment on column tool.updated_at is 'When the head last moved.';

select countersign_protect('tool');

create table tool_version (
  tenant_id uuid not null,
  id uuid not null,
  tool_id uuid not null,
  name text not null,
  version integer not null,
  digest text not null,
  definition text not null,
  created_at timestamptz not null,
  created_by uuid not null,
  constraint tool_version_pk primary key (tenant_id, id),
  constraint tool_version_version_key unique (tenant_id, tool_id, version),
  constraint tool_version_tool_fk foreign key (tenant_id, tool_id) references tool (tenant_id, id),
  constraint tool_version_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  constraint tool_version_version_check check (version >= 1),
  constraint tool_version_digest_check check (digest ~ '^sha256:[0-9a-f]{64}$')
);
create index tool_version_name_idx on tool_version (tenant_id, name, version desc);

comment on table tool_version is 'A version of a tool as it was declared. Never changed: plans, approvals and evidence name a version.';
comment on column tool_version.tenant_id is 'The tenant it belongs to.';
comment on column tool_version.id is 'UUIDv7.';
comment on column tool_version.tool_id is 'The tool.';
comment on column tool_version.name is 'Its name, which never changes.';
comment on column tool_version.version is 'Counts from 1 within the tool.';
comment on column tool_version.digest is 'Digest of definition, kind tool.';
comment on column tool_version.definition is 'The ToolDefinition as canonical JSON (RFC 8785).';
comment on column tool_version.created_at is 'When it was registered.';
comment on column tool_version.created_by is 'The person who registered it.';

select countersign_protect('tool_version');
select countersign_append_only('tool_version');

create table executor (
  tenant_id uuid not null,
  id uuid not null,
  environment_id uuid not null,
  name text not null,
  version integer not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint executor_pk primary key (tenant_id, id),
  constraint executor_name_key unique (tenant_id, environment_id, name),
  constraint executor_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint executor_name_check check (name ~ '^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$'),
  constraint executor_version_check check (version >= 1),
  constraint executor_updated_at_check check (updated_at >= created_at)
);

comment on table executor is 'The server or agent that carries out tools in one environment. The environment decides the address, the tool only names it.';
comment on column executor.tenant_id is 'The tenant it belongs to.';
comment on column executor.id is 'UUIDv7.';
comment on column executor.environment_id is 'The environment it serves.';
comment on column executor.name is 'Name as tools write it.';
comment on column executor.version is 'The version that counts now.';
comment on column executor.created_at is 'When its first version was registered.';
comment on column executor.updated_at is 'When the head last moved.';

select countersign_protect('executor');

create table executor_version (
  tenant_id uuid not null,
  id uuid not null,
  executor_id uuid not null,
  version integer not null,
  kind text not null,
  url text,
  audience text not null,
  shared_audience boolean not null default false,
  secret text,
  settings jsonb not null default '{}',
  digest text not null,
  created_at timestamptz not null,
  created_by uuid not null,
  constraint executor_version_pk primary key (tenant_id, id),
  constraint executor_version_version_key unique (tenant_id, executor_id, version),
  constraint executor_version_executor_fk foreign key (tenant_id, executor_id) references executor (tenant_id, id),
  constraint executor_version_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id),
  -- The registry of kinds checks the settings of an executor. The table holds the rules of every kind, so that a kind is added
  -- without a migration.
  constraint executor_version_kind_check check (kind ~ '^[a-z][a-z0-9_-]{0,31}$'),
  constraint executor_version_url_check check (char_length(url) between 1 and 2000),
  constraint executor_version_secret_check check (secret ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}@[1-9][0-9]{0,8}$'),
  constraint executor_version_settings_check check (jsonb_typeof(settings) = 'object' and pg_column_size(settings) <= 16384),
  constraint executor_version_audience_check check (char_length(audience) between 1 and 200),
  constraint executor_version_version_check check (version >= 1),
  constraint executor_version_digest_check check (digest ~ '^sha256:[0-9a-f]{64}$')
);

comment on table executor_version is 'An address that tools had in an environment. Never changed: approvals bind its digest.';
comment on column executor_version.tenant_id is 'The tenant it belongs to.';
comment on column executor_version.id is 'UUIDv7.';
comment on column executor_version.executor_id is 'The executor.';
comment on column executor_version.version is 'Counts from 1 within the executor.';
comment on column executor_version.kind is 'A kind of the registry in libs/registry/dispatch/src/executors. A stored kind never changes its meaning.';
comment on column executor_version.url is 'The address that its calls go to; null for a kind that has none.';
comment on column executor_version.audience is 'The aud of grants for it.';
comment on column executor_version.shared_audience is 'Executors of other environments may have the same audience, if they say so, too.';
comment on column executor_version.secret is 'name@version of the secret it is called with; null for none.';
comment on column executor_version.settings is 'The other settings of its kind: text, numbers and booleans by name. The schema of the kind checks them.';
comment on column executor_version.digest is 'Digest of environment, name, kind, url, audience, whether that is shared, secret, and settings unless they are empty; kind executor.';
comment on column executor_version.created_at is 'When it was registered.';
comment on column executor_version.created_by is 'The person who registered it.';

select countersign_protect('executor_version');
select countersign_append_only('executor_version');
