import { precedentEntity } from './precedent.entity.js';

const PRECEDENT = precedentEntity.as('precedent');

/** A search looks at so many of a tenant's newest precedents. So its cost does not grow with history. */
export const NEWEST = 50_000;
/** How many ids a ranking has at most. */
export const MAX_RANKED = 50;

/** The number and mean length of the precedents in a search, and the id before the first of them. $1 tenant. */
export const CORPUS = `
  with since as (
    select coalesce((select ${PRECEDENT.id} from precedent where tenant_id = $1
                      order by ${PRECEDENT.id} desc offset ${String(NEWEST)} limit 1),
                    '00000000-0000-0000-0000-000000000000') as id)
  select since.id as since, count(*)::float8 as n, greatest(avg(${PRECEDENT.length}), 1)::float8 as mean
    from since left join precedent on tenant_id = $1 and ${PRECEDENT.id} > since.id
   group by since.id`;

/** The least similarity of trigrams that counts. */
const SIMILAR = 0.35;
/** The least for a term with the same letters in another order. Transposed letters break most trigrams of a short word. */
const TRANSPOSED = 0.15;
const letters = (term: string): string =>
  `(select string_agg(letter, '' order by letter) from regexp_split_to_table(${term}, '') as split (letter))`;

/**
 * The uses of a term by which the searcher may find it, in the structure or in words. A word of tool names says little there, and may say
 * much in a goal: each counts by itself. @param agent the searching agent, null for a person.
 */
const usesOf = (structural: string, agent: string): string =>
  `case when ${structural} then t.in_structure when ${agent}::uuid is null then t.in_own + t.in_said
        when t.agent_id = ${agent} then t.in_own else 0 end`;

/** Whether the searcher may find a precedent by this use: $5 is the searching agent, null for a person. */
const mayFind = (use: string): string =>
  `($5::uuid is null or ${use}.in_structure > 0 or (${use}.agent_id = $5 and ${use}.in_own > 0))`;

/**
 * The terms of a text as precedents have them, with weights. Each stands as it is. An id, a host, or a word that no
 * precedent has, also has its most similar terms. Each with the number of its precedents, in structure and in words.
 * For an agent, the words of others do not exist: a spelling or a number would tell them. $1 tenant, $2 text, $3 since,
 * $4 a bound of that number, $5 the searching agent or null.
 */
export const TERMS = `
  with said as materialized (
    select words.term, words.term ~ '[^a-z]' as is_id,
           exists (select from precedent_term known where known.tenant_id = $1 and known.term = words.term
             and ${mayFind('known')}) as is_known
      from precedent_words($2) words order by uses desc, char_length(words.term) desc, words.term limit 40),
  sought as materialized (
    select * from said where char_length(term) between 4 and 40 and (is_id or not is_known) limit 12),
  candidate as (
    select sought.term as sought, gram.term
      from sought
     cross join lateral unnest(show_trgm(sought.term)) as of_term (gram)
      join precedent_gram gram on gram.tenant_id = $1 and gram.gram = of_term.gram
     where gram.term <> sought.term
       and ($5::uuid is null or exists (
             select from precedent_term told where told.tenant_id = $1 and told.term = gram.term and ${mayFind('told')}))
     group by sought.term, gram.term
    having count(*) >= 2),
  likened as materialized (
    -- A misspelt word often keeps the ending that its stem lacks.
    select sought, term, greatest(similarity(sought, term), similarity(left(sought, char_length(term)), term)) as likeness,
           char_length(sought) = char_length(term) and similarity(sought, term) >= ${String(TRANSPOSED)}
             and ${letters('sought')} = ${letters('term')} as transposed
      from candidate),
  nearest as (
    select sought, term, case when transposed then greatest(likeness, 0.8) else likeness end as likeness,
           row_number() over (partition by sought order by transposed desc, likeness desc, term) as rank
      from likened where transposed or likeness >= ${String(SIMILAR)})
  select found.*, field.structural, field.df, (select count(*)::integer from said) as said
    from (
      select term as sought, term, 1::float8 as weight, is_id as "isId", true as exact from said where is_known
      union all
      select nearest.sought, nearest.term, nearest.likeness::float8, said.is_id, false
        from nearest join said on said.term = nearest.sought where rank <= 4) found
   cross join lateral (
     select count(*) filter (where in_structure > 0) as in_structure, count(*) filter (where in_words > 0) as in_words
       from (
         select ${usesOf('true', '$5')} as in_structure, ${usesOf('false', '$5')} as in_words
           from precedent_term t
          where t.tenant_id = $1 and t.term = found.term and t.precedent_id > $3::uuid and ${mayFind('t')}
          limit $4) bounded) counted
   cross join lateral (values (true, counted.in_structure::integer), (false, counted.in_words::integer)) as field (structural, df)
   where field.df > 0`;

/** $3 is the searching agent, null for a person. */
const USES = usesOf('asked.structural', '$3');

/**
 * BM25 of one term in one precedent, without the weight and the rarity of the term: these are its worth. $5 is the mean
 * length.
 */
const SATURATED = 'uses * 2.2 / (uses + 1.2 * (0.25 + 0.75 * t.length / $5::float8))';

/** So many of the best by rare terms are looked at for frequent ones. */
const BY_RARE = 400;

