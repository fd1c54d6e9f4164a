-- Runs, their steps and attempts, target locks, and the events of each run. Run lifecycle
-- (libs/stages/run/src/domain/run-transitions.ts holds the same rows):
--
--   queued ──start──▶ executing ──complete──▶ completed
--   executing ──pause──▶ paused ──resume──▶ executing
--   executing, paused ──roll_back──▶ rolling_back ──finish_rollback──▶ rolled_back
--                                    rolling_back ──fail_rollback──▶ rollback_failed
--                                    rolling_back ──pause──▶ paused
--   queued, executing, paused ──cancel──▶ cancelled
--   queued, executing, paused ──fail──▶ failed
--
-- Step attempt lifecycle (libs/stages/run/src/domain/attempt-transitions.ts holds the same rows):
--
--   pending ──dispatch──▶ dispatched ──succeed──▶ succeeded ──compensate──▶ compensating ──undo──▶ compensated
--                         dispatched ──fail──▶ failed ──retry──▶ pending
--                                              compensating ──fail_to_undo──▶ compensation_failed
--   dispatched, compensating ──lose──▶ unknown
--   unknown ──resolve_happened──▶ succeeded      unknown ──resolve_did_not──▶ failed          (of the call)
--   unknown ──resolve_undone──▶ compensated      unknown ──resolve_not_undone──▶ succeeded    (of its compensation)

-- ---------------------------------------------------------------------------------------------------------------
-- Runs
-- ---------------------------------------------------------------------------------------------------------------

create table run_state (
  state text not null,
  constraint run_state_pk primary key (state)
);
insert into run_state values
  ('queued'), ('executing'), ('paused'), ('rolling_back'),
  ('completed'), ('failed'), ('cancelled'), ('rolled_back'), ('rollback_failed');
comment on table run_state is 'Global: the states of a run.';
comment on column run_state.state is 'The state''s name.';
select countersign_lookup('run_state');

create table run_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint run_transition_to_fk references run_state,
  constraint run_transition_pk primary key (from_state, event)
);
insert into run_transition values
  ('', 'create', 'queued'),
  ('queued', 'start', 'executing'),
  ('queued', 'cancel', 'cancelled'),
  ('queued', 'fail', 'failed'),
  ('executing', 'pause', 'paused'),
  ('executing', 'complete', 'completed'),
  ('executing', 'roll_back', 'rolling_back'),
  ('executing', 'fail', 'failed'),
  ('executing', 'cancel', 'cancelled'),
  ('paused', 'resume', 'executing'),
  ('paused', 'roll_back', 'rolling_back'),
  ('paused', 'fail', 'failed'),
  ('paused', 'cancel', 'cancelled'),
  ('rolling_back', 'finish_rollback', 'rolled_back'),
  ('rolling_back', 'fail_rollback', 'rollback_failed'),
  ('rolling_back', 'pause', 'paused');

comment on table run_transition is 'Global: the legal changes of a run''s state; every other is refused (CS002).';
comment on column run_transition.from_state is 'The state before; empty for creation.';
comment on column run_transition.event is 'The event.';
comment on column run_transition.to_state is 'The state after.';

create table run (
  tenant_id uuid not null constraint run_tenant_fk references tenant (id),
  id uuid not null,
  task_id uuid not null,
  plan_id uuid not null,
  plan_digest text not null,
  headline text not null,
  risk smallint not null constraint run_risk_check check (risk between 0 and 3),
  environment_id uuid not null,
  approval_request_id uuid,
  incident_id uuid,
  simulation_id uuid,
  decision_id uuid not null,
  approved_terms jsonb not null,
  state text not null constraint run_state_fk references run_state,
  phases text not null constraint run_phases_check check (phases in ('all', 'canary', 'promotion')),
  requested text constraint run_requested_check check (requested in ('pause', 'cancel', 'roll_back')),
  requested_by jsonb,
  reason jsonb,
  rollback_reason jsonb,
  waiting_on jsonb,
  wait_until timestamptz,
  pause_by timestamptz,
  health_round integer not null default 1 constraint run_health_round_check check (health_round >= 1),
  event_count integer not null default 0,
  outcome jsonb,
  started_by jsonb not null,
  trace_parent text
    constraint run_trace_parent_check check (trace_parent ~ '^00-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'),
  start_at timestamptz,
  next_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null,
  -- A count in a pattern has PostgreSQL make a state for each character, at each use.
  seal text not null constraint run_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint run_pk primary key (tenant_id, id),
  constraint run_task_fk foreign key (tenant_id, task_id) references task (tenant_id, id),
  constraint run_plan_fk foreign key (tenant_id, plan_id) references plan (tenant_id, id),
  constraint run_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint run_approval_request_fk foreign key (tenant_id, approval_request_id) references approval_request (tenant_id, id),
  constraint run_simulation_fk foreign key (tenant_id, simulation_id) references simulation (tenant_id, id),
  constraint run_decision_fk foreign key (tenant_id, decision_id) references decision (tenant_id, id),
  constraint run_requested_by_check check ((requested is null) = (requested_by is null)),
  constraint run_finished_check check (
    (state in ('completed', 'failed', 'cancelled', 'rolled_back', 'rollback_failed')) = (finished_at is not null)),
  constraint run_outcome_check check ((finished_at is null) = (outcome is null)),
  constraint run_next_at_check check (finished_at is null or next_at is null),
  constraint run_rollback_check check (state not in ('rolling_back', 'rolled_back', 'rollback_failed') or rollback_reason is not null),
  constraint run_reason_check check (state in ('queued', 'executing', 'completed') or reason is not null),
  constraint run_started_check check (state in ('queued', 'failed', 'cancelled') or started_at is not null),
  constraint run_pause_by_check check ((state = 'executing') = (pause_by is not null)),
  constraint run_basis_check check (num_nonnulls(approval_request_id, incident_id) <= 1)
)
-- A step changes no indexed column of its run, and the page has room for the new row. So the indexes are left alone.
with (fillfactor = 60);
-- One request serves one run, and a task has one run at a time.
create unique index run_approval_request_unique on run (tenant_id, approval_request_id) where approval_request_id is not null;
create unique index run_live_unique on run (tenant_id, task_id) where finished_at is null;
create index run_created_idx on run (tenant_id, created_at desc, id desc);
create index run_state_idx on run (tenant_id, state, created_at desc, id desc);
create index run_plan_idx on run (tenant_id, plan_id, created_at desc, id desc);
create index run_due_idx on run (tenant_id, next_at, id) where next_at is not null;
create index run_waiting_idx on run (tenant_id, environment_id, id) where waiting_on is not null;
create unique index run_incident_unique on run (tenant_id, incident_id) where incident_id is not null;
create index run_task_idx on run (tenant_id, task_id, created_at desc, id desc);
create index run_environment_idx on run (tenant_id, environment_id, created_at desc, id desc);

