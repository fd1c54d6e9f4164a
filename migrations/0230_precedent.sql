-- Precedents: earlier requests and runs, and their ends. The transaction that ends a request, a call that people
-- were asked about, or a run writes its precedent. Nothing is decided by one, and no policy is told of one.

-- A trusted extension, which a role adds with CREATE on the database. It is a part of PostgreSQL (on some systems in the package
-- postgresql-contrib).
do $$
declare
  lies_in text;
begin
  if not exists (select from pg_available_extensions where name = 'pg_trgm') then
    raise exception 'this PostgreSQL has no extension pg_trgm: install its contrib modules (postgresql-contrib), then migrate again';
  end if;
  create extension if not exists pg_trgm with schema public;
  select nspname into lies_in from pg_extension join pg_namespace on pg_namespace.oid = extnamespace where extname = 'pg_trgm';
  if lies_in <> 'public' then
    raise exception 'the extension pg_trgm lies in the schema %: run "alter extension pg_trgm set schema public", then migrate again',
      lies_in;
  end if;
end $$;

-- ---------------------------------------------------------------------------------------------------------------
-- Terms
-- ---------------------------------------------------------------------------------------------------------------

create function precedent_words(said text) returns table (term text, uses integer)
  language sql immutable parallel safe rows 40
  set search_path = pg_catalog, pg_temp
  begin atomic
    with token as materialized (
      select left(btrim(split.word, '.,:;!?()[]{}<>"''`'), 64) as word, split.ordinal
        from regexp_split_to_table(lower(left(said, 20000) collate "C"), '\s+') with ordinality as split (word, ordinal)
       limit 1500
    ), piece as (
      -- An id, a host or a ticket counts as it stands, and by its parts.
      select token.word as term, token.ordinal from token where token.word ~ '[^a-z]' and char_length(token.word) > 1
      union all
      select stem.stem, token.ordinal
        from token
        cross join regexp_split_to_table(token.word, '[\x01-\x2f\x3a-\x60\x7b-\x7f]+') as part (word)
        cross join unnest(ts_lexize('english_stem', part.word)) as stem (stem)
       where char_length(part.word) > 1 and (part.word <> token.word or token.word !~ '[^a-z]')
    )
    select piece.term, count(*)::integer from piece group by piece.term order by min(piece.ordinal), piece.term limit 400;
  end;
revoke execute on function precedent_words(text) from public;
grant execute on function precedent_words(text) to countersign_app, countersign_system;
comment on function precedent_words(text) is 'The first 400 terms of a text and their number of uses. They are words by their English stem, without stop words; ids and hosts whole and by their parts.';

create function precedent_terms(structure text, targets text, own text, said text)
  returns table (term text, in_structure integer, in_own integer, in_said integer, in_words integer)
  language sql immutable parallel safe rows 60
  set search_path = pg_catalog, public, pg_temp
  begin atomic
    select found.term, least(sum(found.in_structure), 1000)::integer, least(sum(found.in_own), 1000)::integer,
           least(sum(found.in_said), 1000)::integer, sum(found.in_words)::integer
      from (
        select counted.term, counted.uses as in_structure, 0 as in_own, 0 as in_said, 0 as in_words from precedent_words(structure) counted
        union all select counted.term, 0, counted.uses, 0, 0 from precedent_words(targets) counted
        union all select counted.term, 0, counted.uses, 0, counted.uses from precedent_words(own) counted
        union all select counted.term, 0, 0, counted.uses, counted.uses from precedent_words(said) counted
      ) found
     group by found.term;
  end;
revoke execute on function precedent_terms(text, text, text, text) from public;
grant execute on function precedent_terms(text, text, text, text) to countersign_app, countersign_system;
comment on function precedent_terms(text, text, text, text) is
  'The terms of a precedent, with four counts of their uses. They count its structure; its targets and the words of the submitter; the words of others; and all words.';

create function precedent_structure(tools text[], environment text, arguments text[]) returns text
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  begin atomic
    select array_to_string(tools || environment || arguments, ' ');
  end;
revoke execute on function precedent_structure(text[], text, text[]) from public;
grant execute on function precedent_structure(text[], text, text[]) to countersign_app, countersign_system;
comment on function precedent_structure(text[], text, text[]) is
  'The structure of a precedent as one text, without its targets: their names may tell others too much.';

create function precedent_shape(tools text[], environment text, arguments text[]) returns text
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  begin atomic
    select left(encode(sha256(convert_to(jsonb_build_array(to_jsonb(tools), environment, to_jsonb(arguments))::text, 'UTF8')), 'hex'), 24);
  end;
revoke execute on function precedent_shape(text[], text, text[]) from public;
grant execute on function precedent_shape(text[], text, text[]) to countersign_app;
comment on function precedent_shape(text[], text, text[]) is
  'The same for all precedents with the same tools, environment and argument keys, each list in order.';

-- ---------------------------------------------------------------------------------------------------------------
-- Precedents
-- ---------------------------------------------------------------------------------------------------------------

