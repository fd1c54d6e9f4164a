-- Halts: one request stops a tenant, an environment, an agent or a tool, until a person lifts it. A halt is active from its
-- row on, and lifted once.

create table halt (
  tenant_id uuid not null constraint halt_tenant_fk references tenant (id),
  id uuid not null,
  kind text not null constraint halt_kind_check check (kind in ('tenant', 'environment', 'agent', 'tool')),
  environment_id uuid,
  agent_id uuid,
  tool_name text,
  reason text not null,
  effect jsonb not null,
  created_at timestamptz not null,
  created_by jsonb not null,
  lifted_at timestamptz,
  lifted_by jsonb,
  lift_note text,
  constraint halt_pk primary key (tenant_id, id),
  constraint halt_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint halt_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint halt_tool_fk foreign key (tenant_id, tool_name) references tool (tenant_id, name),
  constraint halt_target_check check (
    (kind = 'environment') = (environment_id is not null)
    and (kind = 'agent') = (agent_id is not null)
    and (kind = 'tool') = (tool_name is not null)),
  constraint halt_reason_check check (char_length(reason) between 1 and 2000),
  constraint halt_lifted_check check (
    (lifted_at is null) = (lifted_by is null) and (lifted_at is null) = (lift_note is null) and lifted_at >= created_at)
);
create index halt_active_idx on halt (tenant_id, kind) where lifted_at is null;
create index halt_created_idx on halt (tenant_id, created_at desc, id desc);

comment on table halt is 'A stop that holds for everything it covers, from its row on and until a person lifts it.';
comment on column halt.tenant_id is 'The tenant it belongs to.';
comment on column halt.id is 'UUIDv7.';
comment on column halt.kind is 'The kind of thing that it stops: tenant, environment, agent or tool.';
comment on column halt.environment_id is 'The environment, for kind environment.';
comment on column halt.agent_id is 'The agent, for kind agent.';
comment on column halt.tool_name is 'The tool in all its versions, for kind tool.';
comment on column halt.reason is 'Why, in the words of its author.';
comment on column halt.effect is 'The things that it found: {paused_runs, revoked_grants, in_flight}.';
comment on column halt.created_at is 'Since when it holds, by the database''s clock.';
comment on column halt.created_by is 'The actor who set it.';
comment on column halt.lifted_at is 'Until when it held; null while it holds.';
comment on column halt.lifted_by is 'The person who lifted it.';
comment on column halt.lift_note is 'The reason why it was safe to go on.';

select countersign_protect('halt');
-- A halt keeps its content: only its effect may be completed, and it may be lifted.
select countersign_changes_only('halt', 'effect', 'lifted_at', 'lifted_by', 'lift_note');
select countersign_live('halt', 'halt', 'lifted_at');
create trigger halt_set_once before update on halt
  for each row execute function countersign_refuse_unset('lifted_at', 'lifted_by', 'lift_note');

create function halts_applying(of_environment uuid, of_agents uuid[], of_tools text[]) returns table (id uuid, kind text)
  language sql stable as $$
  select halt.id, halt.kind from halt
   where halt.tenant_id = countersign_current_tenant() and halt.lifted_at is null
     and (halt.kind = 'tenant' or halt.environment_id = of_environment or halt.agent_id = any (of_agents)
          or halt.tool_name = any (of_tools))
   order by halt.created_at, halt.id limit 1000
$$;
comment on function halts_applying(uuid, uuid[], text[]) is
  'The halts in force that stop this environment, one of these agents or one of these tools; with the rights of the caller.';
