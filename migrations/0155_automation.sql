-- Automations: the unattended work of Countersign, its runs, and the tenant's list of tools that are safe for them.

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
  seal text not null constraint automation_safe_tool_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
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

-- ---------------------------------------------------------------------------------------------------------------
-- Automations
-- ---------------------------------------------------------------------------------------------------------------

-- Lifecycle of an automation (libs/stages/automation/src/domain/automation-transitions.ts holds the same rows):
--
--   '' ──propose──▶ proposed ──enable──▶ enabled ──pause──▶ paused
--                      │                  │   ▲               │  │
--                      │               disable└────enable─────┘  │
--                      └──disable──▶ disabled ◀──disable─────────┘
--                                       └──enable──▶ enabled

create table automation_state (
  state text not null,
  constraint automation_state_pk primary key (state)
);
insert into automation_state values ('proposed'), ('enabled'), ('paused'), ('disabled');
comment on table automation_state is 'Global: the states of an automation.';
comment on column automation_state.state is 'The state''s name.';
select countersign_lookup('automation_state');

create table automation_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint automation_transition_to_fk references automation_state,
  constraint automation_transition_pk primary key (from_state, event)
);
insert into automation_transition values
  ('', 'propose', 'proposed'),
  ('proposed', 'enable', 'enabled'),
  ('proposed', 'disable', 'disabled'),
  ('enabled', 'disable', 'disabled'),
  ('enabled', 'pause', 'paused'),
  ('paused', 'enable', 'enabled'),
  ('paused', 'disable', 'disabled'),
  ('disabled', 'enable', 'enabled');

comment on table automation_transition is 'Global: the legal changes of an automation''s state; every other is refused (CS002).';
comment on column automation_transition.from_state is 'The state before; empty for creation.';
comment on column automation_transition.event is 'The event.';
comment on column automation_transition.to_state is 'The state after.';

create table automation (
  tenant_id uuid not null constraint automation_tenant_fk references tenant (id),
  id uuid not null,
  name text not null constraint automation_name_check check (name ~ '^[a-z][a-z0-9_-]{0,63}$'),
  environment_id uuid not null,
  state text not null constraint automation_state_fk references automation_state,
  version integer not null constraint automation_version_check check (version > 0),
  revision integer not null constraint automation_revision_check check (revision > 0),
  source_sha256 text not null constraint automation_source_sha256_check check (source_sha256 ~ '^[0-9a-f]{64}$'),
  agent_id uuid,
  credential_id uuid,
  owner_id uuid,
  failures integer not null constraint automation_failures_check check (failures >= 0),
  looked_until timestamptz,
  next_at timestamptz,
  listens_from timestamptz,
  proposed_at timestamptz not null,
  seal text not null constraint automation_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint automation_pk primary key (tenant_id, id),
  constraint automation_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint automation_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint automation_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint automation_owner_fk foreign key (tenant_id, owner_id) references person (tenant_id, id),
  constraint automation_identity_check check (num_nonnulls(agent_id, credential_id, owner_id) in (0, 3)),
  constraint automation_enabled_check check (state not in ('enabled', 'paused') or agent_id is not null)
);
-- One that was disabled before it was ever enabled frees its name.
create unique index automation_name_unique on automation (tenant_id, name) where state <> 'disabled' or agent_id is not null;
create index automation_proposed_idx on automation (tenant_id, proposed_at desc, id desc);
create index automation_unused_idx on automation (tenant_id, proposed_at) where state = 'disabled' and agent_id is null;
create index automation_next_idx on automation (tenant_id, next_at, id) where state = 'enabled';
create index automation_listens_idx on automation (tenant_id, id) where listens_from is not null;

