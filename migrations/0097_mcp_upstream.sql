-- Upstream MCP servers: executors of kind mcp. The list of each server at the last look, and the definitions that people accepted.

create table mcp_look (
  tenant_id uuid not null,
  executor_id uuid not null,
  looked_at timestamptz,
  next_look_at timestamptz not null,
  problem text constraint mcp_look_problem_check check (char_length(problem) <= 2000),
  tools jsonb not null constraint mcp_look_tools_check check (jsonb_typeof(tools) = 'array' and jsonb_array_length(tools) <= 200),
  constraint mcp_look_pk primary key (tenant_id, executor_id),
  constraint mcp_look_executor_fk foreign key (tenant_id, executor_id) references executor (tenant_id, id)
);
create index mcp_look_due_idx on mcp_look (tenant_id, next_look_at);

comment on table mcp_look is 'The last look at an upstream MCP server. Its words are a stranger''s, and bind Countersign to nothing.';
comment on column mcp_look.tenant_id is 'The tenant it belongs to.';
comment on column mcp_look.executor_id is 'The executor that is the server.';
comment on column mcp_look.looked_at is 'When it last answered or failed; null before the first look.';
comment on column mcp_look.next_look_at is 'Not to be looked at before.';
comment on column mcp_look.problem is 'The reason why the last look failed; null if it did not. The tools are then those of the look before.';
comment on column mcp_look.tools is 'The definitions that it listed, each with its digest, or with the bound that it breaks.';

select countersign_protect('mcp_look');
select countersign_system_reads('mcp_look');

create table mcp_definition (
  tenant_id uuid not null constraint mcp_definition_tenant_fk references tenant (id),
  digest text not null,
  definition text not null constraint mcp_definition_definition_check check (char_length(definition) <= 65536),
  kept_at timestamptz not null,
  constraint mcp_definition_pk primary key (tenant_id, digest),
  constraint mcp_definition_digest_check check (digest ~ '^sha256:[0-9a-f]{64}$')
);

comment on table mcp_definition is 'Definitions that somebody asked to accept. Never changed: tool versions name them by digest.';
comment on column mcp_definition.tenant_id is 'The tenant it belongs to.';
comment on column mcp_definition.digest is 'Digest of definition, kind mcp-tool.';
comment on column mcp_definition.definition is 'Name, title, description, schemas and annotations as canonical JSON (RFC 8785).';
comment on column mcp_definition.kept_at is 'When somebody first asked to accept it.';

select countersign_protect('mcp_definition');
select countersign_append_only('mcp_definition');

-- A server is looked at as soon as it has an address, and again as soon as it has another.
create function countersign_look_at_mcp_server() returns trigger
  language plpgsql as $$
begin
  if new.kind = 'mcp' then
    insert into mcp_look (tenant_id, executor_id, next_look_at, tools)
    values (new.tenant_id, new.executor_id, clock_timestamp(), '[]')
    on conflict on constraint mcp_look_pk do update set next_look_at = excluded.next_look_at;
  else
    delete from mcp_look where tenant_id = new.tenant_id and executor_id = new.executor_id;
  end if;
  return null;
end $$;
comment on function countersign_look_at_mcp_server() is 'Has an upstream MCP server looked at once its executor is put.';
create trigger executor_version_mcp_look after insert on executor_version
  for each row execute function countersign_look_at_mcp_server();

-- A server on runners is looked at soon if one of them says something new about it. The same holds if it no longer lists the
-- server. A runner that always says otherwise has it looked at every 30 seconds at most.
create function countersign_look_at_server_of_runner() returns trigger
  language plpgsql as $$
declare
  said runner_mcp_server;
begin
  if tg_op = 'DELETE' then said := old; else said := new; end if;
  update mcp_look set next_look_at = least(next_look_at, looked_at + interval '30 seconds')
    from executor e
    join executor_version v on v.tenant_id = e.tenant_id and v.executor_id = e.id and v.version = e.version
    join runner r on r.tenant_id = e.tenant_id and r.pool = v.settings ->> 'pool'
   where mcp_look.tenant_id = said.tenant_id and e.tenant_id = said.tenant_id and mcp_look.executor_id = e.id
     and v.kind = 'mcp' and v.settings ->> 'server' = said.name and r.id = said.runner_id;
  return null;
end $$;
comment on function countersign_look_at_server_of_runner() is 'Has an MCP server on a runner looked at soon if the runner advertises it otherwise, or no more.';
create trigger runner_mcp_server_look after insert or update or delete on runner_mcp_server
  for each row execute function countersign_look_at_server_of_runner();

create function mcp_look_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.executor_id
      from mcp_look due
     where due.next_look_at <= at and due.executor_id <> all (held) and due.tenant_id <> all (full_tenants)
     order by due.next_look_at limit most;
  end;
select countersign_system_function('mcp_look_due(timestamptz, integer, uuid[], uuid[])');
comment on function mcp_look_due(timestamptz, integer, uuid[], uuid[]) is 'Upstream MCP servers to look at, the longest due first.';