comment on table run is 'One execution of one plan: the approved calls, step by step.';
comment on column run.tenant_id is 'The tenant it belongs to.';
comment on column run.id is 'UUIDv7.';
comment on column run.task_id is 'The task it serves.';
comment on column run.plan_id is 'The plan revision it executes.';
comment on column run.plan_digest is 'The digest of exactly the expanded plan that it executes.';
comment on column run.headline is 'The headline of that plan, which never changes: a run is shown with it.';
comment on column run.risk is 'The risk of that plan, as plan.risk.';
comment on column run.environment_id is 'The environment it acts in.';
comment on column run.approval_request_id is 'The request that allowed it, consumed by it; null if policy asked for no approval.';
comment on column run.incident_id is 'The incident of the break-glass that it rests on; null for every other run.';
comment on column run.simulation_id is 'The prediction that its outcome is compared with, or null.';
comment on column run.decision_id is 'The policy decision at its start.';
comment on column run.approved_terms is 'The terms it started under: {outcome, obligations, effective}.';
comment on column run.state is 'Its state in the lifecycle.';
comment on column run.phases is 'The phases of the plan that it executes. all: every phase; canary: the canary phases alone; promotion: the rest after a canary.';
comment on column run.requested is 'An open request of a person to the run: pause, cancel or roll_back.';
comment on column run.requested_by is 'The requester and their reason: {actor, reason}.';
comment on column run.reason is 'The reason why it is paused, or its end: {code, message, reasons, details}.';
comment on column run.rollback_reason is 'The reason for its rollback; once set it goes forward no more.';
comment on column run.waiting_on is 'The lock that a queued run waits for: {target, run_id}.';
comment on column run.wait_until is 'The end of the wait after a batch that was last announced.';
comment on column run.pause_by is 'When it pauses by itself if it still goes forward; null while it does not. Set anew when it is resumed.';
comment on column run.health_round is 'Counts the rounds of health checks: a person who resumes after a failed one starts another.';
comment on column run.event_count is 'The number of its events; the next event''s seq less one.';
comment on column run.outcome is 'Its result: counts, duration, and calls that were not undone.';
comment on column run.started_by is 'The actor who started it.';
comment on column run.trace_parent is 'The trace that it was made in, as W3C Trace Context writes it; null without a trace.';
comment on column run.start_at is 'The time before which it does not start, or null.';
comment on column run.next_at is 'When a worker looks at it again; null when nothing is left to do by itself.';
comment on column run.created_at is 'When it was created.';
comment on column run.started_at is 'When it left the queue.';
comment on column run.finished_at is 'When it reached a state it does not leave.';
comment on column run.updated_at is 'When it last changed.';
comment on column run.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_check_at_once('run');
select countersign_protect('run');
select countersign_state_machine('run', 'run_transition');
select countersign_system_reads('run');
select countersign_changes_only('run',
  'state', 'requested', 'requested_by', 'reason', 'rollback_reason', 'waiting_on', 'wait_until', 'health_round',
  'event_count', 'outcome', 'next_at', 'started_at', 'finished_at', 'updated_at', 'pause_by');
select countersign_live('run', 'run');
create trigger live_request after update on run
  for each row when (old.requested is distinct from new.requested)
  execute function countersign_tell_change('run', 'id', 'requested');
create trigger run_search_word after insert on run for each row execute function search_word_of_id();

-- Functions write the changes of a turn, so that all of them travel as one statement, with the commit.
create function run_save(
  of_run uuid, new_state text, new_requested text, new_requested_by jsonb, new_reason jsonb, new_rollback_reason jsonb,
  new_waiting_on jsonb, new_wait_until timestamptz, new_health_round integer, new_event_count integer, new_outcome jsonb,
  new_next_at timestamptz, new_started_at timestamptz, new_finished_at timestamptz, new_updated_at timestamptz,
  new_pause_by timestamptz
) returns void
  language plpgsql as $$
begin
  update run set state = new_state, requested = new_requested, requested_by = new_requested_by, reason = new_reason,
                 rollback_reason = new_rollback_reason, waiting_on = new_waiting_on, wait_until = new_wait_until,
                 health_round = new_health_round, event_count = new_event_count, outcome = new_outcome,
                 next_at = new_next_at, started_at = new_started_at, finished_at = new_finished_at,
                 updated_at = new_updated_at, pause_by = new_pause_by
   where tenant_id = countersign_current_tenant() and id = of_run;