comment on table automation is 'Steps that Countersign carries out unattended, at times of a schedule and at events.';
comment on column automation.tenant_id is 'The tenant it belongs to.';
comment on column automation.id is 'UUIDv7.';
comment on column automation.name is 'Unique in the tenant, apart from proposals that were withdrawn or rejected; it never changes.';
comment on column automation.environment_id is 'The environment of every call.';
comment on column automation.state is 'Its state in the lifecycle.';
comment on column automation.version is 'Counts the changes of state, source and identity, from 1.';
comment on column automation.revision is 'The number of the revision in force.';
comment on column automation.source_sha256 is 'SHA-256 of that revision''s source, hexadecimal.';
comment on column automation.agent_id is 'The agent that it acts as; null before it was enabled for the first time.';
comment on column automation.credential_id is 'That agent''s credential, of kind automation; another one once it was revoked.';
comment on column automation.owner_id is 'The person who enabled it first, and became accountable for the agent.';
comment on column automation.failures is 'Failed runs in a row.';
comment on column automation.looked_until is 'Until when times of its schedules were looked at; null unless it is enabled.';
comment on column automation.next_at is 'The next time of its schedules; null unless it is enabled.';
comment on column automation.listens_from is 'Since when events start runs; null unless it is enabled and waits for events.';
comment on column automation.proposed_at is 'When it was proposed.';
comment on column automation.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('automation');
select countersign_state_machine('automation', 'automation_transition');
select countersign_system_reads('automation');
select countersign_live('automation', 'automation', 'version');
select countersign_changes_only('automation',
  'environment_id', 'state', 'version', 'revision', 'source_sha256', 'agent_id', 'credential_id', 'owner_id', 'failures',
  'looked_until', 'next_at', 'listens_from', 'seal');
create trigger automation_set_once before update on automation
  for each row execute function countersign_refuse_unset('agent_id', 'owner_id');

grant delete on automation to countersign_app;

create function automation_refuse_deletion() returns trigger
  language plpgsql as $$
begin
  raise exception 'automation: a disabled one that was never enabled is deleted, and no other' using errcode = 'CS001';
end $$;
comment on function automation_refuse_deletion() is
  'Trigger: only proposals that were withdrawn or rejected are deleted; SQLSTATE CS001.';
create trigger automation_unused before delete on automation
  for each row when (old.state <> 'disabled' or old.agent_id is not null) execute function automation_refuse_deletion();

