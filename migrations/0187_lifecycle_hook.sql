-- Lifecycle hooks: reactions of a tenant to events, and their executions.

create table lifecycle_hook (
  tenant_id uuid not null constraint lifecycle_hook_tenant_fk references tenant (id),
  id uuid not null,
  name text not null constraint lifecycle_hook_name_check check (name ~ '^[a-z][a-z0-9_-]{0,63}$'),
  position integer not null constraint lifecycle_hook_position_check check (position between 0 and 49),
  event text not null constraint lifecycle_hook_event_check check (event ~ '^[a-z]+[.]([*]|[a-z][a-z0-9_]{0,79})$'),
  matcher text not null constraint lifecycle_hook_matcher_check check (char_length(matcher) between 1 and 200),
  action jsonb not null constraint lifecycle_hook_action_check
    check (action ->> 'type' in ('log', 'command') and octet_length(action::text) <= 200000),
  enabled boolean not null,
  created_by uuid not null,
  created_at timestamptz not null,
  seal text not null constraint lifecycle_hook_seal_check check (
    seal ~ '^[^.]+[.][A-Za-z0-9_-]+$' and strpos(seal, '.') <= 65 and length(seal) - strpos(seal, '.') = 43),
  constraint lifecycle_hook_pk primary key (tenant_id, id),
  constraint lifecycle_hook_name_key unique (tenant_id, name),
  constraint lifecycle_hook_created_by_fk foreign key (tenant_id, created_by) references person (tenant_id, id)
);

comment on table lifecycle_hook is 'The hooks in force: the event of each, and the reaction to it.';
comment on column lifecycle_hook.tenant_id is 'The tenant it belongs to.';
comment on column lifecycle_hook.id is 'UUIDv7; another one once its event, matcher or action changes.';
comment on column lifecycle_hook.name is 'Unique in the tenant.';
comment on column lifecycle_hook.position is 'Its place in the document, from 0.';
comment on column lifecycle_hook.event is 'The event that it listens for, or a group: tool.execute, run.*.';
comment on column lifecycle_hook.matcher is 'A glob over the name of the tool, of the agent or of the event.';
comment on column lifecycle_hook.action is 'An entry of the log, or a program with its arguments, variables, time limit and runners.';
comment on column lifecycle_hook.enabled is 'Whether it is on.';
comment on column lifecycle_hook.created_by is 'The person who asked for it as it is.';
comment on column lifecycle_hook.created_at is 'Since when it is as it is.';
comment on column lifecycle_hook.seal is 'The key of the keyring, and the HMAC under it over table, tenant, id and the columns that decide.';

select countersign_protect('lifecycle_hook');
select countersign_live('lifecycle_hook', 'lifecycle_hook', 'enabled');
revoke update on lifecycle_hook from countersign_app;

-- Lifecycle of an execution (libs/reach/lifecycle-hook/src/domain/hook-execution.ts holds the same rows):
--
--   '' ──write──▶ pending ──send──▶ sent ──succeed──▶ succeeded
--   '' ──refuse──▶ refused   │        ├──fail──▶ failed
--   '' ──log──▶ succeeded    │        ├──refuse──▶ refused
--                            │        ├──return──▶ pending
--                            └─expire─┴──expire──▶ expired

create table lifecycle_hook_execution_state (
  state text not null,
  constraint lifecycle_hook_execution_state_pk primary key (state)
);
insert into lifecycle_hook_execution_state (state) values
  ('pending'), ('sent'), ('succeeded'), ('failed'), ('refused'), ('expired');
comment on table lifecycle_hook_execution_state is 'Global: the states of an execution of a hook.';
comment on column lifecycle_hook_execution_state.state is 'The state''s name.';
select countersign_lookup('lifecycle_hook_execution_state');