end $$;
comment on function run_save(uuid, text, text, jsonb, jsonb, jsonb, jsonb, timestamptz, integer, integer, jsonb, timestamptz, timestamptz, timestamptz, timestamptz, timestamptz) is
  'Updates a run of the current tenant, with the rights of the caller.';

create function run_advance_due(at timestamptz, most integer, held uuid[], full_tenants uuid[]) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select run.tenant_id, run.id from run
     where run.next_at is not null and run.next_at <= at
       and run.id <> all (held) and run.tenant_id <> all (full_tenants)
     order by run.next_at limit most;
  end;
select countersign_system_function('run_advance_due(timestamptz, integer, uuid[], uuid[])');
comment on function run_advance_due(timestamptz, integer, uuid[], uuid[]) is 'Runs that are due, the longest due first.';

-- Operators watch how many runs are under way in all tenants, by state. The function reads an index of live runs alone, and
-- never more rows than the caller wants counted.
create function run_in_state(wanted text, at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select run.tenant_id, run.id from run where run.finished_at is null and run.state = wanted limit at_most;
  end;
select countersign_system_function('run_in_state(text, integer)');
comment on function run_in_state(text, integer) is 'Runs that have not ended, of one state, in no order.';

-- ---------------------------------------------------------------------------------------------------------------
-- Steps
-- ---------------------------------------------------------------------------------------------------------------

create table attempt_state (
  state text not null,
  constraint attempt_state_pk primary key (state)
);
insert into attempt_state values
  ('pending'), ('dispatched'), ('succeeded'), ('failed'), ('unknown'),
  ('compensating'), ('compensated'), ('compensation_failed');
comment on table attempt_state is 'Global: the states of a step''s latest attempt.';
comment on column attempt_state.state is 'The state''s name.';
select countersign_lookup('attempt_state');

create table attempt_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint attempt_transition_to_fk references attempt_state,
  constraint attempt_transition_pk primary key (from_state, event)
);
insert into attempt_transition values
  ('', 'create', 'pending'),
  ('pending', 'dispatch', 'dispatched'),
  ('dispatched', 'succeed', 'succeeded'),
  ('dispatched', 'fail', 'failed'),
  ('dispatched', 'lose', 'unknown'),
  ('unknown', 'resolve_happened', 'succeeded'),
  ('unknown', 'resolve_did_not', 'failed'),
  ('unknown', 'resolve_undone', 'compensated'),
  ('unknown', 'resolve_not_undone', 'succeeded'),
  ('failed', 'retry', 'pending'),
  ('succeeded', 'compensate', 'compensating'),
  ('compensating', 'undo', 'compensated'),
  ('compensating', 'fail_to_undo', 'compensation_failed'),
  ('compensating', 'lose', 'unknown');

comment on table attempt_transition is 'Global: the legal changes of a step''s latest attempt; every other is refused (CS002).';
comment on column attempt_transition.from_state is 'The state before; empty for creation.';
comment on column attempt_transition.event is 'The event.';
comment on column attempt_transition.to_state is 'The state after.';

create table run_step (
  tenant_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  position integer not null constraint run_step_position_check check (position >= 1),
  kind text not null constraint run_step_kind_check check (kind in ('call', 'health_check')),
  phase_index integer not null,
  batch_index integer not null,
  seq integer not null,
  step_id text not null,
  health_round integer not null default 0,
  tool_name text not null,
  tool_version integer not null,
  idempotent boolean not null,
  changes boolean not null,
  on_failure text not null constraint run_step_on_failure_check check (on_failure in ('pause', 'rollback', 'retry')),
  compensation_idempotent boolean,
  state text not null constraint run_step_state_fk references attempt_state,
  attempts integer not null default 0,
  compensations integer not null default 0,
  failures integer not null default 0,
  fence integer not null default 0,
  lease_until timestamptz,
  retry_at timestamptz,
  unknown_of text constraint run_step_unknown_of_check check (unknown_of in ('call', 'compensation')),
  resolved_as text constraint run_step_resolved_as_check check (resolved_as in ('happened', 'did_not')),
  error jsonb,
  finished_at timestamptz,
  constraint run_step_pk primary key (tenant_id, id),
  constraint run_step_position_key unique (tenant_id, run_id, position, health_round),
  constraint run_step_run_fk foreign key (tenant_id, run_id) references run (tenant_id, id),
  constraint run_step_lease_check check (lease_until is null or state in ('dispatched', 'compensating')),
  constraint run_step_dispatched_check check (state <> 'dispatched' or lease_until is not null),
  constraint run_step_unknown_check check ((state = 'unknown') = (unknown_of is not null)),
  constraint run_step_error_check check (state not in ('failed', 'unknown', 'compensation_failed') or error is not null),
  constraint run_step_finished_check check ((state in ('pending', 'dispatched')) = (finished_at is null)),
  constraint run_step_health_round_check check ((kind = 'health_check') = (health_round > 0))
);
-- A turn of a run finds its steps without reading the whole run.
create index run_step_batch_idx on run_step (tenant_id, run_id, phase_index, batch_index, position);
-- Of a run, and of a tenant for its halts: the calls in flight.
create index run_step_open_idx on run_step (tenant_id, run_id) where lease_until is not null or state = 'unknown';
-- Finds the next calls of a run without reading those before them.
create index run_step_next_idx on run_step (tenant_id, run_id, phase_index, batch_index, position)
  where kind = 'call' and state <> 'succeeded';

