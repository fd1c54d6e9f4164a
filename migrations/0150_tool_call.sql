-- Single tool calls. The tables hold the facts that a decision about one is taken from. They also hold the calls with their
-- answers and outcomes.

create function tool_call_facts(wanted_tool text, wanted_environment text, asking_agent uuid)
  returns table (now bigint, tool_id uuid, tool_version integer, tool_digest text, tool_definition text,
                 executor jsonb, environment jsonb, autonomy text, autonomy_id uuid, autonomy_number integer, autonomy_seal text,
                 halts jsonb)
  language plpgsql stable as $$
declare
  tenant constant uuid := countersign_current_tenant();
begin
  -- One statement of a plan that the session keeps: planning it anew would cost a call more than running it.
  return query
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint, v.id, v.version, v.digest, v.definition,
           case when x.version is not null then
             jsonb_build_object('name', k.name, 'version', x.version, 'kind', x.kind, 'digest', x.digest)
           end,
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
      left join executor k on k.tenant_id = own.id and k.environment_id = e.id
                          and k.name = v.definition::jsonb ->> 'executor'
      left join executor_version x on x.tenant_id = k.tenant_id and x.executor_id = k.id and x.version = k.version
      left join autonomy_head a on a.tenant_id = own.id
      left join autonomy_revision r on r.tenant_id = a.tenant_id and r.id = a.revision_id;
end $$;
comment on function tool_call_facts(text, text, uuid) is
  'The current tenant''s facts about one call (tool, executor, environment, autonomy document, halts), with the rights of the caller.';

-- ---------------------------------------------------------------------------------------------------------------
-- Calls
-- ---------------------------------------------------------------------------------------------------------------

-- Lifecycle of a call (libs/stages/tool-call/src/domain/tool-call-transitions.ts holds the same rows):
--
--   '' ──allow──▶ allowed ──dispatch──▶ executing ──succeed──▶ succeeded
--   '' ──deny───▶ denied      │            ├──fail──▶ failed
--   '' ──ask────▶ pending     │            └──lose──▶ unknown ──resolve_succeeded──▶ succeeded
--                   │         │                         └──resolve_failed──▶ failed
--                   │         ├──lapse──▶ expired
--                   │         └──cancel──▶ denied
--                   ├──approve──▶ allowed
--                   └──deny──▶ denied

create table tool_call_state (
  state text not null,
  constraint tool_call_state_pk primary key (state)
);
insert into tool_call_state values
  ('pending'), ('allowed'), ('denied'), ('executing'), ('succeeded'), ('failed'), ('unknown'), ('expired');
comment on table tool_call_state is 'Global: the states of a single call.';
comment on column tool_call_state.state is 'The state''s name.';
select countersign_lookup('tool_call_state');

create table tool_call_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint tool_call_transition_to_fk references tool_call_state,
  constraint tool_call_transition_pk primary key (from_state, event)
);
insert into tool_call_transition values
  ('', 'allow', 'allowed'),
  ('', 'deny', 'denied'),
  ('', 'ask', 'pending'),
  ('pending', 'approve', 'allowed'),
  ('pending', 'deny', 'denied'),
  ('allowed', 'dispatch', 'executing'),
  ('allowed', 'lapse', 'expired'),
  ('allowed', 'cancel', 'denied'),
  ('executing', 'succeed', 'succeeded'),
  ('executing', 'fail', 'failed'),
  ('executing', 'lose', 'unknown'),
  ('unknown', 'resolve_succeeded', 'succeeded'),
  ('unknown', 'resolve_failed', 'failed');