create function automation_unused_tenants(before timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id
      from tenant
     where exists (select from automation a
                    where a.tenant_id = tenant.id and a.state = 'disabled' and a.agent_id is null and a.proposed_at < before);
  end;
select countersign_system_function('automation_unused_tenants(timestamptz)');
comment on function automation_unused_tenants(timestamptz) is
  'Tenants with proposals from before a moment that were withdrawn or rejected; id repeats the tenant.';

-- An earlier row, under its own true seal, might be enabled or have another source.
create function automation_refuse_earlier() returns trigger
  language plpgsql as $$
begin
  if new.version <> old.version + 1 then
    raise exception 'automation: it changes under the next version alone' using errcode = 'CS001';
  end if;
  return new;
end $$;
comment on function automation_refuse_earlier() is
  'Trigger: state, source and identity of an automation change under the next version alone; SQLSTATE CS001.';
create trigger automation_version_next before update of state, version, revision, source_sha256, seal on automation
  for each row when ((old.state, old.version, old.revision, old.source_sha256, old.seal) is distinct from
                     (new.state, new.version, new.revision, new.source_sha256, new.seal))
  execute function automation_refuse_earlier();

-- Tenant by tenant, so that a look reads the automations that are due and no others. A tenant with many holds up no other.
create function automation_trigger_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id
      from tenant
      cross join lateral (
        select a.tenant_id, a.id, a.next_at from automation a
         where a.tenant_id = tenant.id and a.state = 'enabled' and a.next_at <= at and a.id <> all (held)
         order by a.next_at limit 64) due
     where tenant.id <> all (full_tenants)
     order by due.next_at limit most;
  end;
select countersign_system_function('automation_trigger_due(timestamptz, integer, uuid[], uuid[])');
comment on function automation_trigger_due(timestamptz, integer, uuid[], uuid[]) is 'Automations with a time of their schedules that has come. At most 64 of a tenant, the longest due first.';

create table automation_revision (
  tenant_id uuid not null,
  automation_id uuid not null,
  number integer not null constraint automation_revision_number_check check (number > 0),
  source text not null constraint automation_revision_source_check check (octet_length(source) between 1 and 65536),
  sha256 text not null constraint automation_revision_sha256_check check (sha256 ~ '^[0-9a-f]{64}$'),
  author jsonb not null,
  created_at timestamptz not null,
  constraint automation_revision_pk primary key (tenant_id, automation_id, number),
  constraint automation_revision_automation_fk foreign key (tenant_id, automation_id) references automation (tenant_id, id)
    on delete cascade
);

comment on table automation_revision is 'A source of an automation, as it was written. Never changed, and deleted with its automation alone.';
comment on column automation_revision.tenant_id is 'The tenant it belongs to.';
comment on column automation_revision.automation_id is 'The automation.';
comment on column automation_revision.number is 'Counts from 1 within the automation.';
comment on column automation_revision.source is 'The YAML, byte for byte as it was put.';
comment on column automation_revision.sha256 is 'SHA-256 of source, hexadecimal. The automation''s seal covers that of the one in force.';
comment on column automation_revision.author is 'The agent or person who wrote it.';
comment on column automation_revision.created_at is 'When it was put.';

select countersign_protect('automation_revision');
revoke update, delete, truncate on automation_revision from countersign_app;

-- A revision goes with its automation: then no row of the automation is left.
create function automation_revision_refuse_deletion() returns trigger
  language plpgsql as $$
begin
  if exists (select from automation where tenant_id = old.tenant_id and id = old.automation_id) then
    raise exception 'automation_revision: it is deleted with its automation alone' using errcode = 'CS001';
  end if;
  return old;
end $$;
comment on function automation_revision_refuse_deletion() is
  'Trigger: a revision is deleted with its automation alone; SQLSTATE CS001.';
create trigger automation_revision_append_only before update on automation_revision
  for each row execute function countersign_refuse_change();
create trigger automation_revision_no_truncate before truncate on automation_revision
  for each statement execute function countersign_refuse_change();
create trigger automation_revision_whole before delete on automation_revision
  for each row execute function automation_revision_refuse_deletion();

create table automation_secret (
  tenant_id uuid not null,
  id uuid not null,
  automation_id uuid not null,
  key_id text not null,
  nonce bytea not null,
  ciphertext bytea not null,
  until timestamptz,
  constraint automation_secret_pk primary key (tenant_id, id),
  constraint automation_secret_automation_fk foreign key (tenant_id, automation_id) references automation (tenant_id, id)
);
create unique index automation_secret_current_unique on automation_secret (tenant_id, automation_id) where until is null;
create index automation_secret_automation_idx on automation_secret (tenant_id, automation_id);

comment on table automation_secret is 'The secrets that sign the messages to an automation: the current one, and replaced ones for a while.';
comment on column automation_secret.tenant_id is 'The tenant it belongs to.';
comment on column automation_secret.id is 'UUIDv7.';
comment on column automation_secret.automation_id is 'The automation.';
comment on column automation_secret.key_id is 'Which master key encrypts it.';
comment on column automation_secret.nonce is '96 random bits.';
comment on column automation_secret.ciphertext is 'Ciphertext and tag.';
comment on column automation_secret.until is 'Until when it is good; null for the current one.';

select countersign_protect('automation_secret');

-- ---------------------------------------------------------------------------------------------------------------
-- Runs
-- ---------------------------------------------------------------------------------------------------------------

-- Lifecycle of a run:
--
--   '' ──queue──▶ queued ──begin──▶ executing ──complete──▶ completed
--   '' ──skip───▶ skipped │            └──────fail──▶ failed
--                         └──fail──▶ failed

create table automation_run_state (
  state text not null,
  constraint automation_run_state_pk primary key (state)
);
insert into automation_run_state values ('queued'), ('executing'), ('completed'), ('failed'), ('skipped');
comment on table automation_run_state is 'Global: the states of a run of an automation.';
comment on column automation_run_state.state is 'The state''s name.';
select countersign_lookup('automation_run_state');

create table automation_run_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint automation_run_transition_to_fk references automation_run_state,
  constraint automation_run_transition_pk primary key (from_state, event)
);
insert into automation_run_transition values
  ('', 'queue', 'queued'),
  ('', 'skip', 'skipped'),
  ('queued', 'begin', 'executing'),
  ('queued', 'fail', 'failed'),
  ('executing', 'complete', 'completed'),
  ('executing', 'fail', 'failed');