comment on table run_step is 'One call of a run, or one health check after a batch, and the state of its latest attempt.';
comment on column run_step.tenant_id is 'The tenant it belongs to.';
comment on column run_step.id is 'UUIDv7; the step that grants name.';
comment on column run_step.run_id is 'The run.';
comment on column run_step.position is 'Its place in the run, from 1; health checks stand after their batch.';
comment on column run_step.kind is 'call, or health_check.';
comment on column run_step.phase_index is 'The plan''s phase, from 0.';
comment on column run_step.batch_index is 'The phase''s batch, from 0.';
comment on column run_step.seq is 'The plan''s call; for a health check, the last call before it.';
comment on column run_step.step_id is 'The step''s id in the plan, or the health check''s name.';
comment on column run_step.health_round is 'The round of a health check, from 1; 0 for a call.';
comment on column run_step.tool_name is 'The tool that it calls.';
comment on column run_step.tool_version is 'The version of that tool.';
comment on column run_step.idempotent is 'Whether that version may be called again with the same effect.';
comment on column run_step.changes is 'Whether that version changes anything.';
comment on column run_step.on_failure is 'The consequence of a failure: pause, rollback or retry.';
comment on column run_step.compensation_idempotent is 'Whether the call that undoes it may be repeated; null if nothing undoes it.';
comment on column run_step.state is 'The state of its latest attempt.';
comment on column run_step.attempts is 'How often it was dispatched.';
comment on column run_step.compensations is 'How often the call that undoes it was dispatched.';
comment on column run_step.failures is 'Failures in a row of the current call; bounds the retries.';
comment on column run_step.fence is 'Counts dispatches of both; a result of an older one is not written.';
comment on column run_step.lease_until is 'Until when the worker that dispatched it is waited for.';
comment on column run_step.retry_at is 'The earliest time of the next attempt.';
comment on column run_step.unknown_of is 'The unknown effect: of the call, or of its compensation.';
comment on column run_step.resolved_as is 'A person''s last answer about an unknown effect.';
comment on column run_step.error is 'The last error: {code, message}.';
comment on column run_step.finished_at is 'When the call succeeded or failed for good.';

select countersign_check_at_once('run_step');
select countersign_protect('run_step');
select countersign_state_machine('run_step', 'attempt_transition');
select countersign_changes_only('run_step',
  'state', 'attempts', 'compensations', 'failures', 'fence', 'lease_until', 'retry_at', 'unknown_of', 'resolved_as',
  'error', 'finished_at');

create function run_steps_insert(steps jsonb) returns void
  language plpgsql as $$
begin
  insert into run_step (tenant_id, id, run_id, position, kind, phase_index, batch_index, seq, step_id, health_round, tool_name,
                        tool_version, idempotent, changes, on_failure, compensation_idempotent, state)
  select countersign_current_tenant(), n.id, n.run_id, n.position, n.kind, n.phase_index, n.batch_index, n.seq, n.step_id,
         n.health_round, n.tool_name, n.tool_version, n.idempotent, n.changes, n.on_failure, n.compensation_idempotent, n.state
    from jsonb_populate_recordset(null::run_step, steps) n;
end $$;
comment on function run_steps_insert(jsonb) is 'Inserts steps of a run of the current tenant, with the rights of the caller.';

create function run_step_save(
  of_step uuid, new_state text, new_attempts integer, new_compensations integer, new_failures integer, new_fence integer,
  new_lease_until timestamptz, new_retry_at timestamptz, new_unknown_of text, new_resolved_as text, new_error jsonb,
  new_finished_at timestamptz
) returns void
  language plpgsql as $$
begin
  update run_step set state = new_state, attempts = new_attempts, compensations = new_compensations,
                      failures = new_failures, fence = new_fence, lease_until = new_lease_until, retry_at = new_retry_at,
                      unknown_of = new_unknown_of, resolved_as = new_resolved_as, error = new_error,
                      finished_at = new_finished_at
   where tenant_id = countersign_current_tenant() and id = of_step;
end $$;
comment on function run_step_save(uuid, text, integer, integer, integer, integer, timestamptz, timestamptz, text, text, jsonb, timestamptz) is
  'Updates a step of the current tenant, with the rights of the caller.';

create table step_attempt (
  tenant_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  run_step_id uuid not null,
  purpose text not null constraint step_attempt_purpose_check check (purpose in ('call', 'compensation')),
  number integer not null constraint step_attempt_number_check check (number >= 1),
  fence integer not null,
  decision_id uuid not null,
  executor_name text not null,
  executor_version integer not null,
  agent_id uuid,
  arguments_digest text not null,
  targets jsonb not null,
  dispatched_at timestamptz not null,
  lease_until timestamptz not null,
  finished_at timestamptz,
  outcome text constraint step_attempt_outcome_check check (outcome in ('succeeded', 'failed', 'unknown')),
  effect text constraint step_attempt_effect_check check (effect in ('not_started', 'done')),
  result jsonb,
  error jsonb,
  late_result jsonb,
  late_at timestamptz,
  constraint step_attempt_pk primary key (tenant_id, id),
  constraint step_attempt_number_key unique (tenant_id, run_step_id, purpose, number),
  constraint step_attempt_run_fk foreign key (tenant_id, run_id) references run (tenant_id, id),
  constraint step_attempt_step_fk foreign key (tenant_id, run_step_id) references run_step (tenant_id, id),
  constraint step_attempt_decision_fk foreign key (tenant_id, decision_id) references decision (tenant_id, id),
  constraint step_attempt_outcome_at_check check ((outcome is null) = (finished_at is null)),
  constraint step_attempt_effect_of_failure_check check ((outcome is not distinct from 'failed') = (effect is not null)),
  constraint step_attempt_error_there_check check ((coalesce(outcome, 'succeeded') <> 'succeeded') = (error is not null)),
  constraint step_attempt_late_check check ((late_result is null) = (late_at is null)),
  constraint step_attempt_executor_version_check check (executor_version >= 1),
  constraint step_attempt_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id)
);
create index step_attempt_run_idx on step_attempt (tenant_id, run_id, dispatched_at, id);
create index step_attempt_agent_idx on step_attempt (tenant_id, agent_id, run_id) where agent_id is not null;

