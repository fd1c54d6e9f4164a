-- Single tool calls: the facts that a decision about one is taken from, and the calls that were decided.

create function tool_call_facts(wanted_tool text, wanted_environment text, asking_agent uuid)
  returns table (now bigint, tool_id uuid, tool_version integer, tool_digest text, tool_definition text,
                 environment jsonb, autonomy text, autonomy_id uuid, autonomy_number integer, autonomy_seal text,
                 halts jsonb)
  language plpgsql stable as $$
declare
  tenant constant uuid := countersign_current_tenant();
begin
  -- One statement of a plan that the session keeps: planning it anew would cost a call more than running it.
  return query
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint, v.id, v.version, v.digest, v.definition,
           case when e.id is not null then
             jsonb_build_object('id', e.id, 'name', e.name, 'production', e.production, 'version', e.version)
           end,
           r.document, r.id, r.number, r.seal,
           (select coalesce(jsonb_agg(jsonb_build_object('id', active.id, 'kind', active.kind)), '[]')
              from (select h.id, h.kind from halt h
                     where h.tenant_id = tenant and h.lifted_at is null
                       and (h.kind = 'tenant' or h.environment_id = e.id or h.agent_id = asking_agent
                            or h.tool_name = wanted_tool)
                     order by h.created_at, h.id limit 1000) active)
      from (values (tenant)) as own (id)
      left join tool t on t.tenant_id = own.id and t.name = wanted_tool and not t.removed
      left join tool_version v on v.tenant_id = t.tenant_id and v.tool_id = t.id and v.version = t.version
      left join environment e on e.tenant_id = own.id and e.name = wanted_environment
      left join autonomy_head a on a.tenant_id = own.id
      left join autonomy_revision r on r.tenant_id = a.tenant_id and r.id = a.revision_id;
end $$;
comment on function tool_call_facts(text, text, uuid) is
  'The current tenant''s facts about one call (tool, environment, autonomy document, halts), with the rights of the caller.';

-- ---------------------------------------------------------------------------------------------------------------
-- Calls that were decided
-- ---------------------------------------------------------------------------------------------------------------

create table tool_call (
  tenant_id uuid not null constraint tool_call_tenant_fk references tenant (id),
  id uuid not null,
  session_id uuid,
  agent_id uuid,
  person_id uuid,
  on_behalf_of uuid,
  credential_id uuid not null,
  client_call_id text constraint tool_call_client_call_id_check check (length(client_call_id) between 1 and 200),
  turn_id text constraint tool_call_turn_id_check check (length(turn_id) between 1 and 200),
  reason text constraint tool_call_reason_check check (length(reason) <= 2000),
  tool_name text not null,
  tool_version integer not null,
  environment_id uuid not null,
  environment_name text not null,
  arguments text not null,
  arguments_digest text not null,
  shell jsonb,
  state text not null constraint tool_call_state_check check (state in ('allowed', 'denied')),
  decided_as text not null constraint tool_call_decided_as_check check (decided_as in ('auto_approved', 'denied')),
  decision_id uuid not null,
  decided_at timestamptz not null,
  allowed_until timestamptz,
  seal text not null constraint tool_call_seal_check check (seal ~ '^[^.]{1,64}[.][A-Za-z0-9_-]{43}$'),
  constraint tool_call_pk primary key (tenant_id, id),
  constraint tool_call_session_fk foreign key (tenant_id, session_id) references session (tenant_id, id),
  constraint tool_call_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint tool_call_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint tool_call_on_behalf_of_fk foreign key (tenant_id, on_behalf_of) references person (tenant_id, id),
  constraint tool_call_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint tool_call_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint tool_call_decision_fk foreign key (tenant_id, decision_id) references decision (tenant_id, id),
  constraint tool_call_submitter_check check (num_nonnulls(agent_id, person_id) = 1),
  constraint tool_call_decision_check check ((state = 'denied') = (decided_as = 'denied')),
  constraint tool_call_allowed_check check ((state = 'allowed') = (allowed_until is not null))
);
create unique index tool_call_client_unique on tool_call (tenant_id, credential_id, client_call_id)
  where client_call_id is not null and session_id is null;
create unique index tool_call_session_client_unique on tool_call (tenant_id, session_id, client_call_id)
  where client_call_id is not null and session_id is not null;

comment on table tool_call is 'A single tool call that policies decided, without a plan. It never changes.';
comment on column tool_call.tenant_id is 'The tenant it belongs to.';
comment on column tool_call.id is 'UUIDv7.';
comment on column tool_call.session_id is 'The session of agents that it was asked in, or null.';
comment on column tool_call.agent_id is 'The agent that asked, or null.';
comment on column tool_call.person_id is 'The person who asked, or null.';
comment on column tool_call.on_behalf_of is 'The person who delegated to the agent.';
comment on column tool_call.credential_id is 'The credential it was asked with.';
comment on column tool_call.client_call_id is 'The caller''s own name of the call, in its session or else of its credential: the same one is answered alike.';
comment on column tool_call.turn_id is 'The turn of the agent that it belongs to, as the agent names it.';
comment on column tool_call.reason is 'Why the agent makes the call, in its own words, masked.';
comment on column tool_call.tool_name is 'The tool.';
comment on column tool_call.tool_version is 'The version of the tool that was decided on.';
comment on column tool_call.environment_id is 'The environment it acts in.';
comment on column tool_call.environment_name is 'The environment''s name when it was decided.';
comment on column tool_call.arguments is 'The arguments as canonical JSON; secrets are references.';
comment on column tool_call.arguments_digest is 'Digest of arguments, kind arguments.';
comment on column tool_call.shell is 'The verdict on its command line: {shell, tier, class, allowListed, parts, network}; null without one.';
comment on column tool_call.state is 'Whether it is allowed or denied.';
comment on column tool_call.decided_as is 'The decision word: auto_approved, or denied by policy.';
comment on column tool_call.decision_id is 'The policy decision.';
comment on column tool_call.decided_at is 'When it was decided.';
comment on column tool_call.allowed_until is 'Until when an allowed call may be taken up.';
comment on column tool_call.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('tool_call');
select countersign_append_only('tool_call');

create function tool_call_insert(new_call jsonb) returns void
  language plpgsql as $$
begin
  insert into tool_call
  select n.* from jsonb_populate_record(
    null::tool_call, new_call || jsonb_build_object('tenant_id', countersign_current_tenant())) n;
end $$;
comment on function tool_call_insert(jsonb) is 'Inserts a decided call of the current tenant, with the rights of the caller.';
