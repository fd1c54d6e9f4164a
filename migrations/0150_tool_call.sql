-- The facts that a decision about a single tool call is taken from.

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