create table lifecycle_hook_execution_transition (
  from_state text not null,
  event text not null,
  to_state text not null,
  constraint lifecycle_hook_execution_transition_pk primary key (from_state, event),
  constraint lifecycle_hook_execution_transition_to_fk
    foreign key (to_state) references lifecycle_hook_execution_state (state)
);
insert into lifecycle_hook_execution_transition (from_state, event, to_state) values
  ('', 'write', 'pending'),
  ('', 'refuse', 'refused'),
  ('', 'log', 'succeeded'),
  ('pending', 'send', 'sent'),
  ('pending', 'expire', 'expired'),
  ('sent', 'succeed', 'succeeded'),
  ('sent', 'fail', 'failed'),
  ('sent', 'refuse', 'refused'),
  ('sent', 'return', 'pending'),
  ('sent', 'expire', 'expired');

comment on table lifecycle_hook_execution_transition is 'Global: the legal changes of the state of an execution of a hook.';
comment on column lifecycle_hook_execution_transition.from_state is 'State before; empty for creation.';
comment on column lifecycle_hook_execution_transition.event is 'The event.';
comment on column lifecycle_hook_execution_transition.to_state is 'State after.';

create table lifecycle_hook_execution (
  tenant_id uuid not null constraint lifecycle_hook_execution_tenant_fk references tenant (id),
  id uuid not null,
  hook_id uuid not null,
  hook text not null,
  event text not null,
  entry_id uuid not null,
  kind text not null constraint lifecycle_hook_execution_kind_check check (kind in ('log', 'command')),
  call text,
  pool text,
  environment text,
  state text not null,
  attempts integer not null constraint lifecycle_hook_execution_attempts_check check (attempts >= 0),
  next_attempt_at timestamptz not null,
  leased_until timestamptz,
  exit_status integer,
  output text constraint lifecycle_hook_execution_output_check check (char_length(output) <= 20000),
  fault_code text,
  fault_message text constraint lifecycle_hook_execution_fault_message_check check (char_length(fault_message) <= 2000),
  created_at timestamptz not null,
  settled_at timestamptz,
  constraint lifecycle_hook_execution_pk primary key (tenant_id, id),
  constraint lifecycle_hook_execution_state_fk
    foreign key (state) references lifecycle_hook_execution_state (state),
  constraint lifecycle_hook_execution_fault_check check ((fault_code is null) = (fault_message is null)),
  constraint lifecycle_hook_execution_call_check
    check (state not in ('pending', 'sent') or num_nonnulls(call, pool, environment) = 3),
  constraint lifecycle_hook_execution_settled_check check ((state in ('pending', 'sent')) = (settled_at is null))
);
create index lifecycle_hook_execution_due_idx on lifecycle_hook_execution (tenant_id, next_attempt_at)
  where state in ('pending', 'sent');
create index lifecycle_hook_execution_log_idx on lifecycle_hook_execution (tenant_id, created_at desc, id desc);
create index lifecycle_hook_execution_hook_idx on lifecycle_hook_execution (tenant_id, hook_id, created_at desc, id desc);
create index lifecycle_hook_execution_settled_idx on lifecycle_hook_execution (tenant_id, settled_at)
  where settled_at is not null;