comment on table step_attempt is 'One dispatch of a step or of the call that undoes it, recorded before it leaves.';
comment on column step_attempt.tenant_id is 'The tenant it belongs to.';
comment on column step_attempt.id is 'UUIDv7.';
comment on column step_attempt.run_id is 'The run.';
comment on column step_attempt.run_step_id is 'The step.';
comment on column step_attempt.purpose is 'call, or compensation.';
comment on column step_attempt.number is 'Counts from 1 within step and purpose; the grant names it.';
comment on column step_attempt.fence is 'The step''s fence when it was dispatched.';
comment on column step_attempt.decision_id is 'The policy decision that let it leave.';
comment on column step_attempt.executor_name is 'The executor it was sent to.';
comment on column step_attempt.executor_version is 'The version of the executor''s record that was approved.';
comment on column step_attempt.agent_id is 'The agent that carries it out and reports without verification; null if an executor is called.';
comment on column step_attempt.arguments_digest is 'Digest of its arguments, as the grant names them.';
comment on column step_attempt.targets is 'The names of its targets.';
comment on column step_attempt.dispatched_at is 'When it was committed as dispatched.';
comment on column step_attempt.lease_until is 'Until when its answer is waited for.';
comment on column step_attempt.finished_at is 'When its answer was written, or it was given up.';
comment on column step_attempt.outcome is 'succeeded, failed, or unknown; null while it is in flight.';
comment on column step_attempt.effect is 'Of a failure: whether something was changed.';
comment on column step_attempt.result is 'The tool''s answer.';
comment on column step_attempt.error is 'The reason for its failure, or why it cannot be known: {code, message}.';
comment on column step_attempt.late_result is 'An answer that came after it was given up; kept as evidence, and decides nothing.';
comment on column step_attempt.late_at is 'When that late answer came.';

select countersign_check_at_once('step_attempt');
select countersign_protect('step_attempt');
select countersign_changes_only('step_attempt',
  'finished_at', 'outcome', 'effect', 'result', 'error', 'late_result', 'late_at');

-- Decisions are partitioned: a plan for each decision would cost its foreign key more than the look itself.
create function step_attempt_insert(
  new_id uuid, new_run uuid, new_step uuid, new_purpose text, new_number integer, new_fence integer, new_decision uuid,
  new_executor_name text, new_arguments_digest text, new_targets jsonb, new_dispatched_at timestamptz,
  new_lease_until timestamptz, new_executor_version integer, new_agent uuid
) returns void
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
begin
  insert into step_attempt (tenant_id, id, run_id, run_step_id, purpose, number, fence, decision_id, executor_name,
                            arguments_digest, targets, dispatched_at, lease_until, executor_version, agent_id)
  values (countersign_current_tenant(), new_id, new_run, new_step, new_purpose, new_number, new_fence, new_decision,
          new_executor_name, new_arguments_digest, new_targets, new_dispatched_at, new_lease_until, new_executor_version,
          new_agent);
end $$;
comment on function step_attempt_insert(uuid, uuid, uuid, text, integer, integer, uuid, text, text, jsonb, timestamptz, timestamptz, integer, uuid) is
  'Inserts an attempt of the current tenant, with the rights of the caller.';

create function step_attempt_finish(
  of_attempt uuid, new_finished_at timestamptz, new_outcome text, new_effect text, new_result jsonb, new_error jsonb
) returns void
  language plpgsql as $$
begin
  update step_attempt
     set finished_at = new_finished_at, outcome = new_outcome, effect = new_effect, result = new_result, error = new_error
   where tenant_id = countersign_current_tenant() and id = of_attempt and outcome is null;
  if not found then
    raise exception 'attempt % is not in flight any more', of_attempt using errcode = 'CS001';
  end if;
end $$;
comment on function step_attempt_finish(uuid, timestamptz, text, text, jsonb, jsonb) is
  'Ends an attempt of the current tenant that is in flight, with the rights of the caller; SQLSTATE CS001 for any other.';

-- ---------------------------------------------------------------------------------------------------------------
-- Turns
-- ---------------------------------------------------------------------------------------------------------------

-- A turn of a run takes its locks and reads its facts in one statement. The lengths of its arrays are unknown before it runs. PostgreSQL
-- would plan it for ten elements each, and find it cheaper to plan it anew for each turn. Or it would read whole tables for a hash. A
-- generic plan and subqueries with a limit look up each row by its key.
create function run_turn_facts(
  of_run uuid, of_task uuid, of_plan uuid, of_environment uuid, of_request uuid, known_request text, wanted_tools text[],
  wanted_executors text[]
) returns json
  language plpgsql
  set plan_cache_mode = force_generic_plan
  as $$
declare
  tenant constant uuid := countersign_current_tenant();
  bundle text;
  autonomy_id uuid;
  tools tool[];
  the_task task;
  the_plan record;
  executors executor[];
  the_run run;
  ahead run_step[];
  the_autonomy record;
  request_version text;
  approval json;
  holders uuid[] := '{}';
