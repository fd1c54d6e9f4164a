-- Sessions of agents, and the trusts ("always") that people give in them. Session lifecycle
-- (libs/stages/session/src/domain/session-transitions.ts holds the same rows):
--
--   open ──close──▶ ended
--     ├──cancel──▶ ended
--     └──rest──▶ ended

create table session_state (
  state text not null,
  constraint session_state_pk primary key (state)
);
insert into session_state values ('open'), ('ended');
comment on table session_state is 'Global: the states of a session.';
comment on column session_state.state is 'The state''s name.';
select countersign_lookup('session_state');

create table session_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint session_transition_to_fk references session_state,
  constraint session_transition_pk primary key (from_state, event)
);
insert into session_transition values
  ('', 'open', 'open'),
  ('open', 'close', 'ended'),
  ('open', 'cancel', 'ended'),
  ('open', 'rest', 'ended');

comment on table session_transition is 'Global: the legal changes of a session''s state; every other is refused (CS002).';
comment on column session_transition.from_state is 'The state before; empty for creation.';
comment on column session_transition.event is 'The event.';
comment on column session_transition.to_state is 'The state after.';

-- ---------------------------------------------------------------------------------------------------------------
-- Sessions
-- ---------------------------------------------------------------------------------------------------------------

create table session (
  tenant_id uuid not null constraint session_tenant_fk references tenant (id),
  id uuid not null,
  environment_id uuid not null,
  agent_id uuid,
  person_id uuid,
  on_behalf_of uuid,
  credential_id uuid not null,
  preset text constraint session_preset_check check (preset in ('tiers', 'levels', 'modes', 'cautious')),
  level text not null constraint session_level_check check (level in ('FULL_AUTO', 'SUPERVISED', 'CAUTIOUS', 'MANUAL')),
  mode text not null
    constraint session_mode_check check (mode in ('always-ask', 'ask-on-write', 'ask-on-external', 'allow-safe-readonly')),
  revision integer not null constraint session_revision_check check (revision > 0),
  model text constraint session_model_check check (char_length(model) between 1 and 200),
  idle_seconds integer not null constraint session_idle_seconds_check check (idle_seconds between 60 and 86400),
  approval_seconds integer not null constraint session_approval_seconds_check check (approval_seconds between 10 and 3600),
  calls_per_turn integer not null constraint session_calls_per_turn_check check (calls_per_turn between 1 and 64),
  call_budget integer not null constraint session_call_budget_check check (call_budget between 1 and 10000),
  state text not null constraint session_state_fk references session_state,
  ended_reason text constraint session_ended_reason_check check (ended_reason in ('closed', 'cancelled', 'idle')),
  opened_at timestamptz not null,
  last_used_at timestamptz not null,
  idle_at timestamptz not null,
  ended_at timestamptz,
  seal text not null constraint session_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint session_pk primary key (tenant_id, id),
  constraint session_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint session_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint session_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint session_on_behalf_of_fk foreign key (tenant_id, on_behalf_of) references person (tenant_id, id),
  constraint session_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint session_opener_check check (num_nonnulls(agent_id, person_id) = 1),
  constraint session_idle_at_check check (idle_at = last_used_at + idle_seconds * interval '1 second'),
  constraint session_ended_check check (num_nonnulls(ended_at, ended_reason) = case state when 'ended' then 2 else 0 end)
);
create index session_opened_idx on session (tenant_id, opened_at desc, id desc);
create index session_state_idx on session (tenant_id, state, opened_at desc, id desc);
create index session_idle_idx on session (tenant_id, idle_at) where state = 'open';

