-- Run lifecycle (libs/run/src/domain/run-transitions.ts holds the same table):
--
--   queued ──start──▶ executing ──complete──▶ completed
--   executing ──pause──▶ paused ──resume──▶ executing
--   executing, paused ──roll_back──▶ rolling_back ──finish_rollback──▶ rolled_back
--                                    rolling_back ──fail_rollback──▶ rollback_failed
--                                    rolling_back ──pause──▶ paused
--   queued, executing, paused ──cancel──▶ cancelled
--   queued, executing, paused ──fail──▶ failed

create table run_state (
  state text not null,
  constraint run_state_pk primary key (state)
);
insert into run_state values
  ('queued'), ('executing'), ('paused'), ('rolling_back'),
  ('completed'), ('failed'), ('cancelled'), ('rolled_back'), ('rollback_failed');
select countersign_lookup('run_state');
comment on table run_state is 'Global: the states of a run.';
comment on column run_state.state is 'The state''s name.';

create table run_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint run_transition_to_fk references run_state,
  constraint run_transition_pk primary key (from_state, event)
);
comment on table run_transition is 'Global: the legal changes of a run''s state; every other is refused (CS002).';
comment on column run_transition.from_state is 'The state before; empty for creation.';
comment on column run_transition.event is 'What happens.';
comment on column run_transition.to_state is 'The state after.';
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

create table run (
  tenant_id uuid not null constraint run_tenant_fk references tenant (id),
  id uuid not null,
  task_id uuid not null,
  plan_id uuid not null,
  plan_digest text not null,
  environment_id uuid not null,
  approval_request_id uuid,
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
  health_round integer not null default 1 constraint run_health_round_check check (health_round >= 1),
  event_count integer not null default 0,
  outcome jsonb,
  started_by jsonb not null,
  start_at timestamptz,
  next_at timestamptz,
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz,
  updated_at timestamptz not null,
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
  constraint run_rollback_check check (state not in ('rolling_back', 'rolled_back', 'rollback_failed') or rollback_reason is not null)
);
-- One request serves one run, and a task has one run at a time.
create unique index run_approval_request_unique on run (tenant_id, approval_request_id) where approval_request_id is not null;
create unique index run_live_unique on run (tenant_id, task_id) where finished_at is null;
create index run_created_idx on run (tenant_id, created_at desc, id desc);
create index run_state_idx on run (tenant_id, state, created_at desc, id desc);
create index run_plan_idx on run (tenant_id, plan_id, created_at desc, id desc);
create index run_due_idx on run (tenant_id, next_at, id) where next_at is not null;
create index run_waiting_idx on run (tenant_id, environment_id, id) where waiting_on is not null;

comment on table run is 'One execution of one plan: what was approved, step by step.';
comment on column run.tenant_id is 'The tenant it belongs to.';
comment on column run.id is 'UUIDv7.';
comment on column run.task_id is 'The task it serves.';
comment on column run.plan_id is 'The plan revision it executes.';
comment on column run.plan_digest is 'The digest of exactly the expanded plan that it executes.';
comment on column run.environment_id is 'The environment it acts in.';
comment on column run.approval_request_id is 'The request that allowed it, consumed by it; null where policy asked for no approval.';
comment on column run.simulation_id is 'The prediction that its outcome is compared with, or null.';
comment on column run.decision_id is 'The policy decision at its start.';
comment on column run.approved_terms is 'The terms it started under: {outcome, obligations, effective}.';
comment on column run.state is 'Where it is in its lifecycle.';
comment on column run.phases is 'Which phases of the plan it executes: all, the canary phases, or the rest after a canary.';
comment on column run.requested is 'What somebody asked of it and it has not taken yet: pause, cancel or roll_back.';
comment on column run.requested_by is 'Who asked, and why: {actor, reason}.';
comment on column run.reason is 'Why it is paused or how it ended: {code, message, reasons, details}.';
comment on column run.rollback_reason is 'Why it rolls back; once set it goes forward no more.';
comment on column run.waiting_on is 'Why a queued run does not start yet: {target, run_id}.';
comment on column run.wait_until is 'The end of the wait after a batch that was last announced.';
comment on column run.health_round is 'Counts the rounds of health checks: a person who resumes after a failed one starts another.';
comment on column run.event_count is 'The number of its events; the next event''s seq less one.';
comment on column run.outcome is 'What came of it: counts, duration, and what was not undone.';
comment on column run.started_by is 'The actor who started it.';
comment on column run.start_at is 'The time before which it does not start, or null.';
comment on column run.next_at is 'When the sweeper looks at it again; null when nothing is left to do by itself.';
comment on column run.created_at is 'When it was created.';
comment on column run.started_at is 'When it left the queue.';
comment on column run.finished_at is 'When it reached a state it does not leave.';
comment on column run.updated_at is 'When it last changed.';

select countersign_protect('run');
select countersign_state_machine('run', 'run_transition');

-- Step attempt lifecycle (libs/run/src/domain/attempt-transitions.ts holds the same table):
--
--   pending ──dispatch──▶ dispatched ──succeed──▶ succeeded ──compensate──▶ compensating ──undo──▶ compensated
--                         dispatched ──fail──▶ failed ──retry──▶ pending
--                                              compensating ──fail_to_undo──▶ compensation_failed
--   dispatched, compensating ──lose──▶ unknown
--   unknown ──resolve_happened──▶ succeeded      unknown ──resolve_did_not──▶ failed          (of the call)
--   unknown ──resolve_undone──▶ compensated      unknown ──resolve_not_undone──▶ succeeded    (of its compensation)

