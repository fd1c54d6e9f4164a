-- Attempts that an agent carries out and reports itself, the executor record behind every attempt, and how long a run may go on.

alter table step_attempt
  add column executor_version integer,
  add column agent_id uuid,
  add constraint step_attempt_executor_version_check check (executor_version >= 1),
  add constraint step_attempt_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id);
create index step_attempt_agent_idx on step_attempt (tenant_id, agent_id, run_id) where agent_id is not null;

comment on column step_attempt.executor_version is 'The version of the executor''s record that was approved; null for attempts from before it was kept.';
comment on column step_attempt.agent_id is 'The agent that carries it out and reports, which nobody verifies; null where an executor is called.';

alter table run add column pause_by timestamptz;
comment on column run.pause_by is 'When it pauses by itself if it still goes forward; null while it does not. Set anew when it is resumed.';
grant update (pause_by) on run to countersign_app;
update run set pause_by = clock_timestamp() + interval '7 days' where state = 'executing';