-- Requests, runs and precedents are never deleted. A foreign key would lock their rows at each end of one, and gain nothing.
create table precedent (
  tenant_id uuid not null,
  id uuid not null,
  request_id uuid,
  run_id uuid,
  incident_id uuid,
  subject_type text not null constraint precedent_subject_type_check check (subject_type in ('plan', 'tool_call')),
  subject_id uuid not null,
  task_id uuid,
  environment_id uuid not null,
  environment_name text not null,
  agent_id uuid,
  person_id uuid,
  ended_as text not null,
  unknown_effects integer not null default 0,
  effects integer not null default 0,
  because text,
  tools text[] not null,
  arguments text[] not null,
  targets text[] not null,
  target_count integer not null,
  phases text,
  shape text not null,
  goal text,
  goal_is_own boolean not null,
  own_words text,
  said_words text,
  terms text[] not null,
  length integer not null,
  opened_at timestamptz not null,
  ended_at timestamptz not null,
  erased_at timestamptz,
  constraint precedent_pk primary key (tenant_id, id),
  constraint precedent_id_check check (id = coalesce(request_id, run_id)),
  constraint precedent_erased_check check (erased_at is null or num_nonnulls(goal, own_words, said_words, because) = 0)
);
-- Counts precedents and their length without reading them.
create index precedent_length_idx on precedent (tenant_id, id desc) include (length);
create index precedent_task_idx on precedent (tenant_id, task_id) where task_id is not null;
create index precedent_subject_idx on precedent (tenant_id, subject_id);
create index precedent_shape_idx on precedent (tenant_id, shape, id desc) include (ended_as, unknown_effects, effects, ended_at);

comment on table precedent is 'An ended request with its run, or a run without a request.';
comment on column precedent.tenant_id is 'The tenant it belongs to.';
comment on column precedent.id is 'The id of the request; of a run without one, the id of the run.';
comment on column precedent.request_id is 'The request; null for a run without one.';
comment on column precedent.run_id is 'The run, if there was one.';
comment on column precedent.incident_id is 'The break-glass incident of the run, once it is resolved.';
comment on column precedent.subject_type is 'plan, or tool_call for a single call.';
comment on column precedent.subject_id is 'The plan or the call.';
comment on column precedent.task_id is 'The task of the plan; null for a call.';
comment on column precedent.environment_id is 'The environment.';
comment on column precedent.environment_name is 'The name of the environment at that time.';
comment on column precedent.agent_id is 'The agent that asked, or that wrote the plan of a run without a request; null for a person.';
comment on column precedent.person_id is 'The person who asked, or the author of the plan of a run without a request. Null for an agent.';
comment on column precedent.ended_as is 'The last state: of the run or the call if it came to one, else of the request.';
comment on column precedent.unknown_effects is 'How many calls have an effect that is not known.';
comment on column precedent.effects is 'How many calls of a cancelled run changed something before; 0 for every other end.';
comment on column precedent.because is 'The reason for its end, as the run, the call or the request says; null after it was erased.';
comment on column precedent.tools is 'The names of the tools, in order.';
comment on column precedent.arguments is 'The argument keys of all steps, in order.';
comment on column precedent.targets is 'The first 200 targets, in order.';
comment on column precedent.target_count is 'The number of targets.';
comment on column precedent.phases is 'Which phases of the plan: all, canary or promotion; null for a call.';
comment on column precedent.shape is 'precedent_shape of tools, environment and argument keys.';
comment on column precedent.goal is 'The goal of the task, or the reason of the call; null after it was erased.';
comment on column precedent.goal_is_own is 'Whether the submitter of the precedent wrote the goal.';
comment on column precedent.own_words is 'The words of the submitter: goal, summary, steps and values. Null after they were erased.';
comment on column precedent.said_words is 'The words of others: reviews, comments, errors, incidents, and goals and plans that another wrote. Null after they were erased.';
comment on column precedent.terms is 'The terms by which it stands in precedent_term.';
comment on column precedent.length is 'The number of words, without those of structure and targets: many targets are no long text.';
comment on column precedent.opened_at is 'When it was asked for.';
comment on column precedent.ended_at is 'When it reached that state.';
comment on column precedent.erased_at is 'When the retention rule erased its words.';

select countersign_protect('precedent');
select countersign_system_reads('precedent');

create table precedent_term (
  tenant_id uuid not null,
  term text collate "C" not null,
  precedent_id uuid not null,
  agent_id uuid,
  in_structure smallint not null,
  in_own smallint not null,
  in_said smallint not null,
  length integer not null,
  constraint precedent_term_pk primary key (tenant_id, term, precedent_id) include (agent_id, in_structure, in_own, in_said, length)
);

