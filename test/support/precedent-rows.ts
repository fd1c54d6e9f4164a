import { sqlOf } from '#lib/database';
import { newId, type Tx } from '#lib/kernel';
import type { InventedPrecedent } from '../../libs/evidence/precedent/src/application/fake-precedents.js';

export type { InventedPrecedent };

/** Keeps precedents as the ends of requests do. */
export async function keepPrecedents(tx: Tx, all: readonly InventedPrecedent[]): Promise<void> {
  await sqlOf(tx).execute(
    'select precedent_keep(jsonb_populate_record(null::precedent, one)) from jsonb_array_elements($1) as given (one)',
    [JSON.stringify(all.map(rowOf))],
  );
}

/** Makes the rows that `precedent_keep` makes, of many new precedents with short texts at once. Each word gives its terms once. */
const LOAD = `
  with given as materialized (
    select * from jsonb_populate_recordset(null::precedent, $1)),
  said as materialized (
    select given.id, given.agent_id, texts.part, word, count(*) as times
      from given
     cross join lateral (values
       ('structure', precedent_structure(given.tools, given.environment_name, given.arguments)),
       ('own', array_to_string(given.targets, ' ')), ('own words', given.own_words), ('said words', given.said_words)) as texts (part, body)
     cross join lateral regexp_split_to_table(texts.body, '\\s+') as split (word)
     group by given.id, given.agent_id, texts.part, word),
  known as materialized (
    select word, made.term, made.uses from (select distinct word from said) words cross join lateral precedent_words(word) made),
  found as materialized (
    select *, sum(in_words) over (partition by id) as length
      from (
        select id, agent_id, term, coalesce(sum(times * uses) filter (where part = 'structure'), 0) as in_structure,
               coalesce(sum(times * uses) filter (where part in ('own', 'own words')), 0) as in_own,
               coalesce(sum(times * uses) filter (where part = 'said words'), 0) as in_said,
               coalesce(sum(times * uses) filter (where part in ('own words', 'said words')), 0) as in_words
          from said join known using (word) group by id, agent_id, term) counted),
  termed as (
    insert into precedent_term (tenant_id, term, precedent_id, agent_id, in_structure, in_own, in_said, length)
    select $2, term, id, agent_id, in_structure, in_own, in_said, length from found order by term, id),
  whole as materialized (
    select whole.*
      from given
      left join (select id, array_agg(term) as terms, max(length) as length from found group by id) of_terms using (id)
     cross join lateral jsonb_populate_record(null::precedent, to_jsonb(given) || jsonb_build_object(
       'tenant_id', $2::uuid, 'shape', precedent_shape(given.tools, given.environment_name, given.arguments),
       'terms', coalesce(of_terms.terms, '{}'), 'length', coalesce(of_terms.length, 0))) whole),
  kept as (insert into precedent select * from whole),
  trait as (
    select 'shape' as kind, shape as trait, id from whole
    union all select 'tool', tool, id from whole cross join unnest(tools) as tool
    union all select 'environment_tool', environment_name || '/' || tool, id from whole cross join unnest(tools) as tool
    union all select 'target', target, id from whole cross join unnest(targets) as target),
  traits as (
    insert into precedent_trait (tenant_id, kind, trait, precedent_id) select $2, kind, trait, id from trait order by kind, trait, id)
  insert into precedent_gram (tenant_id, gram, term, precedent_id)
  select $2, gram, term, id
    from (select distinct on (term) term, id from found
           where char_length(term) between 4 and 40
             and not exists (select from precedent_gram known
                              where known.tenant_id = $2 and known.gram = (show_trgm(found.term))[1] and known.term = found.term)
           order by term, id) added
   cross join lateral unnest(show_trgm(term)) as of_term (gram)`;

/** Loads many new precedents by one statement, which takes far less time than {@link keepPrecedents}, and makes the same rows. */
export async function loadPrecedents(tx: Tx, all: readonly InventedPrecedent[]): Promise<void> {
  await sqlOf(tx).execute(LOAD, [JSON.stringify(all.map(rowOf)), tx.tenantId]);
}

/** @returns the id of the one that was kept. */
export async function keepPrecedent(tx: Tx, one: InventedPrecedent): Promise<string> {
  const id = newId();
  await keepPrecedents(tx, [{ id, ...one }]);
  return id;
}

function rowOf(one: InventedPrecedent): object {
  const id = one.id ?? newId();
  const at = '2026-11-03T09:00:00Z';
  return {
    ...{ id, request_id: id, subject_type: 'plan', subject_id: newId(), task_id: newId(), environment_id: newId() },
    ...{ environment_name: one.environment, agent_id: one.agentId ?? null, ended_as: one.endedAs ?? 'completed' },
    ...{ unknown_effects: 0, effects: 0, tools: [...one.tools].sort(), arguments: [...(one.arguments ?? [])].sort() },
    ...{ targets: [...(one.targets ?? [])].sort(), target_count: one.targets?.length ?? 0, phases: 'all' },
    ...{
      goal: one.goal,
      goal_is_own: true,
      own_words: one.goal,
      said_words: one.said ?? '',
      opened_at: at,
      ended_at: at,
    },
  };
}