comment on table tool_call_transition is 'Global: the legal changes of a call''s state; every other is refused (CS002).';
comment on column tool_call_transition.from_state is 'The state before; empty for creation.';
comment on column tool_call_transition.event is 'The event.';
comment on column tool_call_transition.to_state is 'The state after.';

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
  executor_name text,
  executor_version integer,
  executor_digest text,
  answered_by text constraint tool_call_answered_by_check check (answered_by in ('executor', 'agent')),
  environment_id uuid not null,
  environment_name text not null,
  environment_digest text not null,
  arguments text not null,
  arguments_digest text not null,
  targets jsonb not null,
  shell jsonb,
  paths jsonb,
  asked_at timestamptz not null,
  submitter_number integer not null default 1,
  session_number integer,
  decision_id uuid not null,
  request_id uuid,
  state text not null constraint tool_call_state_fk references tool_call_state,
  decided_as text constraint tool_call_decided_as_check
    check (decided_as in ('auto_approved', 'approved', 'rejected', 'trusted', 'timeout', 'denied', 'cancelled')),
  decided_at timestamptz,
  denial jsonb,
  allowed_until timestamptz,
  attempt integer not null,
  dispatched_at timestamptz,
  lease_until timestamptz,
  result jsonb,
  error jsonb,
  finished_at timestamptz,
  seal text not null constraint tool_call_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint tool_call_pk primary key (tenant_id, id),
  constraint tool_call_session_fk foreign key (tenant_id, session_id) references session (tenant_id, id),
  constraint tool_call_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint tool_call_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint tool_call_on_behalf_of_fk foreign key (tenant_id, on_behalf_of) references person (tenant_id, id),
  constraint tool_call_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint tool_call_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint tool_call_decision_fk foreign key (tenant_id, decision_id) references decision (tenant_id, id),
  constraint tool_call_request_fk foreign key (tenant_id, request_id) references approval_request (tenant_id, id),
  constraint tool_call_submitter_check check (num_nonnulls(agent_id, person_id) = 1),
  constraint tool_call_executor_check 
    check (num_nonnulls(executor_name, executor_version, executor_digest, answered_by) in (0, 4)),
  constraint tool_call_decided_check
    check ((state = 'pending') = (decided_as is null) and (decided_as is null) = (decided_at is null)),
  constraint tool_call_denied_check
    check ((state = 'denied') = coalesce(decided_as in ('denied', 'rejected', 'timeout', 'cancelled'), false)),
  -- The reasons of a decision say why policies denied or rejected a call.
  constraint tool_call_denial_check
    check ((denial is not null)
      = coalesce(decided_as in ('timeout', 'cancelled') or decided_as = 'rejected' and request_id is not null, false)),
  constraint tool_call_asked_check
    check (request_id is not null
           or (state <> 'pending' and coalesce(decided_as not in ('approved', 'timeout'), true))),
  constraint tool_call_allowed_check check ((state in ('pending', 'denied')) = (allowed_until is null)),
  constraint tool_call_attempt_check
    check (attempt >= 0 and (attempt = 0) = (state in ('pending', 'allowed', 'denied', 'expired'))),
  constraint tool_call_dispatched_check check ((attempt = 0) = (dispatched_at is null)),
  constraint tool_call_lease_check check ((state = 'executing') = (lease_until is not null)),
  constraint tool_call_result_check check (result is null or state in ('succeeded', 'failed')),
  constraint tool_call_error_check check ((error is not null) = (state in ('failed', 'unknown'))),
  constraint tool_call_finished_check
    check ((finished_at is not null) = (state in ('succeeded', 'failed', 'unknown', 'expired')))
);
create unique index tool_call_client_unique on tool_call (tenant_id, coalesce(agent_id, credential_id), client_call_id)
  where client_call_id is not null and session_id is null;
create unique index tool_call_session_client_unique
  on tool_call (tenant_id, session_id, coalesce(agent_id, person_id), client_call_id)
  where client_call_id is not null and session_id is not null;
create unique index tool_call_request_unique on tool_call (tenant_id, request_id) where request_id is not null;
create index tool_call_session_idx on tool_call (tenant_id, session_id, asked_at desc, id desc)
  where session_id is not null;
create index tool_call_agent_idx on tool_call (tenant_id, agent_id, asked_at desc, submitter_number desc)
  where agent_id is not null;
create index tool_call_person_idx on tool_call (tenant_id, person_id, asked_at desc, submitter_number desc)
  where person_id is not null;
create unique index tool_call_agent_number_unique on tool_call (tenant_id, agent_id, submitter_number desc)
  where agent_id is not null;
create unique index tool_call_person_number_unique on tool_call (tenant_id, person_id, submitter_number desc)
  where person_id is not null;
create unique index tool_call_session_number_unique on tool_call (tenant_id, session_id, session_number desc)
  where session_id is not null;
create index tool_call_turn_idx on tool_call (tenant_id, session_id, turn_id) where turn_id is not null;
create index tool_call_in_flight_idx on tool_call (tenant_id, session_id)
  where session_id is not null
    and (state in ('pending', 'executing') or state = 'allowed' and executor_name is not null);
