-- Plan revisions, with the tools and targets of each. Lifecycle of a revision
-- (libs/stages/plan/src/domain/plan-transitions.ts holds the same rows):
--
--   draft ──refuse──▶ invalid
--     └──validate──▶ validated ──supersede──▶ superseded
--                        └──withdraw──▶ withdrawn

create table plan_state (
  state text not null,
  constraint plan_state_pk primary key (state)
);
insert into plan_state values ('draft'), ('invalid'), ('validated'), ('superseded'), ('withdrawn');
comment on table plan_state is 'Global: the states of a plan revision.';
comment on column plan_state.state is 'The state''s name.';
select countersign_lookup('plan_state');

create table plan_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint plan_transition_to_fk references plan_state,
  constraint plan_transition_pk primary key (from_state, event)
);
insert into plan_transition values
  ('', 'submit', 'draft'),
  ('draft', 'refuse', 'invalid'),
  ('draft', 'validate', 'validated'),
  ('validated', 'supersede', 'superseded'),
  ('validated', 'withdraw', 'withdrawn');

comment on table plan_transition is 'Global: the legal changes of a plan revision''s state; every other is refused (CS002).';
comment on column plan_transition.from_state is 'The state before; empty for creation.';
comment on column plan_transition.event is 'The event.';
comment on column plan_transition.to_state is 'The state after.';

create table plan (
  tenant_id uuid not null constraint plan_tenant_fk references tenant (id),
  id uuid not null,
  task_id uuid not null,
  revision integer not null constraint plan_revision_check check (revision >= 1),
  state text not null constraint plan_state_fk references plan_state,
  document text not null,
  expanded text,
  digest text,
  headline text,
  risk smallint constraint plan_risk_check check (risk between 0 and 3),
  errors jsonb not null default '[]',
  decision_id uuid,
  agent_id uuid,
  person_id uuid,
  on_behalf_of uuid,
  credential_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint plan_pk primary key (tenant_id, id),
  constraint plan_revision_unique unique (tenant_id, task_id, revision),
  constraint plan_task_fk foreign key (tenant_id, task_id) references task (tenant_id, id),
  constraint plan_decision_fk foreign key (tenant_id, decision_id) references decision (tenant_id, id),
  constraint plan_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint plan_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint plan_on_behalf_of_fk foreign key (tenant_id, on_behalf_of) references person (tenant_id, id),
  constraint plan_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint plan_submitter_check check (num_nonnulls(agent_id, person_id) = 1),
  constraint plan_expanded_check check ((expanded is null) = (digest is null)),
  constraint plan_valid_check check (state in ('draft', 'invalid') or expanded is not null),
  constraint plan_headline_check check (num_nulls(headline, risk) = case when expanded is null then 2 else 0 end)
);
create unique index plan_live_unique on plan (tenant_id, task_id) where state = 'validated';
create index plan_created_idx on plan (tenant_id, created_at desc, id desc);
create index plan_agent_idx on plan (tenant_id, agent_id, created_at desc, id desc) where agent_id is not null;
create index plan_person_idx on plan (tenant_id, person_id) where person_id is not null;
create index plan_on_behalf_of_idx on plan (tenant_id, on_behalf_of) where on_behalf_of is not null;

comment on table plan is 'One immutable revision of how a task is to be done; a change is a new revision.';
comment on column plan.tenant_id is 'The tenant it belongs to.';
comment on column plan.id is 'UUIDv7.';
comment on column plan.task_id is 'The task it is for.';
comment on column plan.revision is '1, 2, 3 … within the task.';
comment on column plan.state is 'The state of the revision itself; people see the view plan_status.';
comment on column plan.document is 'The plan as it was submitted, as canonical JSON.';
comment on column plan.expanded is 'The expanded plan as canonical JSON: digested, shown, approved and executed as it stands here. Null if the plan is invalid.';
comment on column plan.digest is 'Digest of expanded, kind plan.';
comment on column plan.headline is 'The effect of the plan in one line, from expanded: for lists. Null if it could not be expanded.';
comment on column plan.risk is 'The level of its riskiest tool: 0 low, 1 medium, 2 high, 3 critical. Null if it could not be expanded.';
comment on column plan.errors is 'The errors, by step: [{pointer, code, message, suggestion}].';
comment on column plan.decision_id is 'The policy decision of its validation.';
comment on column plan.agent_id is 'The agent that submitted this revision, or null.';
comment on column plan.person_id is 'The person who submitted this revision, or null.';
comment on column plan.on_behalf_of is 'The person who delegated to the agent.';
comment on column plan.credential_id is 'The credential it was submitted with.';
comment on column plan.created_at is 'When it was submitted.';
comment on column plan.updated_at is 'When its state last changed.';

