-- Tasks, and the words by which a task and everything that belongs to it is found. Task lifecycle
-- (libs/stages/task/src/domain/task-transitions.ts holds the same rows):
--
--   created ──plan──▶ planned ──start──▶ executing ──complete──▶ completed
--      │                │ ▲                 │  │
--      │                │ └────replan───────┘  └──fail──▶ failed
--      │                └──cancel──▶ cancelled
--      └──cancel──▶ cancelled

create table task_state (
  state text not null,
  constraint task_state_pk primary key (state)
);
insert into task_state values ('created'), ('planned'), ('executing'), ('completed'), ('failed'), ('cancelled');
comment on table task_state is 'Global: the states of a task.';
comment on column task_state.state is 'The state''s name.';
select countersign_lookup('task_state');

create table task_transition (
  from_state text not null,
  event text not null,
  to_state text not null constraint task_transition_to_fk references task_state,
  constraint task_transition_pk primary key (from_state, event)
);
insert into task_transition values
  ('', 'create', 'created'),
  ('created', 'plan', 'planned'),
  ('created', 'cancel', 'cancelled'),
  ('planned', 'start', 'executing'),
  ('planned', 'cancel', 'cancelled'),
  ('executing', 'replan', 'planned'),
  ('executing', 'complete', 'completed'),
  ('executing', 'fail', 'failed');

comment on table task_transition is 'Global: the legal changes of a task''s state; every other is refused (CS002).';
comment on column task_transition.from_state is 'The state before; empty for creation.';
comment on column task_transition.event is 'The event.';
comment on column task_transition.to_state is 'The state after.';

create table task (
  tenant_id uuid not null constraint task_tenant_fk references tenant (id),
  id uuid not null,
  environment_id uuid not null,
  state text not null constraint task_state_fk references task_state,
  spec text not null,
  spec_digest text not null,
  agent_id uuid,
  person_id uuid,
  on_behalf_of uuid,
  credential_id uuid not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  constraint task_pk primary key (tenant_id, id),
  constraint task_environment_fk foreign key (tenant_id, environment_id) references environment (tenant_id, id),
  constraint task_agent_fk foreign key (tenant_id, agent_id) references agent (tenant_id, id),
  constraint task_person_fk foreign key (tenant_id, person_id) references person (tenant_id, id),
  constraint task_on_behalf_of_fk foreign key (tenant_id, on_behalf_of) references person (tenant_id, id),
  constraint task_credential_fk foreign key (tenant_id, credential_id) references credential (tenant_id, id),
  constraint task_submitter_check check (num_nonnulls(agent_id, person_id) = 1),
  constraint task_on_behalf_of_check check (on_behalf_of is null or agent_id is not null)
);
create index task_created_idx on task (tenant_id, created_at desc, id desc);
create index task_state_idx on task (tenant_id, state, created_at desc, id desc);
-- Lists by submitter and by environment.
create index task_environment_idx on task (tenant_id, environment_id, created_at desc, id desc);
create index task_agent_idx on task (tenant_id, agent_id, created_at desc, id desc) where agent_id is not null;
create index task_person_idx on task (tenant_id, person_id) where person_id is not null;
create index task_on_behalf_of_idx on task (tenant_id, on_behalf_of) where on_behalf_of is not null;

comment on table task is 'A piece of work that somebody asks for; the root of plans, requests and runs.';
comment on column task.tenant_id is 'The tenant it belongs to.';
comment on column task.id is 'UUIDv7.';
comment on column task.environment_id is 'The one environment it is about.';
comment on column task.state is 'Its state in the lifecycle.';
comment on column task.spec is 'The TaskSpec as canonical JSON (RFC 8785); never changed.';
comment on column task.spec_digest is 'Digest of spec, kind task.';
comment on column task.agent_id is 'The agent that submitted it, or null.';
comment on column task.person_id is 'The person who submitted it, or null.';
comment on column task.on_behalf_of is 'The person who delegated to the agent; from the credential, never the agent''s claim.';
comment on column task.credential_id is 'The credential it was submitted with.';
comment on column task.created_at is 'When it was submitted.';
comment on column task.updated_at is 'When its state last changed.';

select countersign_protect('task');
select countersign_state_machine('task', 'task_transition');
select countersign_changes_only('task', 'state', 'updated_at');
select countersign_live('task', 'task');

-- ---------------------------------------------------------------------------------------------------------------
-- Search
-- ---------------------------------------------------------------------------------------------------------------

-- A plain table, since neither trigrams nor text search can use an index below row-level security. Their operators are not
-- leakproof. Comparisons of text are, so a prefix is a range of the index, and needs no extension.
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
comment on column search_word.word is 'In ASCII lower case. It is a word of the goal or the headline. Or it is the name of a tool or a target, or a part of it. Or it is the id, or its last eight digits.';

select countersign_protect('search_word');
select countersign_append_only('search_word');

-- The same rule as libs/foundation/kernel/src/search-terms.ts: letters fold in ASCII alone, in every locale of the server.
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
revoke execute on function countersign_search_words(text) from public;
grant execute on function countersign_search_words(text) to countersign_app;
comment on function countersign_search_words(text) is 'The words by which a text is found. Each stands between spaces, and so does each part of it that is more than digits.';

create function search_word_of_id() returns trigger
  language plpgsql as $$
begin
  insert into search_word (tenant_id, task_id, subject_id, word)
    values (new.tenant_id, new.task_id, new.id, new.id::text), (new.tenant_id, new.task_id, new.id, right(new.id::text, 8));
  return null;
end $$;
comment on function search_word_of_id() is 'Trigger: things that belong to a task are found by their own ids too.';

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