create index tool_call_turn_outside_idx on tool_call (tenant_id, agent_id, person_id, turn_id, asked_at desc)
  where session_id is null and turn_id is not null;
create index tool_call_in_flight_outside_idx on tool_call (tenant_id, agent_id, person_id)
  where session_id is null
    and (state in ('pending', 'executing') or state = 'allowed' and executor_name is not null);
create index tool_call_live_idx on tool_call (tenant_id, state, id)
  where state in ('pending', 'executing') or state = 'allowed' and executor_name is not null;
-- A call without an executor stays allowed for good. So a halt finds those that have not ended by their time.
create index tool_call_advice_idx on tool_call (tenant_id, allowed_until)
  where state = 'allowed' and executor_name is null;

comment on table tool_call is 'A single tool call, without a plan: the question, its answer, and its outcome.';
comment on column tool_call.tenant_id is 'The tenant it belongs to.';
comment on column tool_call.id is 'UUIDv7.';
comment on column tool_call.session_id is 'The session of agents that it was asked in, or null.';
comment on column tool_call.agent_id is 'The agent that asked, or null.';
comment on column tool_call.person_id is 'The person who asked, or null.';
comment on column tool_call.on_behalf_of is 'The person who delegated to the agent.';
comment on column tool_call.credential_id is 'The credential it was asked with.';
comment on column tool_call.client_call_id is 'The caller''s own name of the call. The caller is its agent, its person in a session, or else the person''s credential. The same name is answered alike.';
comment on column tool_call.turn_id is 'The turn of the agent that it belongs to, as the agent names it.';
comment on column tool_call.reason is 'The agent''s reason for it, in its own words, masked.';
comment on column tool_call.tool_name is 'The tool.';
comment on column tool_call.tool_version is 'The version that was decided on.';
comment on column tool_call.executor_name is 'The executor of the tool in the environment; null if it has none there.';
comment on column tool_call.executor_version is 'The version of the executor''s record then.';
comment on column tool_call.executor_digest is 'Digest of that record, kind executor.';
comment on column tool_call.answered_by is 'agent: the agent that asked makes the call under a grant, and reports; executor: Countersign sends it.';
comment on column tool_call.environment_id is 'The environment it is aimed at.';
comment on column tool_call.environment_name is 'The environment''s name then.';
comment on column tool_call.environment_digest is 'Digest of the environment then, kind environment.';
comment on column tool_call.arguments is 'The validated arguments as canonical JSON; secrets are references.';
comment on column tool_call.arguments_digest is 'Digest of arguments, kind arguments.';
comment on column tool_call.targets is 'The names of its targets.';
comment on column tool_call.shell is 'The verdict on its command line and the digest of its tree: {shell, tier, class, allowListed, parts, network, tree}. Null without one.';
comment on column tool_call.paths is 'The verdict on the paths that it names: {tier, class, reasons}; null if its tool names none.';
comment on column tool_call.asked_at is 'When it was asked about, by the database''s clock.';
comment on column tool_call.submitter_number is 'Counts the calls of its agent or person here, from 1 without a gap.';
comment on column tool_call.session_number is 'Counts the calls of its session here, from 1 without a gap; null outside sessions.';
comment on column tool_call.decision_id is 'The policy decision about the question.';
comment on column tool_call.request_id is 'The approval request, if people are asked.';
comment on column tool_call.state is 'Its state in the lifecycle.';
comment on column tool_call.decided_as is 'The decision word; null while it is pending.';
comment on column tool_call.decided_at is 'When policies or people decided; null while it is pending.';
comment on column tool_call.denial is 'The reason for its denial, if not by policies: {code, message}.';
comment on column tool_call.allowed_until is 'Until when an allowed call may be taken up.';
comment on column tool_call.attempt is 'Counts its dispatches from 1; 0 before the first.';
comment on column tool_call.dispatched_at is 'When the latest of them left.';
comment on column tool_call.lease_until is 'Until when its answer is awaited.';
comment on column tool_call.result is 'The tool''s answer, masked.';
comment on column tool_call.error is 'The reason for its failure, or why it cannot be known: {code, message}.';
comment on column tool_call.finished_at is 'When its outcome was written, or when its time to be taken up had passed.';
comment on column tool_call.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_check_at_once('tool_call');
select countersign_protect('tool_call');
select countersign_state_machine('tool_call', 'tool_call_transition');
select countersign_system_reads('tool_call');
select countersign_changes_only('tool_call',
  'state', 'decided_as', 'decided_at', 'denial', 'allowed_until', 'attempt', 'dispatched_at', 'lease_until', 'result',
  'error', 'finished_at', 'seal');