begin
  -- Locks come first, each as a statement of its own. A join that waited for a lock would read the rows from before the wait. The
  -- statement that locks a row gives its latest version, so that no other reads it again.
  select head.revision into bundle from bundle_head head for share;
  select head.revision_id into autonomy_id from autonomy_head head where head.tenant_id = tenant for share;
  tools := array(
    select t from tool t where t.tenant_id = tenant and t.name = any (wanted_tools) order by t.name for share);
  select * into the_task from task k where k.tenant_id = tenant and k.id = of_task for update;
  select p.id, p.revision, p.state, p.agent_id, p.person_id, p.on_behalf_of, p.credential_id,
         p.xmin::text || p.ctid::text as row_version
    into the_plan from plan p where p.tenant_id = tenant and p.id = of_plan for update;
  executors := array(
    select x from executor x
     where x.tenant_id = tenant and x.environment_id = of_environment and x.name = any (wanted_executors)
     order by x.name for share);
  if of_request is not null then
    select q.xmin::text || q.ctid::text
      into request_version from approval_request q where q.tenant_id = tenant and q.id = of_request for update;
  end if;
  select * into the_run from run r where r.tenant_id = tenant and r.id = of_run for update;
  ahead := run_steps_ahead(of_run);
  select a.id, a.number, a.document, a.digest, a.seal
    into the_autonomy from autonomy_revision a where a.tenant_id = tenant and a.id = autonomy_id;
  if request_version is not null then
    select answer.approval, answer.holders into approval, holders
      from run_approval_facts(of_request, request_version, known_request) answer;
  end if;
  -- Break-glass and a freeze ask for the roles of the starter.
  if (the_run.incident_id is not null or strpos(the_autonomy.document, '"freezes"') > 0)
     and the_run.started_by ->> 'kind' = 'person' then
    holders := holders || (the_run.started_by ->> 'id')::uuid;
  end if;
  return (
    select json_build_object(
      'now', floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
      'bundle', bundle,
      'autonomy', case when the_autonomy.id is not null then row_to_json(the_autonomy) end,
      'tools', (
        select coalesce(json_agg(json_build_object(
                 'id', v.id, 'name', v.name, 'version', v.version, 'digest', v.digest, 'definition', v.definition)), '[]')
          from unnest(tools) t
          cross join lateral (
            select * from tool_version w where w.tenant_id = tenant and w.tool_id = t.id and w.version = t.version limit 1) v
         where not t.removed),
      'task', case when the_task.id is not null then row_to_json(the_task) end,
      'plan', case when the_plan.id is not null then row_to_json(the_plan) end,
      'environment', (
        select json_build_object('id', e.id, 'name', e.name, 'production', e.production, 'version', e.version)
          from environment e where e.tenant_id = tenant and e.id = of_environment),
      'executors', (
        select coalesce(json_agg(json_build_object(
                 'id', x.id, 'name', x.name, 'version', x.version, 'kind', xv.kind, 'url', xv.url, 'audience', xv.audience,
                 'shared_audience', xv.shared_audience, 'secret', xv.secret, 'settings', xv.settings,
                 'digest', xv.digest)), '[]')
          from unnest(executors) x
          cross join lateral (
            select * from executor_version w
             where w.tenant_id = tenant and w.executor_id = x.id and w.version = x.version limit 1) xv),
      'simulation', (
        select json_build_object('id', s.id, 'digest', s.digest)
          from simulation s where s.tenant_id = tenant and s.plan_id = of_plan
         order by (s.result is not null) desc, s.created_at desc, s.id desc limit 1),
      'run', case when the_run.id is not null then row_to_json(the_run) end,
      'ahead', array_to_json(ahead),
      'in_flight', (
        select coalesce(json_agg(row_to_json(a)), '[]')
          from unnest(ahead) s
          cross join lateral (
            select * from step_attempt w
             where w.tenant_id = tenant and w.run_step_id = s.id and w.fence = s.fence limit 1) a
         where s.lease_until is not null),
      'halts', (
        select coalesce(json_agg(json_build_object('id', h.id, 'kind', h.kind, 'tool', h.tool_name) order by h.created_at, h.id), '[]')
          from (select active.* from halt active
                 where active.tenant_id = tenant and active.lifted_at is null
                   and (active.kind = 'tenant' or active.environment_id = of_environment
                        or active.tool_name = any (wanted_tools)
                        or active.agent_id in (the_task.agent_id, the_plan.agent_id))
                 order by active.created_at, active.id limit 1000) h),
      'approval', approval,
      'people', case when cardinality(holders) > 0 then run_holders(holders) else '[]' end));
end $$;
comment on function run_turn_facts(uuid, uuid, uuid, uuid, uuid, text, text[], text[]) is 'Locks the rows that a turn rests on, in the order of locks. These are bundle, autonomy document, tools, task, plan, executors, request and run. Then it reads the facts of the turn; with the rights of the caller.';

-- Reviews and roles are read after the locks of a turn. The caller keeps the request and its reviews by the version of their rows.
create function run_approval_facts(
  of_request uuid, request_version text, known_version text, out approval json, out holders uuid[]
)
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  as $$
declare
  tenant constant uuid := countersign_current_tenant();
  version text;
  reviews review[];