comment on table session is 'Calls of agents in one environment, one after another; not the session of a browser.';
comment on column session.tenant_id is 'The tenant it belongs to.';
comment on column session.id is 'UUIDv7.';
comment on column session.environment_id is 'The environment of every call in it.';
comment on column session.agent_id is 'The agent that opened it, or null.';
comment on column session.person_id is 'The person who opened it, or null.';
comment on column session.on_behalf_of is 'The person who delegated to the agent that opened it.';
comment on column session.credential_id is 'The credential it was opened with.';
comment on column session.preset is 'The rules that say which calls ask a person: tiers, levels, modes or cautious. Null for the strictest of the first two.';
comment on column session.level is 'The level, for the preset levels.';
comment on column session.mode is 'The mode, for the preset modes.';
comment on column session.revision is 'Counts the changes of preset, level, mode and budget, from 1.';
comment on column session.model is 'The model behind the agent, in the agent''s own word.';
comment on column session.idle_seconds is 'It ends after resting for so long.';
comment on column session.approval_seconds is 'How long a call waits for a person''s answer before it is denied.';
comment on column session.calls_per_turn is 'The most tool calls of one turn, and the most in flight at once.';
comment on column session.call_budget is 'The most tool calls of the whole session.';
comment on column session.state is 'Its state in the lifecycle.';
comment on column session.ended_reason is 'The reason for its end: closed, cancelled or idle.';
comment on column session.opened_at is 'When it was opened, by the database''s clock.';
comment on column session.last_used_at is 'When a call of it was last asked about, answered, in flight or made, to ten seconds.';
comment on column session.idle_at is 'When it ends unless it is used before, or a call of it is in flight then.';
comment on column session.ended_at is 'When it ended.';
comment on column session.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('session');
select countersign_state_machine('session', 'session_transition');
select countersign_system_reads('session');
select countersign_changes_only('session',
  'preset', 'level', 'mode', 'call_budget', 'revision', 'seal', 'state', 'ended_reason', 'last_used_at', 'idle_at', 'ended_at');
select countersign_live('session', 'session');
create trigger session_set_once before update on session
  for each row execute function countersign_refuse_unset('ended_reason', 'ended_at');

-- An earlier row, under its own true seal, might be looser. So settings change under the next revision alone, and not after the end.
create function session_refuse_earlier() returns trigger
  language plpgsql as $$
begin
  if new.revision <> old.revision + 1 or old.state <> 'open' then
    raise exception 'session: its settings change under the next revision alone, while it is open' using errcode = 'CS001';
  end if;
  return new;
end $$;
comment on function session_refuse_earlier() is
  'Trigger: settings of a session change under the next revision alone, while it is open; SQLSTATE CS001.';
create trigger session_revision_next before update of preset, level, mode, call_budget, revision, seal on session
  for each row when ((old.preset, old.level, old.mode, old.call_budget, old.revision, old.seal) is distinct from
                     (new.preset, new.level, new.mode, new.call_budget, new.revision, new.seal))
  execute function session_refuse_earlier();

create function session_tell_autonomy() returns trigger
  language plpgsql as $$
begin
  perform pg_notify('countersign_change', concat_ws(':', new.tenant_id, 'session', new.id, 'autonomy_changed'));
  return null;
end $$;
comment on function session_tell_autonomy() is
  'Trigger: tells every listening replica, at commit, that preset, level, mode or budget of a session changed.';
create trigger session_live_autonomy after update on session
  for each row when (old.revision is distinct from new.revision) execute function session_tell_autonomy();

create function session_end_idle_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select session.tenant_id, session.id from session
     where session.state = 'open' and session.idle_at <= at
       and session.id <> all (held) and session.tenant_id <> all (full_tenants)
     order by session.idle_at limit most;
  end;
select countersign_system_function('session_end_idle_due(timestamptz, integer, uuid[], uuid[])');
comment on function session_end_idle_due(timestamptz, integer, uuid[], uuid[]) is
  'Sessions that rested too long, the longest due first.';

-- ---------------------------------------------------------------------------------------------------------------
-- Their agents
-- ---------------------------------------------------------------------------------------------------------------

create table session_agent (
  tenant_id uuid not null,
  session_id uuid not null,
  agent_id uuid not null,
  constraint session_agent_pk primary key (tenant_id, session_id, agent_id),
  constraint session_agent_session_fk foreign key (tenant_id, session_id) references session (tenant_id, id),
  constraint session_agent_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id)
);
create index session_agent_agent_idx on session_agent (tenant_id, agent_id, session_id);