-- Policies decide a call outside a session at once, so that it has no waiter.
create trigger live_insert after insert on tool_call
  for each row when (new.session_id is not null or new.state = 'pending')
  execute function countersign_tell_change('tool_call', 'id', 'state');
create trigger live_update after update on tool_call
  for each row when (old.state is distinct from new.state)
  execute function countersign_tell_change('tool_call', 'id', 'state');

create function tool_call_execute_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select live.tenant_id, live.id
      from (select c.tenant_id, c.id,
                   case when c.state = 'executing' then c.lease_until
                        when c.answered_by = 'agent' then c.allowed_until
                        else c.decided_at end as due_at
              from tool_call c
             where c.state = 'executing' or c.state = 'allowed' and c.executor_name is not null) live
     where live.due_at <= at and live.id <> all (held) and live.tenant_id <> all (full_tenants)
     order by live.due_at limit most;
  end;
select countersign_system_function('tool_call_execute_due(timestamptz, integer, uuid[], uuid[])');
comment on function tool_call_execute_due(timestamptz, integer, uuid[], uuid[]) is 'Calls that Countersign has to send or that nobody took up in time. Also calls whose answer is overdue, the longest due first.';

-- Decisions are partitioned: a plan for each call would cost its foreign key more than the look itself.
create function tool_call_insert(new_call jsonb) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
declare
  new tool_call := jsonb_populate_record(null::tool_call, new_call);
begin
  new.tenant_id := countersign_current_tenant();
  new.submitter_number := 1 + coalesce(
    (select c.submitter_number from tool_call c where c.tenant_id = new.tenant_id and c.agent_id = new.agent_id
      order by c.submitter_number desc limit 1),
    (select c.submitter_number from tool_call c where c.tenant_id = new.tenant_id and c.person_id = new.person_id
      order by c.submitter_number desc limit 1),
    0);
  if new.session_id is not null then
    new.session_number := 1 + coalesce(
      (select c.session_number from tool_call c where c.tenant_id = new.tenant_id and c.session_id = new.session_id
        order by c.session_number desc limit 1), 0);
  end if;
  insert into tool_call values (new.*);
end $$;
comment on function tool_call_insert(jsonb) is 'Inserts the next call of its submitter and of its session. It acts in the current tenant, with the rights of the caller.';

create function tool_call_save(progress jsonb) returns void
  language plpgsql as $$
declare
  new tool_call := jsonb_populate_record(null::tool_call, progress);
begin
  update tool_call set state = new.state, decided_as = new.decided_as, decided_at = new.decided_at, denial = new.denial,
                       allowed_until = new.allowed_until, attempt = new.attempt, dispatched_at = new.dispatched_at,
                       lease_until = new.lease_until, result = new.result, error = new.error,
                       finished_at = new.finished_at, seal = new.seal
   where tenant_id = countersign_current_tenant() and id = new.id;
end $$;
comment on function tool_call_save(jsonb) is
  'Updates the columns of a call that its lifecycle changes. It acts in the current tenant, with the rights of the caller.';

create table tool_call_refusal (
  tenant_id uuid not null constraint tool_call_refusal_tenant_fk references tenant (id),
  submitter_id uuid not null,
  about_id uuid not null,
  code text not null constraint tool_call_refusal_code_check check (length(code) between 1 and 100),
  until timestamptz not null,
  constraint tool_call_refusal_pk primary key (tenant_id, submitter_id, about_id, code)
);

comment on table tool_call_refusal is 'Limits that refused calls and are in the audit log. For a time, further refusals of the kind are not in the log.';
comment on column tool_call_refusal.tenant_id is 'The tenant it belongs to.';
comment on column tool_call_refusal.submitter_id is 'The agent or person who asked.';
comment on column tool_call_refusal.about_id is 'The session, or the agent itself.';
comment on column tool_call_refusal.code is 'The code of the refusal.';
comment on column tool_call_refusal.until is 'Until when the entry in the audit log stands for further ones.';

