-- Automations: the tenant's list of tools that are safe while nobody watches.

create table automation_safe_tool (
  tenant_id uuid not null constraint automation_safe_tool_tenant_fk references tenant (id),
  id uuid not null,
  tool text not null,
  version integer not null constraint automation_safe_tool_version_check check (version > 0),
  digest text not null constraint automation_safe_tool_digest_check check (digest ~ '^sha256:[0-9a-f]{64}$'),
  effect text not null constraint automation_safe_tool_effect_check check (effect = 'modify'),
  risk text not null constraint automation_safe_tool_risk_check
    check (risk in ('read_only', 'plan_only', 'state_change_nonprod')),
  added_by uuid not null,
  added_at timestamptz not null,
  removed_by uuid,
  removed_at timestamptz,
  seal text not null constraint automation_safe_tool_seal_check check (seal ~ '^[^.]{1,64}[.][A-Za-z0-9_-]{43}$'),
  constraint automation_safe_tool_pk primary key (tenant_id, id),
  constraint automation_safe_tool_tool_fk foreign key (tenant_id, tool) references tool (tenant_id, name),
  constraint automation_safe_tool_added_by_fk foreign key (tenant_id, added_by) references person (tenant_id, id),
  constraint automation_safe_tool_removed_by_fk foreign key (tenant_id, removed_by) references person (tenant_id, id),
  constraint automation_safe_tool_removed_check check ((removed_by is null) = (removed_at is null))
);
create unique index automation_safe_tool_in_force_unique on automation_safe_tool (tenant_id, tool) where removed_at is null;

comment on table automation_safe_tool is 'The list of tools that change things and that automations may call; empty until people add entries.';
comment on column automation_safe_tool.tenant_id is 'The tenant it belongs to.';
comment on column automation_safe_tool.id is 'UUIDv7.';
comment on column automation_safe_tool.tool is 'The tool.';
comment on column automation_safe_tool.version is 'The version that was accepted.';
comment on column automation_safe_tool.digest is 'Digest of that version, kind tool: no other version is accepted.';
comment on column automation_safe_tool.effect is 'Its effect, as it was accepted.';
comment on column automation_safe_tool.risk is 'Its risk, as it was accepted; never a production state change.';
comment on column automation_safe_tool.added_by is 'The person who asked for the entry.';
comment on column automation_safe_tool.added_at is 'When it came into force.';
comment on column automation_safe_tool.removed_by is 'The person who removed it, or put another version in its place.';
comment on column automation_safe_tool.removed_at is 'Since when it accepts nothing; null while it is in force.';
comment on column automation_safe_tool.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('automation_safe_tool');
select countersign_changes_only('automation_safe_tool', 'removed_by', 'removed_at');
create trigger automation_safe_tool_set_once before update on automation_safe_tool
  for each row execute function countersign_refuse_unset('removed_by', 'removed_at');