select countersign_protect('plan');
select countersign_state_machine('plan', 'plan_transition');
select countersign_changes_only('plan', 'state', 'updated_at');
select countersign_system_reads('plan');
select countersign_live('plan', 'plan');

create table plan_tool (
  tenant_id uuid not null,
  plan_id uuid not null,
  tool_version_id uuid not null,
  tool_name text not null,
  constraint plan_tool_pk primary key (tenant_id, plan_id, tool_version_id),
  constraint plan_tool_plan_fk foreign key (tenant_id, plan_id) references plan (tenant_id, id),
  constraint plan_tool_version_fk foreign key (tenant_id, tool_version_id) references tool_version (tenant_id, id)
);
create index plan_tool_name_idx on plan_tool (tenant_id, tool_name);

comment on table plan_tool is 'Which tool versions a plan revision holds, so that a tool in use is not changed under it.';
comment on column plan_tool.tenant_id is 'The tenant it belongs to.';
comment on column plan_tool.plan_id is 'The plan revision.';
comment on column plan_tool.tool_version_id is 'The tool version.';
comment on column plan_tool.tool_name is 'The tool''s name.';

select countersign_protect('plan_tool');
revoke update, delete on plan_tool from countersign_app;

create table plan_target (
  tenant_id uuid not null,
  plan_id uuid not null,
  target text not null,
  constraint plan_target_pk primary key (tenant_id, plan_id, target),
  constraint plan_target_plan_fk foreign key (tenant_id, plan_id) references plan (tenant_id, id)
);
create index plan_target_target_idx on plan_target (tenant_id, target);

comment on table plan_target is 'The distinct targets that a plan revision''s state changes touch.';
comment on column plan_target.tenant_id is 'The tenant it belongs to.';
comment on column plan_target.plan_id is 'The plan revision.';
comment on column plan_target.target is 'The name of the changed thing.';

select countersign_protect('plan_target');
revoke update, delete on plan_target from countersign_app;

-- ---------------------------------------------------------------------------------------------------------------
-- Search
-- ---------------------------------------------------------------------------------------------------------------

create function search_word_of_plan() returns trigger
  language plpgsql as $$
begin
  insert into search_word (tenant_id, task_id, subject_id, word)
    select new.tenant_id, new.task_id, new.id, word from countersign_search_words(new.headline) as said (word)
    union select new.tenant_id, new.task_id, new.id, new.id::text
    union select new.tenant_id, new.task_id, new.id, right(new.id::text, 8);
  return null;
end $$;
comment on function search_word_of_plan() is 'Trigger: a plan is found by its headline and its id. It is also found by all that its task is found by.';

create trigger plan_search_word after insert on plan for each row execute function search_word_of_plan();

create function search_word_of_tools() returns trigger
  language plpgsql as $$
begin
  insert into search_word (tenant_id, task_id, subject_id, word)
    select plan.tenant_id, plan.task_id, plan.id, said.word
      from added join plan on plan.tenant_id = added.tenant_id and plan.id = added.plan_id
      cross join countersign_search_words(added.tool_name) as said (word)
    on conflict do nothing;
  return null;
end $$;
comment on function search_word_of_tools() is 'Trigger: a plan is found by its tools.';

create trigger plan_tool_search_word after insert on plan_tool referencing new table as added
  for each statement execute function search_word_of_tools();

create function search_word_of_targets() returns trigger
  language plpgsql as $$
begin
  insert into search_word (tenant_id, task_id, subject_id, word)
    select distinct plan.tenant_id, plan.task_id, plan.id, said.word
      from added join plan on plan.tenant_id = added.tenant_id and plan.id = added.plan_id
      cross join countersign_search_words(added.target) as said (word)
    on conflict do nothing;
  return null;
end $$;
comment on function search_word_of_targets() is 'Trigger: a plan is found by its targets.';

create trigger plan_target_search_word after insert on plan_target referencing new table as added
  for each statement execute function search_word_of_targets();

-- ---------------------------------------------------------------------------------------------------------------
-- Submissions
-- ---------------------------------------------------------------------------------------------------------------

-- A submission takes its locks and reads its facts in one statement, and writes its revision in another.
create function plan_submission_facts(wanted_task uuid, wanted_tools text[])
  returns table (now bigint, task jsonb, owner_id uuid, environment jsonb, autonomy jsonb, tools jsonb, executors jsonb,
                 revision integer, live jsonb)
  language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
  autonomy_id uuid;