select countersign_protect('tool_call_refusal');

-- A call that lacks a fact to decide on is denied, and has no place in tool_call. Its answer is kept for a repetition, and it counts.
create table tool_call_unjudged (
  tenant_id uuid not null constraint tool_call_unjudged_tenant_fk references tenant (id),
  id uuid not null,
  session_id uuid,
  agent_id uuid,
  person_id uuid,
  on_behalf_of uuid,
  credential_id uuid not null,
  client_call_id text constraint tool_call_unjudged_client_call_id_check check (length(client_call_id) between 1 and 200),
  turn_id text constraint tool_call_unjudged_turn_id_check check (length(turn_id) between 1 and 200),
  tool_name text not null,
  tool_version integer,
  environment_name text not null,
  arguments_digest text not null
    constraint tool_call_unjudged_arguments_digest_check check (arguments_digest ~ '^sha256:[0-9a-f]{64}$'),
  code text not null constraint tool_call_unjudged_code_check
    check (code in ('policy.unknown_tool', 'policy.unknown_environment', 'policy.invalid_arguments')),
  errors text not null,
  bundle_revision text not null,
  asked_at timestamptz not null,
  submitter_number integer not null,
  session_number integer,
  constraint tool_call_unjudged_pk primary key (tenant_id, id),
  constraint tool_call_unjudged_session_fk foreign key (tenant_id, session_id) references session (tenant_id, id),
  constraint tool_call_unjudged_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint tool_call_unjudged_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint tool_call_unjudged_on_behalf_of_fk foreign key (tenant_id, on_behalf_of) references person (tenant_id, id),
  constraint tool_call_unjudged_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint tool_call_unjudged_submitter_check check (num_nonnulls(agent_id, person_id) = 1)
);
create unique index tool_call_unjudged_client_unique
  on tool_call_unjudged (tenant_id, coalesce(agent_id, credential_id), client_call_id)
  where client_call_id is not null and session_id is null;
create unique index tool_call_unjudged_session_client_unique
  on tool_call_unjudged (tenant_id, session_id, coalesce(agent_id, person_id), client_call_id)
  where client_call_id is not null and session_id is not null;
create index tool_call_unjudged_session_idx on tool_call_unjudged (tenant_id, session_id, turn_id) where session_id is not null;
create index tool_call_unjudged_agent_idx on tool_call_unjudged (tenant_id, agent_id, asked_at desc, submitter_number desc)
  where agent_id is not null;
create index tool_call_unjudged_person_idx on tool_call_unjudged (tenant_id, person_id, asked_at desc, submitter_number desc)
  where person_id is not null;
create unique index tool_call_unjudged_agent_number_unique on tool_call_unjudged (tenant_id, agent_id, submitter_number desc)
  where agent_id is not null;
create unique index tool_call_unjudged_person_number_unique on tool_call_unjudged (tenant_id, person_id, submitter_number desc)
  where person_id is not null;
create unique index tool_call_unjudged_session_number_unique on tool_call_unjudged (tenant_id, session_id, session_number desc)
  where session_id is not null;
create index tool_call_unjudged_asked_idx on tool_call_unjudged (tenant_id, asked_at);

comment on table tool_call_unjudged is 'Calls that were denied since a fact to decide on was missing: their answers, for repetitions, and for budgets.';
comment on column tool_call_unjudged.tenant_id is 'The tenant it belongs to.';
comment on column tool_call_unjudged.id is 'UUIDv7; the subject of its audit entry.';
comment on column tool_call_unjudged.session_id is 'The session of agents that it was asked in, or null.';
comment on column tool_call_unjudged.agent_id is 'The agent that asked, or null.';
comment on column tool_call_unjudged.person_id is 'The person who asked, or null.';
comment on column tool_call_unjudged.on_behalf_of is 'The person who delegated to the agent.';
comment on column tool_call_unjudged.credential_id is 'The credential it was asked with.';
comment on column tool_call_unjudged.client_call_id is 'The caller''s own name of the call, as in tool_call.';
comment on column tool_call_unjudged.turn_id is 'The turn of the agent that it belongs to, as the agent names it.';
comment on column tool_call_unjudged.tool_name is 'The tool that was named.';
comment on column tool_call_unjudged.tool_version is 'Its version then; null if the tenant has no such tool.';
comment on column tool_call_unjudged.environment_name is 'The environment that was named.';
comment on column tool_call_unjudged.arguments_digest is 'Digest of the arguments as they were given, kind arguments. They are not kept: their secrets are unknown.';
comment on column tool_call_unjudged.code is 'The reason for its denial.';
comment on column tool_call_unjudged.errors is 'The errors of its arguments as JSON.';
comment on column tool_call_unjudged.bundle_revision is 'The revision of the policies then.';
comment on column tool_call_unjudged.asked_at is 'When it was asked about, by the database''s clock.';
comment on column tool_call_unjudged.submitter_number is 'Counts the rows of its agent or person here, as in tool_call.';
comment on column tool_call_unjudged.session_number is 'Counts the rows of its session here, as in tool_call.';