comment on table automation_run_transition is 'Global: the legal changes of a run''s state; every other is refused (CS002).';
comment on column automation_run_transition.from_state is 'The state before; empty for creation.';
comment on column automation_run_transition.event is 'The event.';
comment on column automation_run_transition.to_state is 'The state after.';

create table automation_run (
  tenant_id uuid not null constraint automation_run_tenant_fk references tenant (id),
  id uuid not null,
  automation_id uuid not null,
  version integer not null constraint automation_run_version_check check (version > 0),
  revision integer not null constraint automation_run_revision_check check (revision > 0),
  occurrence text not null constraint automation_run_occurrence_check check (char_length(occurrence) between 1 and 300),
  inputs jsonb not null constraint automation_run_inputs_check check (jsonb_typeof(inputs) = 'object'),
  due_at timestamptz not null,
  state text not null constraint automation_run_state_fk references automation_run_state,
  position integer not null constraint automation_run_position_check check (position >= 0),
  call_id uuid,
  fault jsonb,
  created_at timestamptz not null,
  finished_at timestamptz,
  seal text not null constraint automation_run_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint automation_run_pk primary key (tenant_id, id),
  -- Of several workers one starts an occurrence.
  constraint automation_run_occurrence_key unique (tenant_id, automation_id, occurrence),
  constraint automation_run_automation_fk foreign key (tenant_id, automation_id) references automation (tenant_id, id),
  constraint automation_run_call_fk foreign key (tenant_id, call_id) references tool_call (tenant_id, id),
  constraint automation_run_call_check check (call_id is null or state = 'executing'),
  constraint automation_run_fault_check check ((fault is not null) = (state in ('failed', 'skipped'))),
  constraint automation_run_finished_check check ((finished_at is not null) = (state in ('completed', 'failed', 'skipped')))
);
create index automation_run_created_idx on automation_run (tenant_id, automation_id, created_at desc, id desc);
create index automation_run_finished_idx on automation_run (tenant_id, finished_at) where finished_at is not null;
create index automation_run_open_idx on automation_run (tenant_id, automation_id, created_at, id)
  where state in ('queued', 'executing');

comment on table automation_run is 'One run of an automation, for one time of its schedules, one event or one request.';
comment on column automation_run.tenant_id is 'The tenant it belongs to.';
comment on column automation_run.id is 'UUIDv7.';
comment on column automation_run.automation_id is 'The automation.';
comment on column automation_run.version is 'The version of the automation that it was made for: under a later one it goes no further.';
comment on column automation_run.revision is 'The revision that it carries out.';
comment on column automation_run.occurrence is 'The trigger, and its time or its id: no occurrence of an automation starts two runs.';
comment on column automation_run.inputs is 'The values of the declared inputs, which fill arguments of its steps.';
comment on column automation_run.due_at is 'The time of the schedule, of the event or of the request.';
comment on column automation_run.state is 'Its state in the lifecycle.';
comment on column automation_run.position is 'The index of the next step, from 0, or of the one that waits for its call.';
comment on column automation_run.call_id is 'The call that it waits for.';
comment on column automation_run.fault is 'The reason for its failure, or why it was left out: {code, message}.';
comment on column automation_run.created_at is 'When it was made.';
comment on column automation_run.finished_at is 'When it ended.';
comment on column automation_run.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('automation_run');
select countersign_state_machine('automation_run', 'automation_run_transition');
select countersign_system_reads('automation_run');
select countersign_live('automation_run', 'automation', 'state', 'automation_id');
select countersign_changes_only('automation_run', 'state', 'position', 'call_id', 'fault', 'finished_at', 'seal');