comment on table lifecycle_hook_execution is 'One event for one hook, and its outcome. Settled ones stay for 30 days.';
comment on column lifecycle_hook_execution.tenant_id is 'The tenant it belongs to.';
comment on column lifecycle_hook_execution.id is 'UUIDv7.';
comment on column lifecycle_hook_execution.hook_id is 'The hook, which may be gone.';
comment on column lifecycle_hook_execution.hook is 'Its name then.';
comment on column lifecycle_hook_execution.event is 'The name of the event: agent.error.';
comment on column lifecycle_hook_execution.entry_id is 'The audit entry that raised it.';
comment on column lifecycle_hook_execution.kind is 'log or command.';
comment on column lifecycle_hook_execution.call is 'The program, its arguments and its variables, masked: JSON. Null if there is none, or it was refused.';
comment on column lifecycle_hook_execution.pool is 'The pool of runners; null for an entry of the log.';
comment on column lifecycle_hook_execution.environment is 'The name of the environment of the runners; null for an entry of the log.';
comment on column lifecycle_hook_execution.state is 'See lifecycle_hook_execution_transition.';
comment on column lifecycle_hook_execution.attempts is 'How often it was sent. A program that may have started is never sent again.';
comment on column lifecycle_hook_execution.next_attempt_at is 'Not to be looked at before.';
comment on column lifecycle_hook_execution.leased_until is 'A worker sends it until then; null if none does.';
comment on column lifecycle_hook_execution.exit_status is 'The exit status of the program; null without one.';
comment on column lifecycle_hook_execution.output is 'The beginning of the program''s output, or the message of the log; masked.';
comment on column lifecycle_hook_execution.fault_code is 'The reason why it did not succeed, or waits; null for none.';
comment on column lifecycle_hook_execution.fault_message is 'The same in words.';
comment on column lifecycle_hook_execution.created_at is 'When the event was read from the log.';
comment on column lifecycle_hook_execution.settled_at is 'When it ended; null before.';

select countersign_protect('lifecycle_hook_execution');
select countersign_system_reads('lifecycle_hook_execution');
select countersign_state_machine('lifecycle_hook_execution', 'lifecycle_hook_execution_transition');
select countersign_changes_only('lifecycle_hook_execution', 'state', 'attempts', 'next_attempt_at', 'leased_until',
  'exit_status', 'output', 'fault_code', 'fault_message', 'settled_at');
grant delete on lifecycle_hook_execution to countersign_app;
select countersign_live('lifecycle_hook_execution', 'lifecycle_hook', 'state', 'hook_id');

-- At most eight of a tenant at a time. So a tenant with many hooks does not hold up the others.
create function lifecycle_hook_execute_due(at timestamptz, most integer, held uuid[], full_tenants uuid[])
  returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select due.tenant_id, due.id
      from tenant
      cross join lateral (
        select execution.tenant_id, execution.id, execution.next_attempt_at from lifecycle_hook_execution execution
         where execution.tenant_id = tenant.id and execution.state in ('pending', 'sent')
           and execution.next_attempt_at <= at and execution.id <> all (held)
         order by execution.next_attempt_at limit 8) due
     where tenant.id <> all (full_tenants)
     order by due.next_attempt_at limit most;
  end;
select countersign_system_function('lifecycle_hook_execute_due(timestamptz, integer, uuid[], uuid[])');
comment on function lifecycle_hook_execute_due(timestamptz, integer, uuid[], uuid[]) is
  'Executions of hooks to send or to look after, at most eight of a tenant, the longest due first.';

create function lifecycle_hook_settled_tenants(before timestamptz) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select tenant.id, tenant.id
      from tenant
     where exists (select from lifecycle_hook_execution execution
                    where execution.tenant_id = tenant.id and execution.settled_at < before);
  end;
select countersign_system_function('lifecycle_hook_settled_tenants(timestamptz)');
comment on function lifecycle_hook_settled_tenants(timestamptz) is
  'Tenants with executions of hooks that ended before a moment; id repeats the tenant.';

create table agent_report_pace (
  tenant_id uuid not null,
  agent_id uuid not null,
  minute timestamptz not null,
  reports integer not null constraint agent_report_pace_reports_check check (reports > 0),
  constraint agent_report_pace_pk primary key (tenant_id, agent_id),
  constraint agent_report_pace_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id)
);

comment on table agent_report_pace is 'How many errors an agent has reported in the latest minute with a report.';
comment on column agent_report_pace.tenant_id is 'The tenant it belongs to.';
comment on column agent_report_pace.agent_id is 'The agent.';
comment on column agent_report_pace.minute is 'The minute.';
comment on column agent_report_pace.reports is 'How many reports it has.';

select countersign_protect('agent_report_pace');
select countersign_changes_only('agent_report_pace', 'minute', 'reports');
