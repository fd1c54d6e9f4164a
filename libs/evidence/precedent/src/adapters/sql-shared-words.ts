import { precedentEntity } from './precedent.entity.js';

const PRECEDENT = precedentEntity.as('precedent');

/** The word of a text that begins with a term, since a stem lacks the ending. A name is shown as it stands: it may be no pattern. */
const wordOf = (term: string, text: string): string =>
  `case when ${term} ~ '^[a-z0-9]+$'
        then coalesce(substring(${text} from '(?:^|[^a-z])(' || regexp_replace(${term}, 'i$', '[iy]') || '[a-z]*)'), ${term})
        else ${term} end`;

/**
 * The words of a text for which precedents have a term: the same, or one that is spelt alike. A name counts as a whole; by its parts alone
 * it says little if it has a number. $1 tenant, $2 precedents, $3 text, $4 the searching agent or null; $5 the sought
 * terms of the text, $6 the terms of precedents for them, and $7 whether they say little.
 */
export const SHARED = `
  with word as materialized (
    select btrim(split.word, '.,:;!?()[]{}<>"''\`') as word, min(split.ordinal) as ordinal
      from regexp_split_to_table(lower(left($3, 2000)), '[[:space:]]+') with ordinality as split (word, ordinal)
     group by 1),
  said as materialized (
    select case when whole.is_so or word.word !~ '[^a-z]' then word.word else ${wordOf('term.term', 'word.word')} end as said, word.ordinal,
           term.term, not whole.is_so and word.word ~ '[^a-z]' and word.word ~ '[0-9]' as is_part
      from word
     cross join lateral precedent_words(word.word) term
     cross join lateral (select term.term = word.word as is_so) whole
     where term.term ~ '[^0-9.]'),
  found as (
    select wanted.id, said.said, said.ordinal, said.is_part, asked.common, asked.term, asked.term = asked.sought as is_equal
      from said
      join unnest($5::text[], $6::text[], $7::boolean[]) as asked (sought, term, common) on asked.sought = said.term
     cross join unnest($2::uuid[]) as wanted (id)
     cross join lateral (
       select from precedent_term t
        where t.tenant_id = $1 and t.term = asked.term and t.precedent_id = wanted.id
          and ($4::uuid is null or t.in_structure > 0 or t.agent_id = $4 and t.in_own > 0)
        limit 1) shared)
  select found.id, found.said, found.said as found, case when common or is_part then 'common' else 'words' end as kind, found.ordinal
    from found where is_equal
  union all
  select found.id, found.said, ${wordOf('found.term', 'lower(its.text)')}, 'similar', found.ordinal
    from found
    join precedent on precedent.tenant_id = $1 and ${PRECEDENT.id} = found.id
   cross join lateral (
     select concat_ws(' ', precedent_structure(${PRECEDENT.tools}, ${PRECEDENT.environmentName}, ${PRECEDENT.arguments}),
                      case when $4::uuid is null or ${PRECEDENT.agentId} = $4
                           then concat_ws(' ', array_to_string(${PRECEDENT.targets}, ' '), precedent.own_words) end,
                      case when $4::uuid is null then precedent.said_words end) as text) its
   where not is_equal and not is_part
   order by 1, ordinal, 3`;