comment on table session_agent is 'The agents that call tools in a session; insert-only, and under the seal of the session.';
comment on column session_agent.tenant_id is 'The tenant it belongs to.';
comment on column session_agent.session_id is 'The session.';
comment on column session_agent.agent_id is 'The agent.';

select countersign_protect('session_agent');
select countersign_append_only('session_agent');

-- ---------------------------------------------------------------------------------------------------------------
-- Openings that a limit refused
-- ---------------------------------------------------------------------------------------------------------------

create table session_refusal (
  tenant_id uuid not null,
  submitter_id uuid not null,
  agent_id uuid not null,
  until timestamptz not null,
  constraint session_refusal_pk primary key (tenant_id, submitter_id, agent_id),
  constraint session_refusal_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id)
);
create index session_refusal_agent_idx on session_refusal (tenant_id, agent_id);

comment on table session_refusal is 'Refused sessions of agents with too many, in the audit log: further ones are not, for a time.';
comment on column session_refusal.tenant_id is 'The tenant it belongs to.';
comment on column session_refusal.submitter_id is 'The agent or person who asked.';
comment on column session_refusal.agent_id is 'The agent that has too many open sessions.';
comment on column session_refusal.until is 'Until when the entry in the audit log stands for further ones.';

select countersign_protect('session_refusal');

-- ---------------------------------------------------------------------------------------------------------------
-- Trusts
-- ---------------------------------------------------------------------------------------------------------------

create table session_trust (
  tenant_id uuid not null,
  id uuid not null,
  session_id uuid not null,
  tool_name text not null,
  tool_digest text not null,
  executor_digest text,
  shape text not null constraint session_trust_shape_check check (octet_length(shape) between 1 and 2000),
  person_id uuid not null,
  credential_id uuid not null,
  factor_proved boolean not null,
  made_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by jsonb,
  seal text not null constraint session_trust_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint session_trust_pk primary key (tenant_id, id),
  constraint session_trust_session_fk foreign key (tenant_id, session_id) references session (tenant_id, id),
  constraint session_trust_tool_fk foreign key (tenant_id, tool_name) references tool (tenant_id, name),
  constraint session_trust_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint session_trust_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint session_trust_revoked_check check ((revoked_at is null) = (revoked_by is null))
);
create unique index session_trust_in_force_unique on session_trust (tenant_id, session_id, tool_name, shape, tool_digest,
  coalesce(executor_digest, ''), credential_id, factor_proved) where revoked_at is null;
create index session_trust_made_idx on session_trust (tenant_id, session_id, made_at desc, id desc);

comment on table session_trust is 'A person''s "always" for calls of one tool and shape in one session.';
comment on column session_trust.tenant_id is 'The tenant it belongs to.';
comment on column session_trust.id is 'UUIDv7.';
comment on column session_trust.session_id is 'The session.';
comment on column session_trust.tool_name is 'The tool.';
comment on column session_trust.tool_digest is 'Digest of the version of the tool.';
comment on column session_trust.executor_digest is 'Digest of its executor in the environment; null if it had none there.';
comment on column session_trust.shape is 'The shape of the arguments as canonical JSON, compared as text.';
comment on column session_trust.person_id is 'The person who said it.';
comment on column session_trust.credential_id is 'Their browser session, or their link with Slack.';
comment on column session_trust.factor_proved is 'Whether they proved a second factor for the answer.';
comment on column session_trust.made_at is 'When, by the database''s clock.';
comment on column session_trust.revoked_at is 'Since when it no longer counts; null while it does.';
comment on column session_trust.revoked_by is 'The actor who took it back.';
comment on column session_trust.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('session_trust');
select countersign_changes_only('session_trust', 'revoked_at', 'revoked_by');
create trigger session_trust_set_once before update on session_trust
  for each row execute function countersign_refuse_unset('revoked_at', 'revoked_by');

-- Approval requests about calls name the session of their call.
alter table approval_request
  add constraint approval_request_session_fk foreign key (tenant_id, session_id) references session (tenant_id, id);