-- An earlier row, under its own true seal, would start a step again.
create function automation_run_refuse_earlier() returns trigger
  language plpgsql as $$
begin
  if new.position < old.position or new.position = old.position and old.call_id is not null and new.call_id is null and new.state = 'executing' then
    raise exception 'automation_run: it never goes back' using errcode = 'CS001';
  end if;
  return new;
end $$;
comment on function automation_run_refuse_earlier() is
  'Trigger: a run of an automation never goes back to an earlier step; SQLSTATE CS001.';
create trigger automation_run_forward before update of position, call_id on automation_run
  for each row execute function automation_run_refuse_earlier();

grant delete on automation_run to countersign_app;

create function automation_run_refuse_deletion() returns trigger
  language plpgsql as $$
begin
  raise exception 'automation_run: one that goes on is not deleted' using errcode = 'CS001';
end $$;
comment on function automation_run_refuse_deletion() is
  'Trigger: a run of an automation is deleted after its end alone; SQLSTATE CS001.';
create trigger automation_run_ended before delete on automation_run
  for each row when (old.finished_at is null) execute function automation_run_refuse_deletion();

create function automation_run_ended_tenants(before timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id
      from tenant
     where exists (select from automation_run run where run.tenant_id = tenant.id and run.finished_at < before);
  end;
select countersign_system_function('automation_run_ended_tenants(timestamptz)');
comment on function automation_run_ended_tenants(timestamptz) is
  'Tenants with runs of automations that ended before a moment; id repeats the tenant.';

-- At most sixteen runs of a tenant go on at once (MAX_EXECUTING in libs/stages/automation/src/domain/automation.ts); the others wait.
create function automation_advance_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id
      from (select distinct r.tenant_id as id from automation_run r where r.state in ('queued', 'executing')) tenant
      cross join lateral (
        select r.tenant_id, r.id, r.created_at
          from automation_run r
          left join tool_call c on c.tenant_id = r.tenant_id and c.id = r.call_id
         where r.tenant_id = tenant.id and r.state = 'executing' and r.created_at <= at and r.id <> all (held)
           and (c.id is null or c.state not in ('pending', 'allowed', 'executing'))
        union all
        (select r.tenant_id, r.id, r.created_at
           from automation_run r
          where r.tenant_id = tenant.id and r.state = 'queued' and r.created_at <= at and r.id <> all (held)
            and not exists (select from automation_run earlier
                             where earlier.tenant_id = r.tenant_id and earlier.automation_id = r.automation_id
                               and earlier.state in ('queued', 'executing')
                               and (earlier.created_at, earlier.id) < (r.created_at, r.id))
          order by r.created_at
          limit greatest(0, 16 - (select count(*) from automation_run busy
                                   where busy.tenant_id = tenant.id and busy.state = 'executing')))) due
     where tenant.id <> all (full_tenants)
     order by due.created_at limit most;
  end;
select countersign_system_function('automation_advance_due(timestamptz, integer, uuid[], uuid[])');
comment on function automation_advance_due(timestamptz, integer, uuid[], uuid[]) is 'Runs of automations that can go on. Their call ended, or the run before them did and there is room; the oldest first.';

-- Lifecycle of a step:
--
--   '' ──call──▶ calling ──succeed──▶ succeeded
--                   └──fail──▶ failed
--   '' ──hold──▶ succeeded   '' ──not_hold──▶ not_met   '' ──fail──▶ failed   '' ──block──▶ blocked   '' ──skip──▶ skipped

create table automation_step_run_state (
  state text not null,
  constraint automation_step_run_state_pk primary key (state)
);
insert into automation_step_run_state values ('calling'), ('succeeded'), ('not_met'), ('failed'), ('blocked'), ('skipped');
comment on table automation_step_run_state is 'Global: the states of a step of a run of an automation.';
comment on column automation_step_run_state.state is 'The state''s name.';
select countersign_lookup('automation_step_run_state');

create table automation_step_run_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint automation_step_run_transition_to_fk references automation_step_run_state,
  constraint automation_step_run_transition_pk primary key (from_state, event)
);
insert into automation_step_run_transition values
  ('', 'call', 'calling'),
  ('', 'hold', 'succeeded'),
  ('', 'not_hold', 'not_met'),
  ('', 'fail', 'failed'),
  ('', 'block', 'blocked'),
  ('', 'skip', 'skipped'),
  ('calling', 'succeed', 'succeeded'),
  ('calling', 'fail', 'failed');