begin
  select string_agg(w.xmin::text || w.ctid::text, ' ' order by w.created_at, w.id), array_agg(w order by w.created_at, w.id)
    into version, reviews
    from review w where w.tenant_id = tenant and w.request_id = of_request and w.replaced_at is null;
  version := concat_ws(' ', request_version, version);
  approval := json_build_object(
    'version', version,
    'request', case when version is distinct from known_version then (
      select row_to_json(q) from approval_request q where q.tenant_id = tenant and q.id = of_request) end,
    'reviews', case when version is distinct from known_version then coalesce(array_to_json(reviews), '[]') end,
    'absences', (
      select coalesce(json_agg(row_to_json(b) order by b.created_at, b.id), '[]')
        from unnest(reviews) w
        cross join lateral (
          select * from absence handed
           where handed.tenant_id = tenant and handed.delegate_id = w.person_id and handed.person_id = w.delegated_by
             and handed.ended_at is null
           order by handed.created_at, handed.id limit 1000) b
       where w.verdict = 'approve' and w.delegated_by is not null));
  holders := array(
    select w.person_id from unnest(reviews) w where w.verdict = 'approve'
    union
    select w.delegated_by from unnest(reviews) w where w.verdict = 'approve' and w.delegated_by is not null);
end $$;
comment on function run_approval_facts(uuid, text, text) is 'The request with the reviews that count, or their version alone if the caller knows it. The absences by which people approved for others. And the ids of these people; with the rights of the caller.';

create function run_holders(of_people uuid[]) returns json
  language plpgsql stable
  set plan_cache_mode = force_generic_plan
  as $$
declare
  tenant constant uuid := countersign_current_tenant();
begin
  return (
    select coalesce(json_agg(json_build_object(
             'id', p.id, 'disabled_at', p.disabled_at, 'enrolled_at', p.enrolled_at,
             'roles', (
               select coalesce(json_agg(json_build_object(
                        'id', h.id, 'role', h.role, 'assigned_at', h.assigned_at, 'assigned_by', h.assigned_by,
                        'assigned_by_issuer', h.assigned_by_issuer, 'seal', h.seal) order by h.role), '[]')
                 from role_assignment h
                where h.tenant_id = tenant and h.person_id = p.id and h.revoked_at is null))), '[]')
      from (select distinct person_id from unnest(of_people) person_id) wanted
      cross join lateral (
        select * from person one where one.tenant_id = tenant and one.id = wanted.person_id limit 1) p);
end $$;
comment on function run_holders(uuid[]) is 'These people with the roles that they hold; with the rights of the caller.';

create function run_steps_ahead(of_run uuid) returns run_step[]
  language plpgsql stable as $$
declare
  tenant constant uuid := countersign_current_tenant();
  at_phase integer;
  at_batch integer;
  waiting run_step[];
  others run_step[];
begin
  -- Batches become healthy in order, so the current batch comes after the last healthy one.
  with healthy as (
    select h.phase_index, h.batch_index
      from health_result h
     where h.tenant_id = tenant and h.run_id = of_run and h.verdict = 'healthy'
     order by h.phase_index desc, h.batch_index desc limit 1)
  select s.phase_index, s.batch_index into at_phase, at_batch
    from run_step s
   where s.tenant_id = tenant and s.run_id = of_run
     and (s.phase_index, s.batch_index)
       > (coalesce((select phase_index from healthy), -1), coalesce((select batch_index from healthy), -1))
   order by s.phase_index, s.batch_index limit 1;
  waiting := array(
    select s from run_step s
     where s.tenant_id = tenant and s.run_id = of_run and s.phase_index = at_phase and s.batch_index = at_batch
       and s.kind = 'call' and s.state <> 'succeeded'
     order by s.position limit 2);
  others := array(
    select o from run_step o
     where o.tenant_id = tenant and o.run_id = of_run and (o.lease_until is not null or o.state = 'unknown'));
  if cardinality(waiting) < 2 then
    others := others || array(
      select b from run_step b
       where b.tenant_id = tenant and b.run_id = of_run and b.phase_index = at_phase and b.batch_index = at_batch
         and (waiting = '{}' or b.kind = 'health_check'));
  elsif cardinality(others) = 0 or (cardinality(others) = 1 and (others[1]).id = (waiting[1]).id) then
    -- As in most turns: the dispatched step is the first of the two.
    return waiting;
  end if;
  return array(
    select each from (
      select distinct on (s.position, s.health_round) s as each from unnest(waiting || others) s
       order by s.position, s.health_round) ordered);
end $$;
comment on function run_steps_ahead(uuid) is 'The steps that a run going forward looks at. They are the next two calls of its first batch not yet found healthy; the health checks with the last call; all steps of the batch once its calls succeeded; and dispatched and unknown steps.';

-- ---------------------------------------------------------------------------------------------------------------
-- Health checks and target locks
-- ---------------------------------------------------------------------------------------------------------------

create table health_result (
  tenant_id uuid not null,
  id uuid not null,
  run_id uuid not null,
  phase_index integer not null,
  batch_index integer not null,
  health_round integer not null,
  metrics jsonb not null,
  condition text,
  verdict text not null constraint health_result_verdict_check check (verdict in ('healthy', 'roll_back', 'unclear')),
  explanation text not null,
  evaluated_at timestamptz not null,
  constraint health_result_pk primary key (tenant_id, id),
  constraint health_result_round_key unique (tenant_id, run_id, phase_index, batch_index, health_round),
  constraint health_result_run_fk foreign key (tenant_id, run_id) references run (tenant_id, id)
);
create index health_result_healthy_idx on health_result (tenant_id, run_id, phase_index, batch_index) where verdict = 'healthy';

comment on table health_result is 'The results of the health checks after a batch, and the verdict. Insert-only.';
comment on column health_result.tenant_id is 'The tenant it belongs to.';
comment on column health_result.id is 'UUIDv7.';
comment on column health_result.run_id is 'The run.';
comment on column health_result.phase_index is 'The plan''s phase, from 0.';
comment on column health_result.batch_index is 'The phase''s batch, from 0.';
comment on column health_result.health_round is 'The round, from 1.';
comment on column health_result.metrics is 'The numbers by name: {"<check>.<metric>": number}.';
comment on column health_result.condition is 'The condition that was evaluated; null if the phase has none.';
comment on column health_result.verdict is 'healthy, roll_back (the condition is true), or unclear (it could not be evaluated: the run pauses).';
comment on column health_result.explanation is 'The same for people.';
comment on column health_result.evaluated_at is 'When, by the database''s clock.';