begin
  -- Locks come first, each as a statement of its own. A join that waited for a lock would read the rows from before the wait.
  select head.revision_id into autonomy_id from autonomy_head head where head.tenant_id = tenant for share;
  perform from tool t where t.tenant_id = tenant and t.name = any (wanted_tools) order by t.name for share;
  perform from task k where k.tenant_id = tenant and k.id = wanted_task for update;
  perform from plan p where p.tenant_id = tenant and p.task_id = wanted_task and p.state = 'validated' for update;
  return query
    with counting as (
      select v.id, v.name, v.version, v.digest, v.definition
        from tool t
        join tool_version v on v.tenant_id = t.tenant_id and v.tool_id = t.id and v.version = t.version
       where t.tenant_id = tenant and t.name = any (wanted_tools) and not t.removed
    )
    select floor(extract(epoch from clock_timestamp()) * 1000)::bigint,
           case when k.id is not null then to_jsonb(k) end,
           g.owner_person_id,
           jsonb_build_object('id', e.id, 'name', e.name, 'production', e.production, 'version', e.version),
           case when r.id is not null then
             jsonb_build_object('id', r.id, 'number', r.number, 'document', r.document, 'digest', r.digest, 'seal', r.seal)
           end,
           (select coalesce(jsonb_agg(to_jsonb(counting)), '[]') from counting),
           (select coalesce(jsonb_agg(jsonb_build_object(
                     'id', x.id, 'name', x.name, 'version', x.version, 'kind', xv.kind, 'url', xv.url,
                     'audience', xv.audience, 'shared_audience', xv.shared_audience, 'secret', xv.secret,
                     'settings', xv.settings, 'digest', xv.digest)), '[]')
              from executor x
              join executor_version xv on xv.tenant_id = x.tenant_id and xv.executor_id = x.id and xv.version = x.version
             where x.tenant_id = tenant and x.environment_id = k.environment_id
               and x.name in (select counting.definition::jsonb ->> 'executor' from counting)),
           (select coalesce(max(p.revision), 0) + 1 from plan p where p.tenant_id = tenant and p.task_id = wanted_task),
           (select jsonb_build_object(
                     'id', p.id, 'revision', p.revision, 'digest', p.digest)
              from plan p where p.tenant_id = tenant and p.task_id = wanted_task and p.state = 'validated')
      from (values (tenant)) as own (id)
      left join task k on k.tenant_id = own.id and k.id = wanted_task
      left join agent g on g.tenant_id = k.tenant_id and g.id = k.agent_id
      left join environment e on e.tenant_id = k.tenant_id and e.id = k.environment_id
      left join autonomy_revision r on r.tenant_id = own.id and r.id = autonomy_id;
end $$;
comment on function plan_submission_facts(uuid, text[]) is 'Locks the facts that validate a revision of the task, and reads them. They are autonomy document, tools, task and live revision, in this order; with the rights of the caller.';

create function plan_insert(new_plan jsonb, final_state text, tool_ids uuid[], tool_names text[], targets text[])
  returns void language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
begin
  insert into plan (tenant_id, id, task_id, revision, state, document, expanded, digest, errors, decision_id, agent_id,
                    person_id, on_behalf_of, credential_id, created_at, updated_at, headline, risk)
  select tenant, n.id, n.task_id, n.revision, 'draft', n.document, n.expanded, n.digest, n.errors, n.decision_id,
         n.agent_id, n.person_id, n.on_behalf_of, n.credential_id, n.created_at, n.updated_at, n.headline, n.risk
    from jsonb_populate_record(null::plan, new_plan) n;
  if final_state <> 'draft' then
    update plan set state = final_state where tenant_id = tenant and id = (new_plan ->> 'id')::uuid;
  end if;
  insert into plan_tool (tenant_id, plan_id, tool_version_id, tool_name)
  select tenant, (new_plan ->> 'id')::uuid, held.id, held.name from unnest(tool_ids, tool_names) as held (id, name);
  insert into plan_target (tenant_id, plan_id, target)
  select tenant, (new_plan ->> 'id')::uuid, held.target from unnest(targets) as held (target);
end $$;
comment on function plan_insert(jsonb, text, uuid[], text[], text[]) is 'Inserts a revision as a draft, and moves it to its state through the lifecycle. Keeps its tools and targets; with the rights of the caller.';

create function plan_in_state(wanted text, at_most integer) returns table (tenant_id uuid, id uuid)
  language sql stable security definer
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select plan.tenant_id, plan.id from plan where plan.state = 'validated' and plan.state = wanted limit at_most;
  end;
select countersign_system_function('plan_in_state(text, integer)');
comment on function plan_in_state(text, integer) is 'Plans that count, which are the validated ones, in no order.';