/**
 * BM25 (Robertson and Zaragoza 2009) with k1 = 1.2 and b = 0.75. Precedents are found by rare terms; frequent terms add to the best of
 * them. Scores that differ by less than a twentieth of the best share a rank. A few more words are no reason for a
 * lower rank. $1 tenant, $2 since, $3 the searching agent or null, $4 the precedent to leave out, $5 mean length; $6
 * rare terms, $7 whether in structure, and $8 their worths; $9 to $11 those of frequent terms. A precedent is whole if
 * it has a term for each bit of $14; none is if $14 is null. The bits of rare terms are $12, and those of frequent ones
 * $13. A term that is only similar to a word has no bit.
 */
export const WORDS = `
  with rare as materialized (
    select t.precedent_id as id, sum(asked.worth * ${SATURATED}) as score, bit_or(asked.bit) as bits
      from unnest($6::text[], $7::boolean[], $8::float8[], $12::bigint[]) as asked (term, structural, worth, bit)
      join precedent_term t on t.tenant_id = $1 and t.term = asked.term and t.precedent_id > $2::uuid
     cross join lateral (select ${USES} as uses) used
     where uses > 0 and t.precedent_id is distinct from $4::uuid
     group by t.precedent_id
     order by score desc, id desc limit ${String(BY_RARE)}),
  scored as (
    select rare.id, rare.score + coalesce(more.score, 0) as score,
           coalesce(rare.bits | coalesce(more.bits, 0) = $14::bigint, false) as whole
      from rare
     cross join lateral (
       select sum(asked.worth * ${SATURATED}) as score, bit_or(asked.bit) as bits
         from unnest($9::text[], $10::boolean[], $11::float8[], $13::bigint[]) as asked (term, structural, worth, bit)
         join precedent_term t on t.tenant_id = $1 and t.term = asked.term and t.precedent_id = rare.id
        cross join lateral (select ${USES} as uses) used
        where uses > 0) more)
  select id, rank() over (order by twentieth desc)::integer as rank, whole
    from (select *, round(20 * score / max(score) over ()) as twentieth from scored) compared
   order by score desc, id desc limit ${String(MAX_RANKED)}`;

/**
 * The best of a ranking, and those of a pool with their rank in it. Precedents with the same score share the rank after all that are
 * better.
 */
const rankedOf = (pool: string): string => `
  ranked as materialized (
    select score, (1 + sum(those) over (order by score desc) - those)::integer as rank
      from (select score, count(*) as those from scored group by score) differing),
  best as (select id, score from scored order by score desc, id desc limit ${String(MAX_RANKED)})
  select id, rank from (select * from best union select * from scored where id = any (${pool}::uuid[])) shown
    join ranked using (score)
   order by rank, id desc`;

/** Similarity times rarity. $1 to $4 as of WORDS, $5 terms, $6 whether in structure, $7 their worths, $8 the pool. */
export const NEAR = `
  with scored as materialized (
    select t.precedent_id as id, sum((asked.worth * 1000000)::bigint) as score
      from unnest($5::text[], $6::boolean[], $7::float8[]) as asked (term, structural, worth)
      join precedent_term t on t.tenant_id = $1 and t.term = asked.term and t.precedent_id > $2::uuid
     cross join lateral (select ${USES} as uses) used
     where uses > 0 and t.precedent_id is distinct from $4::uuid
     group by t.precedent_id),
  ${rankedOf('$8')}`;

/**
 * Rarer traits count for more; shared targets count by their part of the targets that were asked about. A tool or a target that is
 * named in the text counts, too. $1 tenant, $2 tools, $3 environment, $4 argument keys, $5 targets; $6 text, $7 left
 * out, $8 the pool, $9 since, $10 the number of precedents.
 */
export const STRUCTURE = `
  with sought as materialized (
    select 'shape' as kind, precedent_shape(sorted.tools, $3, sorted.arguments) as trait
      from (select array(select distinct unnest($2::text[]) collate "C" order by 1) as tools,
                   array(select distinct unnest($4::text[]) collate "C" order by 1) as arguments) sorted
     where $3::text is not null and cardinality($2::text[]) > 0
    union select 'tool', tool from unnest($2::text[]) tool
    union select 'environment_tool', $3 || '/' || tool from unnest($2::text[]) tool where $3::text is not null
    union select 'target', target from unnest($5::text[]) target
    union (select kind, term from precedent_words($6) cross join (values ('tool'), ('target')) as named (kind)
            where term ~ '[^a-z]' and cardinality($2::text[]) + cardinality($5::text[]) = 0 limit 40)),
  targets as (select greatest(count(*), 1)::float8 as n from sought where kind = 'target'),
  hit as materialized (
    select t.kind, t.trait, t.precedent_id
      from sought join precedent_trait t on t.tenant_id = $1 and t.kind = sought.kind and t.trait = sought.trait
     where t.precedent_id > $9::uuid and t.precedent_id is distinct from $7::uuid),
  frequency as materialized (select kind, trait, count(*)::float8 as df from hit group by kind, trait),
  worth as materialized (
    select kind, trait, (ln(1 + ($10::float8 - df + 0.5) / (df + 0.5)) * case kind when 'target' then 2 / targets.n else 1 end * 1000000)::bigint as score
      from frequency cross join targets),
  scored as materialized (
    select hit.precedent_id as id, sum(worth.score) as score from hit join worth using (kind, trait) group by hit.precedent_id),
  ${rankedOf('$8')}`;