select countersign_protect('tool_call_unjudged');
select countersign_system_reads('tool_call_unjudged');
revoke update on tool_call_unjudged from countersign_app;

create function tool_call_unjudged_old(before timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id
      from tenant
     where exists (select from tool_call_unjudged call
                    where call.tenant_id = tenant.id and call.asked_at < before
                      and not exists (select from session
                                       where session.tenant_id = tenant.id and session.id = call.session_id
                                         and session.state = 'open'));
  end;
select countersign_system_function('tool_call_unjudged_old(timestamptz)');
comment on function tool_call_unjudged_old(timestamptz) is
  'Tenants with unjudged calls from before a moment, in no open session; id repeats the tenant.';

create table tool_call_output (
  tenant_id uuid not null constraint tool_call_output_tenant_fk references tenant (id),
  call_id uuid not null,
  seq integer not null constraint tool_call_output_seq_check check (seq > 0),
  stream text not null constraint tool_call_output_stream_check check (stream in ('stdout', 'stderr')),
  text text not null constraint tool_call_output_text_check check (octet_length(text) <= 65536),
  cut boolean not null,
  at timestamptz not null,
  constraint tool_call_output_pk primary key (tenant_id, call_id, seq),
  constraint tool_call_output_call_fk foreign key (tenant_id, call_id) references tool_call (tenant_id, id)
);

comment on table tool_call_output is 'Text that an agent sent while it made a call, in order; insert-only.';
comment on column tool_call_output.tenant_id is 'The tenant it belongs to.';
comment on column tool_call_output.call_id is 'The call.';
comment on column tool_call_output.seq is 'The chunk''s number, from 1 without a gap.';
comment on column tool_call_output.stream is 'stdout or stderr.';
comment on column tool_call_output.text is 'The text, masked.';
comment on column tool_call_output.cut is 'Whether output after it is left out.';
comment on column tool_call_output.at is 'When it arrived, by the database''s clock.';

select countersign_protect('tool_call_output');
select countersign_append_only('tool_call_output');
create trigger live_insert after insert on tool_call_output
  for each row execute function countersign_tell_change('tool_call_output', 'call_id', 'seq');

create table tool_call_output_pending (
  tenant_id uuid not null constraint tool_call_output_pending_tenant_fk references tenant (id),
  call_id uuid not null,
  held text not null constraint tool_call_output_pending_held_check check (octet_length(held) <= 3145728),
  constraint tool_call_output_pending_pk primary key (tenant_id, call_id),
  constraint tool_call_output_pending_call_fk foreign key (tenant_id, call_id) references tool_call (tenant_id, id)
);

comment on table tool_call_output_pending is
  'The ends of the output of a call that is made, which may be beginnings of secrets. The next chunk or the end of the call takes them.';
comment on column tool_call_output_pending.tenant_id is 'The tenant it belongs to.';
comment on column tool_call_output_pending.call_id is 'The call.';
comment on column tool_call_output_pending.held is
  'The ends by stream, a text for each pattern of secrets, in JSON, encrypted under the keyring: key.nonce.ciphertext.';

select countersign_protect('tool_call_output_pending');

-- A request and its call name each other, so one of the two is checked at commit.
alter table approval_request
  add constraint approval_request_tool_call_fk foreign key (tenant_id, tool_call_id) references tool_call (tenant_id, id)
  deferrable initially deferred;