comment on table precedent_term is 'The words by which precedents are found. A plain table: text search has no leakproof operator, and so no index under row-level security.';
comment on column precedent_term.tenant_id is 'The tenant it belongs to.';
comment on column precedent_term.term is 'A term, as precedent_words gives it.';
comment on column precedent_term.precedent_id is 'The precedent.';
comment on column precedent_term.agent_id is 'The agent that asked: it alone among agents finds it by in_own.';
comment on column precedent_term.in_structure is 'Uses in tools, environment and argument keys.';
comment on column precedent_term.in_own is 'Uses in the targets and in the words of the submitter.';
comment on column precedent_term.in_said is 'Uses in the words of others.';
comment on column precedent_term.length is 'The length of the precedent.';

select countersign_protect('precedent_term');

create table precedent_trait (
  tenant_id uuid not null,
  kind text not null constraint precedent_trait_kind_check check (kind in ('shape', 'tool', 'environment_tool', 'target')),
  trait text collate "C" not null,
  precedent_id uuid not null,
  constraint precedent_trait_pk primary key (tenant_id, kind, trait, precedent_id)
);

comment on table precedent_trait is 'The structure by which precedents are found.';
comment on column precedent_trait.tenant_id is 'The tenant it belongs to.';
comment on column precedent_trait.kind is 'shape; tool; environment_tool, a tool in an environment; target.';
comment on column precedent_trait.trait is 'The shape, the name, environment/tool, or the target.';
comment on column precedent_trait.precedent_id is 'The precedent.';

select countersign_protect('precedent_trait');

-- The key holds the precedent, so that no transaction waits for another one that adds the same term. Each adds it then.
create table precedent_gram (
  tenant_id uuid not null,
  gram text collate "C" not null,
  term text collate "C" not null,
  precedent_id uuid not null,
  constraint precedent_gram_pk primary key (tenant_id, gram, term, precedent_id)
);

comment on table precedent_gram is 'The trigrams of the terms of precedents, for ids, hosts, tickets and typing errors.';
comment on column precedent_gram.tenant_id is 'The tenant it belongs to.';
comment on column precedent_gram.gram is 'A trigram, as pg_trgm gives it.';
comment on column precedent_gram.term is 'A term of at least one precedent.';
comment on column precedent_gram.precedent_id is 'The precedent that brought the term. Later ones find it there.';

select countersign_protect('precedent_gram');

create table precedent_erasure (
  tenant_id uuid not null,
  subject_id uuid not null,
  constraint precedent_erasure_pk primary key (tenant_id, subject_id)
);

comment on table precedent_erasure is 'Tasks, plans and calls without their words, which the retention rule erased. A later precedent of one has none of these words.';
comment on column precedent_erasure.tenant_id is 'The tenant it belongs to.';
comment on column precedent_erasure.subject_id is 'The task, the plan or the call.';

select countersign_protect('precedent_erasure');

-- ---------------------------------------------------------------------------------------------------------------
-- Writing
-- ---------------------------------------------------------------------------------------------------------------

-- Secrets by their names and shapes, as mask-secrets.ts of the kernel has them (test/support/secret-shapes-sql.ts writes this).
create function precedent_secret_shapes() returns text[]
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  begin atomic
    select array[
      '-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----.*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)',
      '(["'']d\\?["'']\s{0,4}:\s{0,4}\\?["''])[A-Za-z0-9_-]{40,}',
      '(?<![A-Za-z0-9_])eyJ[A-Za-z0-9_-]{5,}(\.[A-Za-z0-9_-]{5,}\.[A-Za-z0-9_-]*)',
      '(?i)(?<![A-Za-z0-9_])(Bearer|Basic|Digest)[ \t]+[A-Za-z0-9+/=._~-]{8,}',
      '://[^\s/@:"'']{0,}:[^\s/@"'']{1,}@',
      '(?<![A-Za-z0-9_])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9_])',
      '(?<![A-Za-z0-9_])gh[pousr]_[A-Za-z0-9]{20,}',
      '(?<![A-Za-z0-9_])github_pat_[A-Za-z0-9_]{20,}',
      '(?<![A-Za-z0-9_])glpat-[A-Za-z0-9_-]{20,}',
      '(?<![A-Za-z0-9_])xox[abeoprs]-[A-Za-z0-9-]{10,}',
      '(?<![A-Za-z0-9_])sk-[A-Za-z0-9_-]{20,}',
      '(?<![A-Za-z0-9_])AIza[A-Za-z0-9_-]{35}',
      '(?<![A-Za-z0-9_])cs[a-z]{0,3}_[A-Za-z0-9_-]{32,}',
      '(?<![A-Za-z0-9_])whsec_[A-Za-z0-9+/]{20,}={0,2}',
      '(?i)((?:^|[?&\s;,"''_-])(?:password|passwd|passphrase|pwd|secret|token|api[_-]?key|access[_-]?key|private[_-]?key)["'']?\s{0,4}[=:]\s{0,4})(?:"[^"]{1,}"|''[^'']{1,}''|[^\s&"'',;]{4,})',
      '(?i)(--?(?:password|passwd|passphrase|secret|token|api-?key)[ \t]+)(?:"[^"]{1,}"|''[^'']{1,}''|[^\s"'']{1,})'
    ];
  end;
