-- Words by which tasks, plans, requests, runs and incidents are found.
--
-- A plain table, since neither trigrams nor text search can use an index below row-level security: their operators are
-- not leakproof. Comparisons of text are, so a prefix is a range of the index, and needs no extension.

create table search_word (
  tenant_id uuid not null,
  task_id uuid not null,
  subject_id uuid not null,
  word text collate "C" not null,
  constraint search_word_pk primary key (tenant_id, task_id, subject_id, word),
  constraint search_word_task_fk foreign key (tenant_id, task_id) references task (tenant_id, id),
  constraint search_word_word_check check (char_length(word) between 2 and 64)
);
create index search_word_word_idx on search_word (tenant_id, word, task_id, subject_id);
comment on table search_word is 'By which words a task, plan, request, run or incident is found. Insert-only.';
comment on column search_word.tenant_id is 'The tenant it belongs to.';
comment on column search_word.task_id is 'The task that the subject belongs to, or is.';
comment on column search_word.subject_id is 'The task, plan, approval request, run or incident.';
comment on column search_word.word is
  'In ASCII lower case: a word of the goal or the headline, the name of a tool or a target or a part of it, the id, or its last eight digits.';
select countersign_protect('search_word');
select countersign_append_only('search_word');

-- As libs/kernel/src/search-terms.ts reads what people type: letters fold in ASCII alone, whatever the server's locale.
create function countersign_search_words(said text) returns setof text
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  begin atomic
    select distinct found.word from (
      (select left(btrim(token.word, '.,:;!?()[]{}<>"''`'), 64) as word
         from regexp_split_to_table(lower(said collate "C"), '\s+') as token (word) limit 300)
      union all
      (select left(part.word, 64)
         from regexp_split_to_table(lower(said collate "C"), '[\x01-\x2f\x3a-\x60\x7b-\x7f]+') as part (word)
        where char_length(part.word) >= 3 and part.word ~ '[^0-9]' limit 300)
    ) found where char_length(found.word) >= 2;
  end;
comment on function countersign_search_words(text) is
  'The words by which a text is found: each between spaces, and each part of it that is more than digits.';
revoke execute on function countersign_search_words(text) from public;
grant execute on function countersign_search_words(text) to countersign_app;

create function search_word_of_task() returns trigger
  language plpgsql as $$
begin
  insert into search_word (tenant_id, task_id, subject_id, word)
    select new.tenant_id, new.id, new.id, word from countersign_search_words(new.spec::jsonb ->> 'goal') as said (word)
    union select new.tenant_id, new.id, new.id, new.id::text
    union select new.tenant_id, new.id, new.id, right(new.id::text, 8);
  return null;
end $$;
comment on function search_word_of_task() is 'Trigger: a task is found by its goal and its id.';
create trigger task_search_word after insert on task for each row execute function search_word_of_task();

create function search_word_of_plan() returns trigger
  language plpgsql as $$
begin
  insert into search_word (tenant_id, task_id, subject_id, word)
    select new.tenant_id, new.task_id, new.id, word from countersign_search_words(new.headline) as said (word)
    union select new.tenant_id, new.task_id, new.id, new.id::text
    union select new.tenant_id, new.task_id, new.id, right(new.id::text, 8);
  return null;
end $$;
comment on function search_word_of_plan() is 'Trigger: a plan is found by its headline and its id, and by all that its task is found by.';
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

create function search_word_of_id() returns trigger
  language plpgsql as $$
begin
  insert into search_word (tenant_id, task_id, subject_id, word)
    values (new.tenant_id, new.task_id, new.id, new.id::text), (new.tenant_id, new.task_id, new.id, right(new.id::text, 8));
  return null;
end $$;
comment on function search_word_of_id() is 'Trigger: what hangs on a task is found by its own id too.';
create trigger approval_request_search_word after insert on approval_request for each row execute function search_word_of_id();
create trigger run_search_word after insert on run for each row execute function search_word_of_id();
create trigger incident_search_word after insert on incident for each row execute function search_word_of_id();

-- Where things are already.
insert into search_word (tenant_id, task_id, subject_id, word)
  select task.tenant_id, task.id, task.id, said.word
    from task cross join countersign_search_words(task.spec::jsonb ->> 'goal') as said (word)
  union
  select plan.tenant_id, plan.task_id, plan.id, said.word
    from plan cross join countersign_search_words(plan.headline) as said (word)
  union
  select plan.tenant_id, plan.task_id, plan.id, said.word
    from plan join plan_tool tool on tool.tenant_id = plan.tenant_id and tool.plan_id = plan.id
    cross join countersign_search_words(tool.tool_name) as said (word)
  union
  select plan.tenant_id, plan.task_id, plan.id, said.word
    from plan join plan_target target on target.tenant_id = plan.tenant_id and target.plan_id = plan.id
    cross join countersign_search_words(target.target) as said (word)
  union
  select found.tenant_id, found.task_id, found.id, named.word from (
    select task.tenant_id, task.id as task_id, task.id from task
    union all select plan.tenant_id, plan.task_id, plan.id from plan
    union all select request.tenant_id, request.task_id, request.id from approval_request request
    union all select run.tenant_id, run.task_id, run.id from run
    union all select incident.tenant_id, incident.task_id, incident.id from incident
  ) found cross join lateral (values (found.id::text), (right(found.id::text, 8))) as named (word);

-- Lists by who did it, and by where.
create index task_environment_idx on task (tenant_id, environment_id, created_at desc, id desc);
create index run_task_idx on run (tenant_id, task_id, created_at desc, id desc);
create index run_environment_idx on run (tenant_id, environment_id, created_at desc, id desc);
create index plan_agent_idx on plan (tenant_id, agent_id, created_at desc, id desc) where agent_id is not null;
create index task_agent_idx on task (tenant_id, agent_id, created_at desc, id desc) where agent_id is not null;
create index task_person_idx on task (tenant_id, person_id) where person_id is not null;
create index task_on_behalf_of_idx on task (tenant_id, on_behalf_of) where on_behalf_of is not null;
create index plan_person_idx on plan (tenant_id, person_id) where person_id is not null;
create index plan_on_behalf_of_idx on plan (tenant_id, on_behalf_of) where on_behalf_of is not null;
create index approval_request_person_idx on approval_request (tenant_id, person_id) where person_id is not null;
create index approval_request_on_behalf_of_idx on approval_request (tenant_id, on_behalf_of) where on_behalf_of is not null;