select countersign_protect('health_result');
select countersign_append_only('health_result');

create table target_lock (
  tenant_id uuid not null,
  environment_id uuid not null,
  target text not null,
  run_id uuid not null,
  acquired_at timestamptz not null,
  constraint target_lock_pk primary key (tenant_id, environment_id, target),
  constraint target_lock_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint target_lock_run_fk foreign key (tenant_id, run_id) references run (tenant_id, id)
);
create index target_lock_run_idx on target_lock (tenant_id, run_id);

comment on table target_lock is 'The targets that each live run may touch; two runs never hold the same target in an environment.';
comment on column target_lock.tenant_id is 'The tenant it belongs to.';
comment on column target_lock.environment_id is 'The environment.';
comment on column target_lock.target is 'The target; environment:<name> is the environment as a whole and conflicts with every other.';
comment on column target_lock.run_id is 'The run that holds it until its end.';
comment on column target_lock.acquired_at is 'When it was acquired.';

select countersign_protect('target_lock');

-- ---------------------------------------------------------------------------------------------------------------
-- Events
-- ---------------------------------------------------------------------------------------------------------------

create table run_event (
  tenant_id uuid not null,
  run_id uuid not null,
  seq integer not null constraint run_event_seq_check check (seq >= 1),
  type text not null,
  actor jsonb not null,
  data jsonb not null,
  at timestamptz not null,
  constraint run_event_pk primary key (tenant_id, run_id, seq),
  constraint run_event_run_fk foreign key (tenant_id, run_id) references run (tenant_id, id)
);

comment on table run_event is 'The events of a run, in order and without gaps; the source of the event stream. Insert-only.';
comment on column run_event.tenant_id is 'The tenant it belongs to.';
comment on column run_event.run_id is 'The run.';
comment on column run_event.seq is 'Counts from 1 within the run.';
comment on column run_event.type is 'The kind of event: run.step_dispatched.';
comment on column run_event.actor is 'The actor.';
comment on column run_event.data is 'The facts, by type; never secrets.';
comment on column run_event.at is 'When, by the database''s clock.';

select countersign_protect('run_event');
select countersign_append_only('run_event');

-- ---------------------------------------------------------------------------------------------------------------
-- Simulations and plans beside their runs
-- ---------------------------------------------------------------------------------------------------------------

alter table simulation_outcome add constraint simulation_outcome_run_fk foreign key (tenant_id, run_id) references run (tenant_id, id);

-- The status of a plan as people see it is derived and never stored. It comes from the revision's own state, then from the later
-- of its run and its approval request. Last it comes from its simulation. The status is true by the clock. A request past its
-- time shows as expired even if no job has recorded that yet.
create view plan_status with (security_invoker = true) as
  select
    plan.tenant_id,
    plan.id as plan_id,
    case
      when plan.state <> 'validated' then plan.state
      when live_run.id is not null then 'executing'
      when request.state = 'open' and request.expires_at > statement_timestamp() then 'awaiting_approval'
      when request.state = 'approved' and request.approval_expires_at > statement_timestamp() then 'approved'
      when request.state in ('open', 'approved', 'expired') then 'expired'
      when request.state = 'denied' then 'rejected'
      when request.state = 'changes_requested' then 'changes_requested'
      when ended_run.id is not null then 'executed'
      when prediction.id is not null then 'simulated'
      else 'validated'
    end as status
  from plan
  left join lateral (
    select run.id
      from run
     where run.tenant_id = plan.tenant_id and run.plan_id = plan.id and run.finished_at is null
     limit 1
  ) live_run on plan.state = 'validated'
  left join lateral (
    -- A run that never started has executed nothing.
    select run.id, run.created_at
      from run
     where run.tenant_id = plan.tenant_id and run.plan_id = plan.id
       and run.finished_at is not null and run.started_at is not null
     order by run.created_at desc, run.id desc
     limit 1
  ) ended_run on plan.state = 'validated'
  left join lateral (
    -- The latest question. One that a run has used up is that run's, and one from before the last run is history.
    select latest.state, latest.expires_at, latest.approval_expires_at
      from (
        select approval_request.state, approval_request.opened_at, approval_request.expires_at, approval_request.approval_expires_at
          from approval_request
         where approval_request.tenant_id = plan.tenant_id and approval_request.subject_id = plan.id
         order by approval_request.opened_at desc, approval_request.id desc
         limit 1
      ) latest
     where ended_run.created_at is null or latest.opened_at > ended_run.created_at
  ) request on plan.state = 'validated'
  left join lateral (
    select simulation.id
      from simulation
     where simulation.tenant_id = plan.tenant_id and simulation.plan_id = plan.id
       and simulation.state = 'succeeded' and simulation.plan_digest = plan.digest
       and simulation.next_at > statement_timestamp()
     limit 1
  ) prediction on plan.state = 'validated';

comment on view plan_status is 'The status of each plan revision as people see it; derived, by the clock.';
comment on column plan_status.tenant_id is 'The tenant it belongs to.';
comment on column plan_status.plan_id is 'The plan revision.';
comment on column plan_status.status is 'draft, invalid, validated, simulated, awaiting_approval, approved, rejected, changes_requested, expired, executing, executed, superseded or withdrawn.';

grant select on plan_status to countersign_app;