comment on table automation_step_run_transition is 'Global: the legal changes of a step''s state; every other is refused (CS002).';
comment on column automation_step_run_transition.from_state is 'The state before; empty for creation.';
comment on column automation_step_run_transition.event is 'The event.';
comment on column automation_step_run_transition.to_state is 'The state after.';

create table automation_step_run (
  tenant_id uuid not null,
  run_id uuid not null,
  seq integer not null constraint automation_step_run_seq_check check (seq >= 0),
  step text not null,
  type text not null constraint automation_step_run_type_check check (type in ('tool_action', 'condition', 'notify')),
  state text not null constraint automation_step_run_state_fk references automation_step_run_state,
  blocked boolean not null generated always as (state = 'blocked') stored,
  fault jsonb,
  call_id uuid,
  started_at timestamptz not null,
  finished_at timestamptz,
  constraint automation_step_run_pk primary key (tenant_id, run_id, seq),
  constraint automation_step_run_run_fk foreign key (tenant_id, run_id) references automation_run (tenant_id, id),
  constraint automation_step_run_call_fk foreign key (tenant_id, call_id) references tool_call (tenant_id, id),
  constraint automation_step_run_fault_check check ((fault is not null) = (state in ('failed', 'blocked'))),
  constraint automation_step_run_finished_check check ((finished_at is null) = (state = 'calling'))
);

create index automation_step_run_call_idx on automation_step_run (tenant_id, call_id) where call_id is not null;

comment on table automation_step_run is 'The outcome of one step of a run of an automation.';
comment on column automation_step_run.tenant_id is 'The tenant it belongs to.';
comment on column automation_step_run.run_id is 'The run.';
comment on column automation_step_run.seq is 'The index of the step, from 0.';
comment on column automation_step_run.step is 'The step''s id in the source.';
comment on column automation_step_run.type is 'tool_action, condition or notify.';
comment on column automation_step_run.state is 'Its state in the lifecycle.';
comment on column automation_step_run.blocked is 'Whether the policies blocked it.';
comment on column automation_step_run.fault is 'The reason for its failure, or why it was blocked: {code, message}.';
comment on column automation_step_run.call_id is 'The call that it made.';
comment on column automation_step_run.started_at is 'When it was taken up.';
comment on column automation_step_run.finished_at is 'When its outcome was known; null while its call goes on.';

select countersign_protect('automation_step_run');
select countersign_state_machine('automation_step_run', 'automation_step_run_transition');
select countersign_changes_only('automation_step_run', 'state', 'fault', 'finished_at');
grant delete on automation_step_run to countersign_app;
select countersign_live('automation_step_run', 'automation_run', 'state', 'run_id');
