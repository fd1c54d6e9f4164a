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

const idf = (df: string): string => `ln(1 + (corpus.n - ${df} + 0.5) / (${df} + 0.5))`;

/** The least similarity of trigrams that counts. */
const SIMILAR = 0.4;
/** The least for a term with the same letters in another order: transposed letters break most trigrams of a short word. */
const TRANSPOSED = 0.15;
const letters = (term: string): string =>
  `(select string_agg(letter, '' order by letter) from regexp_split_to_table(${term}, '') as split (letter))`;

/**
 * The terms of a text as precedents have them, with weights: each as it stands, and the most similar terms of an id or a host, and of
 * a word that no precedent has. $1 tenant, $2 text.
 */
export const TERMS = `
  with said as materialized (
    select words.term, words.term ~ '[^a-z]' as is_id,
           exists (select from precedent_term known where known.tenant_id = $1 and known.term = words.term) as is_known
      from precedent_words($2) words order by uses desc, char_length(words.term) desc, words.term limit 40),
  sought as materialized (
    select * from said where char_length(term) between 4 and 40 and (is_id or not is_known) limit 12),
  candidate as (
    select sought.term as sought, gram.term
      from sought
     cross join lateral unnest(show_trgm(sought.term)) as of_term (gram)
      join precedent_gram gram on gram.tenant_id = $1 and gram.gram = of_term.gram
     where gram.term <> sought.term
     group by sought.term, gram.term
    having count(*) >= 2),
  likened as materialized (
    select sought, term, similarity(sought, term) as likeness,
           char_length(sought) = char_length(term) and similarity(sought, term) >= ${String(TRANSPOSED)}
             and ${letters('sought')} = ${letters('term')} as transposed
      from candidate),
  nearest as (
    select sought, term, case when transposed then greatest(likeness, 0.8) else likeness end as likeness,
           row_number() over (partition by sought order by transposed desc, likeness desc, term) as place
      from likened where transposed or likeness >= ${String(SIMILAR)})
  select term as sought, term, 1::float8 as weight, is_id as "isId", true as exact from said where is_known
  union all
  select nearest.sought, nearest.term, nearest.likeness::float8, said.is_id, false
    from nearest join said on said.term = nearest.sought where place <= 4`;

/** $1 tenant, $2 sought terms, $3 terms, $4 weights, $5 the searching agent or null, $6 the precedent to leave out. */
const HITS = `
  asked as (select * from unnest($2::text[], $3::text[], $4::float8[]) as asked (sought, term, weight)),
  hit as materialized (
    select asked.sought, asked.term, asked.weight, t.precedent_id, t.length,
           t.in_structure + case when $5::uuid is null then t.in_own + t.in_said when t.agent_id = $5 then t.in_own else 0 end as uses
      from asked join precedent_term t on t.tenant_id = $1 and t.term = asked.term
     cross join since
     where t.precedent_id > since.id),
  frequency as materialized (
    select sought, term, count(*)::float8 as df from hit where uses > 0 group by sought, term)`;

/** BM25 (Robertson and Zaragoza 2009) with k1 = 1.2 and b = 0.75; of several terms for one sought term the best counts. */
export const WORDS = `
  with ${SINCE}, ${HITS},
  scored as (
    select hit.precedent_id, max(hit.weight * ${idf('df')} * hit.uses * 2.2
             / (hit.uses + 1.2 * (0.25 + 0.75 * hit.length / corpus.mean))) as score
      from hit join frequency using (sought, term) cross join corpus
     where hit.uses > 0 and hit.precedent_id is distinct from $6::uuid
     group by hit.precedent_id, hit.sought)
  select precedent_id as id, row_number() over (order by sum(score) desc, precedent_id desc)::integer as place
    from scored group by precedent_id
   order by place limit ${String(MOST)}`;

/** The best of a ranking, and those of a pool with their place in it. Precedents with the same score share a place. */
const placedOf = (pool: string): string => `
  placed as materialized (
    select score, row_number() over (order by score desc)::integer as place from (select distinct score from scored) differing),
  best as (select id, score from scored order by score desc, id desc limit ${String(MOST)})
  select id, place from (select * from best union select * from scored where id = any (${pool}::uuid[])) shown
    join placed using (score)
   order by place, id desc`;

/** Similarity times rarity. $7 is the pool. */
export const NEAR = `
  with ${SINCE}, ${HITS},
  likest as (
    select hit.precedent_id, hit.sought, max((hit.weight * ${idf('df')})::numeric(12, 6)) as score
      from hit join frequency using (sought, term) cross join corpus
     where hit.uses > 0 and hit.precedent_id is distinct from $6::uuid
     group by hit.precedent_id, hit.sought),
  scored as materialized (select precedent_id as id, sum(score) as score from likest group by precedent_id),
  ${placedOf('$7')}`;

/**
 * Rarer traits count for more; shared targets count by their part of the targets that were asked about. A tool or a target that is
 * named in the text counts, too. $1 tenant, $2 tools, $3 environment, $4 argument keys, $5 targets, $6 text, $7 left out, $8 the
 * pool.
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
  frequency as materialized (select kind, trait, count(*)::float8 as df from hit group by kind, trait),
  worth as materialized (
    select kind, trait, (${idf('df')} * case kind when 'target' then 2 / targets.n else 1 end)::numeric(12, 6) as score
      from frequency cross join corpus cross join targets),
  scored as materialized (
    select hit.precedent_id as id, sum(worth.score) as score from hit join worth using (kind, trait) group by hit.precedent_id),
  ${placedOf('$8')}`;