create table attempt_state (
  state text not null,
  constraint attempt_state_pk primary key (state)
);
insert into attempt_state values
  ('pending'), ('dispatched'), ('succeeded'), ('failed'), ('unknown'),
  ('compensating'), ('compensated'), ('compensation_failed');
select countersign_lookup('attempt_state');
comment on table attempt_state is 'Global: the states of a step''s latest attempt.';
comment on column attempt_state.state is 'The state''s name.';

create table attempt_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint attempt_transition_to_fk references attempt_state,
  constraint attempt_transition_pk primary key (from_state, event)
);
comment on table attempt_transition is 'Global: the legal changes of a step''s latest attempt; every other is refused (CS002).';
comment on column attempt_transition.from_state is 'The state before; empty for creation.';
comment on column attempt_transition.event is 'What happens.';
comment on column attempt_transition.to_state is 'The state after.';
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
  constraint run_step_health_round_check check ((kind = 'health_check') = (health_round > 0))
);
create index run_step_leased_idx on run_step (tenant_id, lease_until) where lease_until is not null;

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
comment on column run_step.on_failure is 'What follows a failure: pause, rollback or retry.';
comment on column run_step.compensation_idempotent is 'Whether the call that undoes it may be repeated; null where nothing undoes it.';
comment on column run_step.state is 'Where its latest attempt is.';
comment on column run_step.attempts is 'How often it was dispatched.';
comment on column run_step.compensations is 'How often the call that undoes it was dispatched.';
comment on column run_step.failures is 'Failures in a row of what is being tried now; bounds the retries.';
comment on column run_step.fence is 'Counts dispatches of both; a result of an older one is not written.';
comment on column run_step.lease_until is 'Until when the worker that dispatched it is waited for.';
comment on column run_step.retry_at is 'The earliest time of the next attempt.';
comment on column run_step.unknown_of is 'What is unknown: whether the call happened, or whether its compensation did.';
comment on column run_step.resolved_as is 'What a person last said of an unknown effect.';
comment on column run_step.error is 'The last error: {code, message}.';
comment on column run_step.finished_at is 'When the call succeeded or failed for good.';

select countersign_protect('run_step');
select countersign_state_machine('run_step', 'attempt_transition');

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
  constraint step_attempt_late_check check ((late_result is null) = (late_at is null))
);
create index step_attempt_run_idx on step_attempt (tenant_id, run_id, dispatched_at, id);

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
comment on column step_attempt.arguments_digest is 'Digest of its arguments, as the grant names them.';
comment on column step_attempt.targets is 'The names of what it was aimed at.';
comment on column step_attempt.dispatched_at is 'When it was committed as dispatched.';
comment on column step_attempt.lease_until is 'Until when its answer is waited for.';
comment on column step_attempt.finished_at is 'When its answer was written, or it was given up.';
comment on column step_attempt.outcome is 'succeeded, failed, or unknown; null while it is out.';
comment on column step_attempt.effect is 'Of a failure: whether something was changed.';
comment on column step_attempt.result is 'What the tool answered.';
comment on column step_attempt.error is 'Why it failed or cannot be known: {code, message}.';
comment on column step_attempt.late_result is 'An answer that came after it was given up; kept as evidence, and decides nothing.';
comment on column step_attempt.late_at is 'When that late answer came.';

select countersign_protect('step_attempt');

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
comment on table health_result is 'What the health checks after a batch said, and what followed. Insert-only.';
comment on column health_result.tenant_id is 'The tenant it belongs to.';
comment on column health_result.id is 'UUIDv7.';
comment on column health_result.run_id is 'The run.';
comment on column health_result.phase_index is 'The plan''s phase, from 0.';
comment on column health_result.batch_index is 'The phase''s batch, from 0.';
comment on column health_result.health_round is 'The round, from 1.';
comment on column health_result.metrics is 'The numbers by name: {"<check>.<metric>": number}.';
comment on column health_result.condition is 'The condition that was evaluated; null where the phase has none.';
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
comment on table target_lock is 'What each live run may touch; two runs never hold the same target in an environment.';
comment on column target_lock.tenant_id is 'The tenant it belongs to.';
comment on column target_lock.environment_id is 'The environment.';
comment on column target_lock.target is 'The target; environment:<name> is the environment as a whole and conflicts with every other.';
comment on column target_lock.run_id is 'The run that holds it until its end.';
comment on column target_lock.acquired_at is 'When it was acquired.';
select countersign_protect('target_lock');

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
comment on table run_event is 'What happened in a run, in order and without gaps; what the event stream sends. Insert-only.';
comment on column run_event.tenant_id is 'The tenant it belongs to.';
comment on column run_event.run_id is 'The run.';
comment on column run_event.seq is 'Counts from 1 within the run.';
comment on column run_event.type is 'What happened: run.step_dispatched.';
comment on column run_event.actor is 'Who did it.';
comment on column run_event.data is 'The facts, by type; never secrets.';
comment on column run_event.at is 'When, by the database''s clock.';
select countersign_protect('run_event');
select countersign_append_only('run_event');

create function run_event_announce() returns trigger
  language plpgsql as $$
begin
  perform pg_notify('countersign_run_event', new.tenant_id::text || ':' || new.run_id::text);
  return null;
end $$;
comment on function run_event_announce() is 'Trigger: tells every listening replica, at commit and by ids only, that a run has a new event.';
create trigger run_event_announce after insert on run_event for each row execute function run_event_announce();

select countersign_system_reads('run');
create function run_due(at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select run.tenant_id, run.id from run
     where run.next_at is not null and run.next_at <= clock_timestamp()
     order by run.next_at
     limit at_most;
  end;
select countersign_system_function('run_due(integer)');
comment on function run_due(integer) is 'Runs whose time to be looked at has come, the longest due first.';