create function precedent_secret_name() returns text
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  begin atomic
    select '(?:^|_)(?:password|passwd|passphrase|pwd|secrets?|token|api_?key|access_?key|private_?key|secret_?key|signing_?key|encryption_?key|authorization|cookie|credentials?|connection_string|otp|totp)$';
  end;
create function precedent_private_members() returns text[]
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  begin atomic
    select array['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
  end;
do $$
declare
  each text;
begin
  foreach each in array array['precedent_secret_shapes()', 'precedent_secret_name()', 'precedent_private_members()'] loop
    execute format('revoke execute on function %s from public', each);
    execute format('grant execute on function %s to countersign_app', each);
  end loop;
end $$;
comment on function precedent_secret_shapes() is 'Patterns: a text of at most 200 characters that matches one holds a secret.';
comment on function precedent_secret_name() is 'The pattern of names of members, in snake case, that hold a secret.';
comment on function precedent_private_members() is
  'The members of a JSON Web Key that are private (RFC 7518, section 6; RFC 8037).';

-- Short values alone: a file as an argument says nothing about its subject. A value that logs would mask is left out: an index is no
-- place for a secret.
create function precedent_values(arguments jsonb) returns text
  language sql immutable parallel safe
  set search_path = pg_catalog, pg_temp
  begin atomic
    with recursive found (value) as (
      select arguments
      union all
      select inner_one.value
        from found
       cross join lateral (
         select named.value
           from jsonb_each(case jsonb_typeof(found.value) when 'object' then found.value else '{}' end) as named (key, value)
          where lower(regexp_replace(regexp_replace(named.key, '([a-z0-9])([A-Z])', '\1_\2', 'g'), '[-\s.]+', '_', 'g') collate "C")
                !~ precedent_secret_name()
            and not (jsonb_typeof(found.value -> 'kty') is not distinct from 'string' and named.key = any (precedent_private_members()))
         union all
         select listed.value
           from jsonb_array_elements(case jsonb_typeof(found.value) when 'array' then found.value else '[]' end) as listed (value)
       ) inner_one
    )
    select coalesce(left(string_agg(found.value #>> '{}', ' '), 4000), '')
      from found
     where jsonb_typeof(found.value) in ('string', 'number') and char_length(found.value #>> '{}') <= 200
       and found.value #>> '{}' !~ all (precedent_secret_shapes());
  end;
revoke execute on function precedent_values(jsonb) from public;
grant execute on function precedent_values(jsonb) to countersign_app;
comment on function precedent_values(jsonb) is 'The short strings and the numbers in a document, as one text, without secrets.';

create function precedent_form(of_type text, of_subject uuid, out tools text[], out arguments text[])
  language plpgsql stable as $$
declare
  tenant constant uuid := countersign_current_tenant();
begin
  if of_type = 'plan' then
    select coalesce(array_agg(distinct t.tool_name collate "C" order by t.tool_name collate "C"), '{}') into tools
      from plan_tool t where t.tenant_id = tenant and t.plan_id = of_subject;
    select coalesce(array_agg(distinct key collate "C" order by key collate "C"), '{}') into arguments
      from plan p, jsonb_path_query(p.document::jsonb, '$.phases[*].steps[*].arguments.keyvalue().key') as found (name),
           lateral (select name #>> '{}' as key) named
     where p.tenant_id = tenant and p.id = of_subject;
  else
    select array[c.tool_name],
           (select coalesce(array_agg(key order by key collate "C"), '{}') from jsonb_object_keys(c.arguments::jsonb) as found (key))
      into tools, arguments
      from tool_call c where c.tenant_id = tenant and c.id = of_subject;
  end if;
end $$;
comment on function precedent_form(text, uuid) is
  'The tools and argument keys of a plan or a call of the current tenant, each list in order; with the rights of the caller.';

create function precedent_past(of_shape text, but uuid) returns jsonb
  language plpgsql stable as $$
declare
  tenant constant uuid := countersign_current_tenant();
begin
  return (
    select coalesce(jsonb_agg(to_jsonb(past)), '[]')
      from (select ended_as as "endedAs", unknown_effects as "unknownEffects", effects, count(*) as count,
                   floor(extract(epoch from max(ended_at)) * 1000)::bigint as "lastAt"
              from (select p.ended_as, least(p.unknown_effects, 1) as unknown_effects, least(p.effects, 1) as effects, p.ended_at
                      from precedent p
                     where p.tenant_id = tenant and p.shape = of_shape and p.id is distinct from but
                     order by p.id desc limit 1000) newest
             group by ended_as, unknown_effects, effects) past);
end $$;
comment on function precedent_past(text, uuid) is 'How many of the newest 1,000 precedents of a shape of the current tenant ended in which way. One is left out; with the rights of the caller.';

create function precedent_past_of_open(of_request uuid) returns jsonb
  language plpgsql stable as $$
declare
  tenant constant uuid := countersign_current_tenant();
begin
  return (
    select precedent_past(precedent_shape(made.tools, environment.name, made.arguments), request.id)
      from approval_request request
      join environment on environment.tenant_id = request.tenant_id and environment.id = request.environment_id
     cross join lateral precedent_form(request.subject_type, request.subject_id) made
     where request.tenant_id = tenant and request.id = of_request and request.state = 'open');
end $$;
comment on function precedent_past_of_open(uuid) is
  'precedent_past for the shape of a request of the current tenant. Null if there is no such request, or it is not open. With the rights of the caller.';

create function precedent_gather(of_request uuid, of_run uuid) returns precedent
  language plpgsql stable as $$
declare
  tenant constant uuid := countersign_current_tenant();
  made precedent;
  plan_of plan;
  call_of tool_call;
  request_of approval_request;
  run_of run;
  incident_of incident;
  task_of task;
  document jsonb;
  planned text;
begin
  if of_run is not null then
    select * into run_of from run where tenant_id = tenant and id = of_run;
  else
    select * into run_of from run where tenant_id = tenant and approval_request_id = of_request;
  end if;
  select * into request_of from approval_request where tenant_id = tenant and id = coalesce(of_request, run_of.approval_request_id);
  made.tenant_id := tenant;
  made.request_id := request_of.id;
  made.run_id := run_of.id;
  made.id := coalesce(request_of.id, run_of.id);
  if made.id is null then return null; end if;
  made.subject_type := coalesce(request_of.subject_type, 'plan');
  made.subject_id := coalesce(request_of.subject_id, run_of.plan_id);
  made.task_id := coalesce(request_of.task_id, run_of.task_id);
  made.environment_id := coalesce(request_of.environment_id, run_of.environment_id);
  select name into made.environment_name from environment where tenant_id = tenant and id = made.environment_id;
  made.phases := coalesce(run_of.phases, request_of.phases);
  made.opened_at := coalesce(request_of.opened_at, run_of.created_at);
  made.agent_id := request_of.agent_id;
  made.person_id := request_of.person_id;
  made.ended_as := coalesce(run_of.state, request_of.state);
  made.because := coalesce(run_of.rollback_reason ->> 'message', run_of.reason ->> 'message', request_of.closed_reason ->> 'message');
  made.ended_at := coalesce(run_of.finished_at, request_of.closed_at, clock_timestamp());
  made.unknown_effects := 0;
  made.effects := 0;
  select form.tools, form.arguments into made.tools, made.arguments from precedent_form(made.subject_type, made.subject_id) form;
  if made.subject_type = 'plan' then
    select * into plan_of from plan where tenant_id = tenant and id = made.subject_id;
    document := plan_of.document::jsonb;
    select coalesce(array_agg(found.target order by found.target) filter (where found.ordinal <= 200), '{}'), count(*)
      into made.targets, made.target_count
      from (select target, row_number() over (order by target) as ordinal
              from plan_target where tenant_id = tenant and plan_id = plan_of.id) found;
    if request_of.id is null then
      made.agent_id := plan_of.agent_id;
      made.person_id := plan_of.person_id;
    end if;
    select * into task_of from task where tenant_id = tenant and id = made.task_id;
    if not exists (select from precedent_erasure where tenant_id = tenant and subject_id = made.task_id) then
      made.goal := task_of.spec::jsonb ->> 'goal';
    end if;
    made.goal_is_own := (task_of.agent_id, task_of.person_id) is not distinct from (made.agent_id, made.person_id);
    if not exists (select from precedent_erasure where tenant_id = tenant and subject_id = plan_of.id) then
      planned := concat_ws(' ', document ->> 'summary',
        (select string_agg(name #>> '{}', ' ') from jsonb_path_query(document, '$.phases[*].steps[*].id') as found (name)),
        (select string_agg(precedent_values(step), ' ') from jsonb_path_query(document, '$.phases[*].steps[*].arguments') as found (step)));
    end if;
    if made.goal_is_own then made.own_words := made.goal; else made.said_words := made.goal; end if;
    -- A person may plan for the task of an agent, and the agent may then ask for the approval.
    if (plan_of.agent_id, plan_of.person_id) is not distinct from (made.agent_id, made.person_id) then
      made.own_words := concat_ws(' ', made.own_words, planned);
    else
      made.said_words := concat_ws(' ', made.said_words, planned);
    end if;
    if run_of.id is not null then
      select count(*) filter (where state = 'unknown') into made.unknown_effects
        from run_step where tenant_id = tenant and run_id = run_of.id;
      if run_of.state = 'cancelled' then
        select count(*) into made.effects
          from run_step
         where tenant_id = tenant and run_id = run_of.id and changes and (
           state in ('succeeded', 'compensating', 'compensated', 'compensation_failed')
           or exists (select from step_attempt attempt
                       where attempt.tenant_id = tenant and attempt.run_step_id = run_step.id and attempt.effect = 'done'));
      end if;
      select * into incident_of from incident
       where tenant_id = tenant and id = run_of.incident_id and state in ('resolved', 'reviewed');
      made.incident_id := incident_of.id;
    end if;
  else
    select * into call_of from tool_call where tenant_id = tenant and id = made.subject_id;
    select coalesce(array_agg(found.target order by found.target) filter (where found.ordinal <= 200), '{}'), count(*)
      into made.targets, made.target_count
      from (select target, row_number() over (order by target) as ordinal
              from jsonb_array_elements_text(call_of.targets) as named (target)) found;
    document := call_of.arguments::jsonb;
    made.goal_is_own := true;
    if not exists (select from precedent_erasure where tenant_id = tenant and subject_id = call_of.id) then
      made.goal := call_of.reason;
      made.own_words := concat_ws(' ', made.goal, precedent_values(document));
    end if;
    if call_of.state in ('succeeded', 'failed', 'unknown', 'expired', 'denied') then
      made.ended_as := case when call_of.state in ('expired', 'denied') and request_of.closed_at is not null
                              and request_of.state <> 'consumed' then request_of.state else call_of.state end;
      made.because := coalesce(call_of.error ->> 'message', made.because);
      made.ended_at := greatest(call_of.finished_at, request_of.closed_at);
    end if;
    made.unknown_effects := (call_of.state = 'unknown')::integer;
  end if;
  made.own_words := left(made.own_words, 16000);
  made.said_words := left(concat_ws(' ', made.because, made.said_words,
    (select string_agg(comment, ' ' order by created_at, id) from review
      where tenant_id = tenant and request_id = request_of.id and replaced_at is null),
    (select string_agg(body, ' ' order by created_at, id) from (
       select body, created_at, id from comment where tenant_id = tenant and subject_id = request_of.id
        order by created_at, id limit 200) told),
    incident_of.justification, incident_of.post_mortem), 16000);
  return made;
end $$;
comment on function precedent_gather(uuid, uuid) is
  'A request of the current tenant, or a run, as its precedent would be, without terms; with the rights of the caller.';

create function precedent_keep(made precedent) returns void
  language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
  before precedent;
begin
  made.tenant_id := tenant;
  made.shape := precedent_shape(made.tools, made.environment_name, made.arguments);
  select * into before from precedent where tenant_id = tenant and id = made.id for update;
  if before.erased_at is not null then
    made.erased_at := before.erased_at;
    made.goal := null;
    made.own_words := null;
    made.said_words := null;
    made.because := null;
  end if;
  if before.id is not null then
    delete from precedent_term where tenant_id = tenant and term = any (before.terms) and precedent_id = made.id;
  end if;

  with found as materialized (
    select *, sum(in_words) over () as length
      from precedent_terms(precedent_structure(made.tools, made.environment_name, made.arguments),
                           array_to_string(made.targets, ' '), made.own_words, made.said_words)
  ), added as (
    insert into precedent_term (tenant_id, term, precedent_id, agent_id, in_structure, in_own, in_said, length)
    select tenant, term, made.id, made.agent_id, in_structure, in_own, in_said, length from found
  )
  select coalesce(array_agg(term), '{}'), coalesce(max(length), 0) into made.terms, made.length from found;
  if before.id is null then
    insert into precedent select made.*;
  else
    update precedent set
      run_id = made.run_id, incident_id = made.incident_id, ended_as = made.ended_as, unknown_effects = made.unknown_effects,
      effects = made.effects,
      because = made.because, phases = made.phases, goal = made.goal, own_words = made.own_words, said_words = made.said_words,
      terms = made.terms, length = made.length, ended_at = made.ended_at
     where tenant_id = tenant and id = made.id;
  end if;
  if before.id is null then
    insert into precedent_trait (tenant_id, kind, trait, precedent_id)
    select tenant, 'shape', made.shape, made.id
    union all select tenant, 'tool', tool, made.id from unnest(made.tools) as tool
    union all select tenant, 'environment_tool', made.environment_name || '/' || tool, made.id from unnest(made.tools) as tool
    union all select tenant, 'target', target, made.id from unnest(made.targets) as target;
  end if;
  -- Every key holds the id of this precedent: a transaction that ends many requests waits for no other.
  insert into precedent_gram (tenant_id, gram, term, precedent_id)
  select tenant, gram, term, made.id
    from unnest(made.terms) as added (term)
    cross join lateral unnest(show_trgm(term)) as of_term (gram)
   where char_length(term) between 4 and 40
     -- A limit keeps the planner from reading all grams for it.
     and (select true from precedent_gram known
           where known.tenant_id = tenant and known.gram = (show_trgm(added.term))[1] and known.term = added.term limit 1) is null;
end $$;
comment on function precedent_keep(precedent) is
  'Keeps a precedent of the current tenant with its terms, anew if it is there; with the rights of the caller.';

create function precedent_write(of_request uuid, of_run uuid) returns void
  language plpgsql as $$
declare
  made precedent := precedent_gather(of_request, of_run);
begin
  if made.id is not null then perform precedent_keep(made); end if;
end $$;
comment on function precedent_write(uuid, uuid) is 'Writes the precedent of a request or of a run of the current tenant from their rows. An existing one is written anew; with the rights of the caller.';

-- At the commit. Reviews, steps and errors of the same transaction are there then, and no other lock is taken afterwards.
create function precedent_of_request() returns trigger language plpgsql as $$
begin
  perform precedent_write(new.id, null);
  return null;
end $$;
comment on function precedent_of_request() is 'Trigger: writes the precedent of a request that ended without a run.';
create constraint trigger approval_request_precedent after update on approval_request
  deferrable initially deferred for each row
  when (old.state is distinct from new.state and new.state in ('denied', 'changes_requested', 'expired', 'voided'))
  execute function precedent_of_request();

create function precedent_of_run() returns trigger language plpgsql as $$
begin
  perform precedent_write(null, new.id);
  return null;
end $$;
comment on function precedent_of_run() is 'Trigger: writes the precedent of a run that ended.';
create constraint trigger run_precedent after update on run
  deferrable initially deferred for each row
  when (old.finished_at is null and new.finished_at is not null)
  execute function precedent_of_run();

create function precedent_of_call() returns trigger language plpgsql as $$
begin
  perform precedent_write(new.request_id, null);
  return null;
end $$;
comment on function precedent_of_call() is 'Trigger: writes the precedent of a call that people were asked about.';
create constraint trigger tool_call_precedent after update on tool_call
  deferrable initially deferred for each row
  when (new.request_id is not null and old.state is distinct from new.state
        and new.state in ('succeeded', 'failed', 'unknown', 'expired'))
  execute function precedent_of_call();

create function precedent_of_incident() returns trigger language plpgsql as $$
begin
  perform precedent_write(null, run.id) from run
   where run.tenant_id = new.tenant_id and run.incident_id = new.id and run.finished_at is not null;
  return null;
end $$;
comment on function precedent_of_incident() is 'Trigger: adds a resolved incident to the precedent of its run.';
create constraint trigger incident_precedent after update on incident
  deferrable initially deferred for each row
  when (old.state is distinct from new.state and new.state = 'resolved')
  execute function precedent_of_incident();

create function precedent_of_comment() returns trigger language plpgsql as $$
begin
  perform precedent_write(precedent.id, null) from precedent
   where precedent.tenant_id = new.tenant_id and precedent.id = new.request_id;
  return null;
end $$;
comment on function precedent_of_comment() is 'Trigger: adds a late comment to the precedent of its request.';
create constraint trigger comment_precedent after insert on comment
  deferrable initially deferred for each row
  when (new.request_id is not null)
  execute function precedent_of_comment();

-- ---------------------------------------------------------------------------------------------------------------
-- Erasing
-- ---------------------------------------------------------------------------------------------------------------

-- Erasing runs as countersign_system, inside the current tenant.
do $$
declare
  each text;
begin
  foreach each in array array['precedent', 'precedent_term', 'precedent_gram', 'precedent_erasure'] loop
    execute format(
      'create policy %I on %I to countersign_system using (tenant_id = (select countersign_current_tenant())) with check (tenant_id = (select countersign_current_tenant()))',
      each || '_system_erase', each);
    execute format('grant select, insert, update, delete on %I to countersign_system', each);
  end loop;
end $$;

create function precedent_erase() returns trigger language plpgsql as $$
declare
  tenant constant uuid := countersign_current_tenant();
  erased_precedent record;
begin
  insert into precedent_erasure (tenant_id, subject_id)
  select distinct entry.tenant_id, found.id
    from erased entry
   cross join lateral (
     select entry.subject_id::uuid as id where entry.subject_type in ('task', 'plan', 'tool_call')
     union select (entry.within -> 0 ->> 'id')::uuid where entry.within -> 0 ->> 'type' in ('task', 'plan')) found
   order by found.id
  on conflict do nothing;
  for erased_precedent in
    select precedent.id, precedent.agent_id, precedent.terms,
           precedent_structure(precedent.tools, precedent.environment_name, precedent.arguments) as structure,
           array_to_string(precedent.targets, ' ') as targets
      from precedent
     where precedent.tenant_id = tenant and precedent.erased_at is null and (
       precedent.task_id in (
         select (entry.within -> 0 ->> 'id')::uuid from erased entry where entry.within -> 0 ->> 'type' = 'task'
         union select entry.subject_id::uuid from erased entry where entry.subject_type = 'task')
       or precedent.subject_id in (
         select entry.subject_id::uuid from erased entry where entry.subject_type in ('plan', 'tool_call')
         union select (entry.within -> 0 ->> 'id')::uuid from erased entry where entry.within -> 0 ->> 'type' = 'plan')
       or precedent.id in (select entry.subject_id::uuid from erased entry where entry.subject_type in ('approval_request', 'run')))
     for update
  loop
    delete from precedent_term
     where tenant_id = tenant and term = any (erased_precedent.terms) and precedent_id = erased_precedent.id;
    update precedent set goal = null, own_words = null, said_words = null, because = null, erased_at = clock_timestamp(),
                         terms = kept.terms, length = 0
      from (select coalesce(array_agg(term), '{}') as terms
              from precedent_terms(erased_precedent.structure, erased_precedent.targets, '', '')) kept
     where precedent.tenant_id = tenant and precedent.id = erased_precedent.id;
    insert into precedent_term (tenant_id, term, precedent_id, agent_id, in_structure, in_own, in_said, length)
    select tenant, term, erased_precedent.id, erased_precedent.agent_id, in_structure, in_own, 0, 0
      from precedent_terms(erased_precedent.structure, erased_precedent.targets, '', '');
    -- A term that no precedent has any more is a text of the erased one.
    delete from precedent_gram
     using (
       select gone.term from unnest(erased_precedent.terms) as gone (term)
        where not exists (select from precedent_term used where used.tenant_id = tenant and used.term = gone.term)
     ) unused cross join lateral unnest(show_trgm(unused.term)) as of_term (gram)
     where precedent_gram.tenant_id = tenant and precedent_gram.gram = of_term.gram and precedent_gram.term = unused.term;
  end loop;
  return null;
end $$;
comment on function precedent_erase() is
  'Trigger: erases the words of precedents if their payloads in the audit log are erased. The trigrams of terms that only they had go, too, and so do those of later ones.';
create trigger audit_entry_precedent_erase after update on audit_entry
  referencing new table as erased
  for each statement execute function precedent_erase();

-- ---------------------------------------------------------------------------------------------------------------
-- Vectors
-- ---------------------------------------------------------------------------------------------------------------

-- Made by workers after the precedent, and made again at any time: nothing refers to them.
create table precedent_vector (
  tenant_id uuid not null,
  precedent_id uuid not null,
  agent_id uuid,
  generation integer not null,
  exact bytea,
  constraint precedent_vector_pk primary key (tenant_id, precedent_id),
  constraint precedent_vector_exact_check check (octet_length(exact) between 8 and 16384 and octet_length(exact) % 4 = 0)
);
-- Vectors hardly compress, and a search reads few of them.
alter table precedent_vector alter column exact set storage external;

-- A point has 96 dimensions: contrib cube has at most 100. The type is pgvector's if the server has that extension.
do $$
begin
  begin
    if exists (select from pg_available_extensions where name = 'vector') then
      create extension if not exists vector with schema public;
    end if;
  exception when insufficient_privilege then
    raise notice 'the extension vector was not created: points are kept as cubes';
  end;
  if exists (select from pg_extension join pg_namespace on pg_namespace.oid = extnamespace
              where extname = 'vector' and nspname = 'public') then
    alter table precedent_vector add column point vector(96);
    execute 'create function precedent_point(near float8[]) returns vector language sql immutable parallel safe
               set search_path = pg_catalog, public, pg_temp as ''select near::public.vector(96)''';
  else
    if not exists (select from pg_available_extensions where name = 'cube') then
      raise exception 'this PostgreSQL has no extension cube: install its contrib modules (postgresql-contrib), then migrate again';
    end if;
    create extension if not exists cube with schema public;
    alter table precedent_vector add column point cube;
    execute 'create function precedent_point(near float8[]) returns cube language sql immutable parallel safe
               set search_path = pg_catalog, public, pg_temp as ''select public.cube(near)''';
  end if;
end $$;
alter table precedent_vector add constraint precedent_vector_point_check check ((point is null) = (exact is null));
revoke execute on function precedent_point(float8[]) from public;
grant execute on function precedent_point(float8[]) to countersign_app;
comment on function precedent_point(float8[]) is 'A point from its 96 coordinates, in the type that this server keeps points in.';

comment on table precedent_vector is 'The meaning of the goal of a precedent, as the embedder of the tenant gave it.';
comment on column precedent_vector.tenant_id is 'The tenant it belongs to.';
comment on column precedent_vector.precedent_id is 'The precedent.';
comment on column precedent_vector.agent_id is 'The agent that wrote the goal: it alone among agents finds it by that. Null for a person.';
comment on column precedent_vector.generation is 'The generation of the embedder that gave it.';
comment on column precedent_vector.exact is 'The vector, of length 1, in 32-bit numbers; null if the embedder rejects the text.';
comment on column precedent_vector.point is 'The vector projected to 96 dimensions, which finds the few to compare exactly.';

select countersign_protect('precedent_vector');

-- Erasing runs as countersign_system, inside the current tenant.
create policy precedent_vector_system_erase on precedent_vector to countersign_system
  using (tenant_id = (select countersign_current_tenant())) with check (false);
grant select, delete on precedent_vector to countersign_system;

create function precedent_vector_outdate() returns trigger language plpgsql as $$
begin
  delete from precedent_vector where tenant_id = new.tenant_id and precedent_id = new.id;
  return null;
end $$;
comment on function precedent_vector_outdate() is
  'Trigger: a vector ends with its text, in the same transaction. A worker makes one of the new text, if there is one.';
create trigger precedent_vector_outdate after update of goal on precedent
  for each row when (old.goal is distinct from new.goal)
  execute function precedent_vector_outdate();
