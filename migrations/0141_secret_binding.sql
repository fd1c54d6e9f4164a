-- A secret names what it is for, and nothing else is sent it. What has no binding is sent nowhere.
create table secret_binding (
  tenant_id uuid not null constraint secret_binding_tenant_fk references tenant (id),
  secret_name text not null,
  purpose text not null,
  executors text[] not null,
  environments text[] not null,
  tools text[] not null,
  updated_at timestamptz not null,
  updated_by uuid not null,
  constraint secret_binding_pk primary key (tenant_id, secret_name),
  constraint secret_binding_updated_by_fk foreign key (tenant_id, updated_by) references person (tenant_id, id),
  constraint secret_binding_name_check check (secret_name ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$'),
  constraint secret_binding_purpose_check check (purpose in ('tool_arguments', 'executor_token', 'sign_in', 'incidents')),
  constraint secret_binding_places_check
    check ((purpose in ('tool_arguments', 'executor_token')) = (cardinality(executors) + cardinality(environments) > 0)),
  constraint secret_binding_tools_check check ((purpose = 'tool_arguments') = (cardinality(tools) > 0)),
  constraint secret_binding_nulls_check
    check (array_position(executors, null) is null and array_position(environments, null) is null and array_position(tools, null) is null)
);
select countersign_protect('secret_binding');
select countersign_changes_only('secret_binding', 'purpose', 'executors', 'environments', 'tools', 'updated_at', 'updated_by');
grant delete on secret_binding to countersign_app;

comment on table secret_binding is 'What a secret is for, all its versions alike: nothing else is sent it. Without a row it is sent nowhere.';
comment on column secret_binding.tenant_id is 'The tenant it belongs to.';
comment on column secret_binding.secret_name is 'The secret, by its name.';
comment on column secret_binding.purpose is
  'tool_arguments: calls of the tools get it. executor_token: the executors are called with it. sign_in: client secret at issuers. incidents: routing key of pages.';
comment on column secret_binding.executors is 'Executors it may be sent to, as <environment>/<name>.';
comment on column secret_binding.environments is 'Environments of which it may be sent to every executor, by name.';
comment on column secret_binding.tools is 'Tools whose calls get it, by name; only for tool_arguments.';
comment on column secret_binding.updated_at is 'When it became what it is.';
comment on column secret_binding.updated_by is 'Who asked for it to be so.';

-- What stands keeps working: client secrets of issuers, routing keys, and the tokens of executors as they are now. What only
-- plans named has to be bound by somebody.
insert into secret_binding (tenant_id, secret_name, purpose, executors, environments, tools, updated_at, updated_by)
select secret.tenant_id, secret.name, used.purpose, used.executors, '{}', '{}', secret.created_at, secret.created_by
from (select distinct on (tenant_id, name) tenant_id, name, created_at, created_by from secret order by tenant_id, name, version desc) secret
cross join lateral (
  select candidate.purpose, candidate.executors from (
    select 1 as rank, 'sign_in' as purpose, '{}'::text[] as executors from issuer
      where issuer.tenant_id = secret.tenant_id and split_part(issuer.client_secret, '@', 1) = secret.name
    union all
    select 2, 'incidents', '{}' from incident_setting setting
      where setting.tenant_id = secret.tenant_id and split_part(setting.pagerduty_secret, '@', 1) = secret.name
    union all
    select 3, 'executor_token', array_agg(environment.name || '/' || executor.name order by environment.name, executor.name)
      from executor
      join executor_version standing
        on standing.tenant_id = executor.tenant_id and standing.executor_id = executor.id and standing.version = executor.version
      join environment on environment.tenant_id = executor.tenant_id and environment.id = executor.environment_id
      where executor.tenant_id = secret.tenant_id and split_part(standing.secret, '@', 1) = secret.name
      having count(*) > 0
  ) candidate order by candidate.rank limit 1
) used;

-- To send a secret further waits for a second person, too. The kinds that are known so far stay.
do $$
declare
  known text;
begin
  select string_agg(quote_literal(kind), ', ')
    into known
    from (
      select (regexp_matches(pg_get_constraintdef(oid), '''([a-z_]+)''', 'g'))[1] as kind
        from pg_constraint
       where conrelid = 'change_request'::regclass and conname = 'change_request_kind_check'
      union
      select 'secret_binding'
    ) kinds;
  alter table change_request drop constraint change_request_kind_check;
  execute format('alter table change_request add constraint change_request_kind_check check (kind in (%s))', known);
end $$;
