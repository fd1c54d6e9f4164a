-- Under row-level security an index serves a condition only if the functions of the condition are leakproof. Those of jsonb are
-- not, so an index over an expression of jsonb serves no query of countersign_app: PostgreSQL read a tenant's whole log
-- instead. The ids that entries and decisions are sought by stand in columns, which PostgreSQL derives.

alter table audit_entry
  add column actor_id text generated always as (actor ->> 'id') stored,
  add column root_id text generated always as (within -> 0 ->> 'id') stored;
comment on column audit_entry.actor_id is 'The id in actor.';
comment on column audit_entry.root_id is 'The id of the outermost thing it happened in, if any.';
drop index audit_entry_actor_idx;
create index audit_entry_actor_idx on audit_entry (tenant_id, actor_id, occurred_at, id);
drop index audit_entry_root_idx;
-- Entries of a thing are found by the outermost thing that it belongs to: one index serves all kinds.
create index audit_entry_root_idx on audit_entry (tenant_id, root_id, occurred_at, id) where root_id is not null;

-- The default names the transaction already: the function is called for another number only.
drop trigger audit_entry_own_xid on audit_entry;
create trigger audit_entry_own_xid before insert on audit_entry
  for each row when (new.xid <> pg_current_xact_id()) execute function audit_entry_own_xid();

alter table decision
  add column root_id text generated always as (within -> 0 ->> 'id') stored,
  add column tool_name text generated always as (input #>> '{tool,name}') stored;
comment on column decision.root_id is 'The id of the outermost thing it was taken in, if any.';
comment on column decision.tool_name is 'The name of the tool in the input, if it has one.';
drop index decision_root_idx;
create index decision_root_idx on decision (tenant_id, root_id, id) where root_id is not null;
drop index decision_tool_idx;
create index decision_tool_idx on decision (tenant_id, tool_name, id) where entrypoint = 'tool_call';
