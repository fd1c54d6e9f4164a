import { type Tx } from '#lib/kernel';
import { searchTerms, type WordRange } from './search-terms.js';
import { sqlOf } from './sql.js';

/** Beyond so many, newer rows are looked at one by one for the word; below, the rows of these are read. */
const FEW = 5_000;

/** The records that hold one term: these tasks and subjects, or too many to name. */
export type WordHits =
  | { readonly kind: 'few'; readonly tasks: readonly string[]; readonly subjects: readonly string[] }
  | { readonly kind: 'many'; readonly term: WordRange };

/** The records that hold a typed text, one answer a term: table search_word holds the words. */
export async function wordHits(tx: Tx, text: string): Promise<readonly WordHits[]> {
  const hits: WordHits[] = [];
  for (const term of searchTerms(text)) {
    const rows = await sqlOf(tx).query<{ task_id: string; subject_id: string }>(
      'select task_id, subject_id from search_word where tenant_id = $1 and word >= $2 and word <= $3 limit $4',
      [tx.tenantId, term.from, term.to, FEW + 1],
    );
    hits.push(
      rows.length > FEW
        ? { kind: 'many', term }
        : { kind: 'few', tasks: distinct(rows, 'task_id'), subjects: distinct(rows, 'subject_id') },
    );
  }
  return hits;
}

const distinct = <Key extends string>(rows: readonly Readonly<Record<Key, string>>[], key: Key): readonly string[] => [
  ...new Set(rows.map((row) => row[key])),
];

/**
 * The conditions under which a row is found by those words, one a term.
 *
 * @param row its table, the column of its task, and the columns of the subjects that hold the words; without those,
 *   every word of its task counts.
 * @param parameter takes a value and answers with its place in the statement.
 */
export const foundByWords = (
  hits: readonly WordHits[],
  row: { readonly table: string; readonly task: string; readonly subjects: readonly string[] | null },
  parameter: (value: unknown) => string,
): readonly string[] =>
  hits.map((hit) => {
    if (hit.kind === 'few') {
      const ofTask = `${row.task} = any (${parameter(hit.tasks)}::uuid[])`;
      if (row.subjects === null) return ofTask;
      const subjects = parameter(hit.subjects);
      return `${ofTask} and (${row.subjects.map((subject) => `${subject} = any (${subjects}::uuid[])`).join(' or ')})`;
    }
    const about = row.subjects === null ? '' : `and found.subject_id in (${row.subjects.join(', ')})`;
    return `exists (select from search_word found where found.tenant_id = ${row.table}.tenant_id
      and found.task_id = ${row.task} ${about}
      and found.word >= ${parameter(hit.term.from)} and found.word <= ${parameter(hit.term.to)})`;
  });
