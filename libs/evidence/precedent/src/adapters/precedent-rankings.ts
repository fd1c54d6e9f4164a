/** A search looks at so many of the newest precedents of a tenant, so that its cost does not grow with history. */
const NEWEST = 50_000;
/** How many ids a ranking has at most. */
const MOST = 50;

const SINCE = `
  since as materialized (
    select coalesce((select id from precedent where tenant_id = $1 order by id desc offset ${String(NEWEST)} limit 1),
                    '00000000-0000-0000-0000-000000000000') as id),
  corpus as materialized (
    select count(*)::float8 as n, coalesce(avg(precedent.length), 1)::float8 as mean
      from precedent cross join since where tenant_id = $1 and precedent.id > since.id)`;

/** The uses of a term that the searcher may find it by: $3 is the searching agent, null for a person. */
const USES = `t.in_structure + case when $3::uuid is null then t.in_own + t.in_said when t.agent_id = $3 then t.in_own else 0 end`;

const idf = (df: string): string => `ln(1 + (corpus.n - ${df} + 0.5) / (${df} + 0.5))`;

/**
 * BM25 (Robertson and Zaragoza 2009) with k1 = 1.2 and b = 0.75. $1 tenant, $2 text, $3 agent, $4 the precedent to leave out.
 */
export const WORDS = `
  with ${SINCE},
  said as materialized (select term from precedent_words($2) order by uses desc, term limit 40),
  hit as materialized (
    select t.term, t.precedent_id, t.length, ${USES} as uses
      from said join precedent_term t on t.tenant_id = $1 and t.term = said.term
     cross join since
     where t.precedent_id > since.id),
  frequency as materialized (select term, count(*)::float8 as df from hit where uses > 0 group by term)
  select hit.precedent_id as id
    from hit join frequency using (term) cross join corpus
   where hit.uses > 0 and hit.precedent_id is distinct from $4::uuid
   group by hit.precedent_id
   order by sum(${idf('df')} * hit.uses * 2.2 / (hit.uses + 1.2 * (0.25 + 0.75 * hit.length / corpus.mean))) desc,
            hit.precedent_id desc
   limit ${String(MOST)}`;

/** The least similarity of trigrams that counts; pg_trgm's own default is 0.3 for whole texts. */
const SIMILAR = 0.4;

/**
 * Terms like ids, hosts and tickets, and words that no precedent has, find the terms most similar to them; precedents rank by
 * similarity times rarity. Parameters as of WORDS.
 */
export const NEAR = `
  with ${SINCE},
  said as materialized (
    select term from precedent_words($2)
     where char_length(term) between 4 and 40
       and (term ~ '[^a-z]' or not exists (
         select from precedent_term known where known.tenant_id = $1 and known.term = precedent_words.term))
     order by uses desc, char_length(term) desc, term limit 12),
  candidate as (
    select said.term as sought, gram.term
      from said
     cross join lateral unnest(show_trgm(said.term)) as of_term (gram)
      join precedent_gram gram on gram.tenant_id = $1 and gram.gram = of_term.gram
     group by said.term, gram.term
    having count(*) >= ${String(SIMILAR)} * cardinality(show_trgm(said.term)) * 0.9),
  near as materialized (
    select sought, term, likeness from (
      select sought, term, similarity(sought, term) as likeness,
             row_number() over (partition by sought order by similarity(sought, term) desc, term) as place
        from candidate where similarity(sought, term) >= ${String(SIMILAR)}) ranked
     where place <= 5),
  hit as materialized (
    select near.sought, near.likeness, t.term, t.precedent_id, ${USES} as uses
      from near join precedent_term t on t.tenant_id = $1 and t.term = near.term
     cross join since
     where t.precedent_id > since.id),
  frequency as materialized (select term, count(distinct precedent_id)::float8 as df from hit where uses > 0 group by term),
  best as (
    select hit.precedent_id, hit.sought, max(hit.likeness * ${idf('df')}) as score
      from hit join frequency using (term) cross join corpus
     where hit.uses > 0 and hit.precedent_id is distinct from $4::uuid
     group by hit.precedent_id, hit.sought)
  select precedent_id as id from best group by precedent_id
   order by sum(score) desc, precedent_id desc limit ${String(MOST)}`;

/**
 * Rarer traits count for more; shared targets count by their part of the targets that were asked about. A tool or a target that is
 * named in the text counts, too. $1 tenant, $2 tools, $3 environment, $4 argument keys, $5 targets, $6 text, $7 left out.
 */
export const STRUCTURE = `
  with ${SINCE},
  sought as materialized (
    select 'shape' as kind, precedent_shape(sorted.tools, $3, sorted.arguments) as trait
      from (select array(select distinct unnest($2::text[]) order by 1) as tools,
                   array(select distinct unnest($4::text[]) order by 1) as arguments) sorted
     where $3::text is not null and cardinality($2::text[]) > 0
    union select 'tool', tool from unnest($2::text[]) tool
    union select 'place', $3 || '/' || tool from unnest($2::text[]) tool where $3::text is not null
    union select 'target', target from unnest($5::text[]) target
    union (select kind, term from precedent_words($6) cross join (values ('tool'), ('target')) as named (kind)
            where term ~ '[^a-z]' and cardinality($2::text[]) + cardinality($5::text[]) = 0 limit 40)),
  targets as (select greatest(count(*), 1)::float8 as n from sought where kind = 'target'),
  hit as materialized (
    select t.kind, t.trait, t.precedent_id
      from sought join precedent_trait t on t.tenant_id = $1 and t.kind = sought.kind and t.trait = sought.trait
     cross join since
     where t.precedent_id > since.id and t.precedent_id is distinct from $7::uuid),
  frequency as materialized (select kind, trait, count(*)::float8 as df from hit group by kind, trait)
  select hit.precedent_id as id
    from hit join frequency using (kind, trait) cross join corpus cross join targets
   group by hit.precedent_id
   order by sum(${idf('df')} * case hit.kind when 'target' then 2 / targets.n else 1 end) desc, hit.precedent_id desc
   limit ${String(MOST)}`;
